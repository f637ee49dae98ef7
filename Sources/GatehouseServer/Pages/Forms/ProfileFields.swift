import Foundation
import GatehousePolicy

/// Inputs for the fields of a policy's profile.
struct ProfileFields {
  let policy: Policy
  let words: HostedWords
  let now: Date

  /// The fields that a sign-up asks for, in the policy's order.
  var atSignUp: [Field] { policy.profile.fields.filter(\.isAskedAtSignUp) }

  /// The input of one field.
  func input(_ field: Field, value: String) -> FormField {
    let rules = ShownRules(policy, at: now)
    let own = rules.now.filter { $0.pointer == field.pointer }
    let range = Self.range(own)
    var input = FormField(
      name: FieldName.profile(field.name), label: label(field),
      kind: kind(field, range, value), value: value, isRequired: field.isRequired, autocomplete: autocomplete(field))
    let hints =
      self.hints(own.filter { !Self.unsaid.contains($0.kind) && (range == nil || !["min", "max"].contains($0.kind)) })
      + rules.soon(at: field.pointer, words).map(\.sentence)
    if !hints.isEmpty { input.hint = "\(hints.joined(separator: " · "))" }
    if field.type == .phone { input.region = field.region ?? "US" }
    input.isPlain = field.unique != nil && field.type == .string
    if field.type != .boolean {
      input.checks = own.filter { Self.doors.isSubset(of: $0.doors) }.compactMap { $0.check(in: words.language) }
    }
    return input
  }

  /// The doors of the forms that have the field.
  private static let doors: Set<Door> = [.signUp, .updateProfile]

  /// The bounds of a number that is chosen from a list: there are few.
  private static func range(_ rules: [PublicRule]) -> ClosedRange<Int64>? {
    func bound(_ kind: String) -> Int64? {
      if case .integer(let bound)? = rules.first(where: { $0.kind == kind })?.params[kind] { bound } else { nil }
    }
    guard let least = bound("min"), let most = bound("max"), least <= most,
      case (let span, false) = most.subtractingReportingOverflow(least), span < 10
    else { return nil }
    return least...most
  }

  /// The rules in words; two bounds in one sentence.
  private func hints(_ rules: [PublicRule]) -> [String] {
    let least = rules.first { $0.kind == "min" }?.params["min"]
    let most = rules.first { $0.kind == "max" }?.params["max"]
    guard case .integer(let least)? = least, case .integer(let most)? = most else {
      return rules.compactMap { $0.message.text(in: [words.language]) }
    }
    return [words.profile.between(String(least), String(most))]
      + hints(rules.filter { $0.kind != "min" && $0.kind != "max" })
  }

  func label(_ field: Field) -> String { field.title(in: [words.language]) }

  /// The rules that a form does not show before it is sent: those that are plain from the label, and those that most
  /// people never meet.
  private static let unsaid: Set<String> = ["required", "max_length", "unique", "values", "reserved", "format"]

  private func kind(_ field: Field, _ range: ClosedRange<Int64>?, _ value: String) -> FormField.Kind {
    switch field.type {
    case .string: field.multiline ? .lines : .text
    case .integer: number(field, range, value)
    case .boolean: .checkbox
    case .url: .url
    case .date: .date
    case .phone: .phone
    case .enum: .choice(options(field, values(field), value))
    }
  }

  private func number(_ field: Field, _ range: ClosedRange<Int64>?, _ value: String) -> FormField.Kind {
    guard let range else { return .number }
    return .choice(options(field, range.map { String($0) }, value))
  }

  /// A field without a value begins with none, so that a value is chosen and not left.
  private func options(_ field: Field, _ values: [String], _ value: String) -> [FormField.Option] {
    let none = field.isRequired && !value.isEmpty ? [] : [FormField.Option(value: "", label: "–")]
    return none + values.map { .init(value: $0, label: title(of: $0, in: field)) }
  }

  /// A value as people read it.
  func title(of value: String, in field: Field) -> String { field.readable(value).text(in: [words.language]) ?? value }

  private func values(_ field: Field) -> [String] {
    policy.publicFields.first { $0.name == field.name }?.values ?? []
  }

  /// Names that apps give their fields most often, and what browsers fill in for them.
  private func autocomplete(_ field: Field) -> String? {
    switch field.type {
    case .phone: "tel"
    case .url: "url"
    // Browsers take the field before a password for a user's name otherwise.
    default: Self.known[field.name.lowercased()] ?? "off"
    }
  }

  private static let known = [
    "name": "name", "fullname": "name", "displayname": "name", "firstname": "given-name", "lastname": "family-name",
    "username": "nickname", "nickname": "nickname", "birthday": "bday", "birthdate": "bday", "country": "country-name",
    "city": "address-level2", "company": "organization",
  ]

  /// The name that a person has in a profile, as far as its owner sees it; nil where there is none.
  func name(_ profile: [String: FieldValue]) -> String? {
    ["name", "nickname"].lazy.flatMap { kind in seen.filter { autocomplete($0) == kind } }
      .map { Self.text(profile[$0.name]) }.first { !$0.isEmpty }
  }

  /// The value that was typed into a field; nil where nothing was, at a sign-up.
  func value(_ field: Field, _ typed: Typed) -> FieldValue? {
    let text = typed[FieldName.profile(field.name)]
    switch field.type {
    case .boolean: return .boolean(text == "true")
    case .integer where !text.isEmpty: return TypedText.integer(text).map { .integer($0) } ?? .string(text)
    default: return text.isEmpty ? nil : .string(text)
    }
  }

  /// A stored value as its owner would type it.
  static func typed(_ field: Field, _ value: FieldValue?) -> String {
    field.type == .phone ? PhoneText.national(text(value)) : text(value)
  }

  /// The text of a stored value.
  static func text(_ value: FieldValue?) -> String {
    switch value {
    case .string(let text): text
    case .integer(let number): String(number)
    case .boolean(let flag): String(flag)
    case .null, .unsupported, nil: ""
    }
  }
}
