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
    let rules = policy.publicRules(at: now).filter {
      $0.pointer == field.pointer && $0.enforce == .enforce && !Self.unsaid.contains($0.kind)
    }
    let hints = self.hints(rules)
    var input = FormField(
      name: FieldName.profile(field.name), label: label(field),
      kind: kind(field), value: value, isRequired: field.isRequired, autocomplete: autocomplete(field))
    if !hints.isEmpty { input.hint = "\(hints.joined(separator: " · "))" }
    if field.type == .phone { input.region = field.region ?? "US" }
    return input
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

  private func kind(_ field: Field) -> FormField.Kind {
    switch field.type {
    case .string: field.multiline ? .lines : .text
    case .integer: .number
    case .boolean: .checkbox
    case .url: .url
    case .date: .date
    case .phone: .phone
    case .enum:
      .choice(
        (field.isRequired ? [] : [.init(value: "", label: "–")])
          + values(field).map { .init(value: $0, label: Label.readable($0)) })
    }
  }

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

  /// The value that was typed into a field; nil where nothing was, at a sign-up.
  func value(_ field: Field, _ typed: Typed) -> FieldValue? {
    let text = typed[FieldName.profile(field.name)]
    switch field.type {
    case .boolean: return .boolean(text == "true")
    case .integer where !text.isEmpty: return TypedText.integer(text).map { .integer($0) } ?? .string(text)
    default: return text.isEmpty ? nil : .string(text)
    }
  }

  /// The text that an input shows of a stored value.
  static func text(_ value: FieldValue?) -> String {
    switch value {
    case .string(let text): text
    case .integer(let number): String(number)
    case .boolean(let flag): String(flag)
    case .null, .unsupported, nil: ""
    }
  }
}
