public import Foundation

/// One rule as the public half of a policy shows it.
public struct PublicRule: Sendable, Hashable {
  /// `password.min8`
  public var id: String
  /// Name of the kind, `min_length`.
  public var kind: String
  /// Where the value stands in a sign-up, `/password`.
  public var pointer: String
  /// `{"min": 8}`.
  public var params: [String: ParameterValue]
  /// A row of a checklist, per language.
  public var message: Texts
  /// The same as a sentence that stands alone.
  public var sentence: Texts
  /// `warn` or `enforce`, as of the instant asked for.
  public var enforce: Enforce
  /// With `warn`: when it binds by itself.
  public var enforceFrom: Day?
  /// A form can not check it while the person types; the server does.
  public var checkedOnSubmit: Bool
  /// Where it binds, among the doors that a client can go through.
  public var doors: [Door]
  /// Whether some address is exempt from the rule today. The addresses are never published.
  public var hasExceptions: Bool
}

/// One profile field as the public half of a policy shows it.
public struct PublicField: Sendable, Hashable {
  /// The tenant's own name for it.
  public var name: String
  /// The field as people read it, per language.
  public var label: Texts
  /// The type of its values.
  public var type: FieldType
  /// Where it stands in a sign-up, `/profile/name`.
  public var pointer: String
  /// Whether there is a rule `required`, at any stage.
  public var isRequired: Bool
  /// Whether a form of a sign-up asks for it, `Field.isAskedAtSignUp`.
  public var atSignUp: Bool
  /// Invisible characters are cut off at both ends before anything is judged.
  public var trim: Bool
  /// Whether text may have several lines; nil where the type has none.
  public var multiline: Bool?
  /// The value that is stored when none is given.
  public var defaultValue: FieldValue?
  /// The values of an enum.
  public var values: [String]
  /// Values as people read them, by value and language: those of an enum, and others that the policy names.
  public var valueLabels: [String: Texts]
  /// The writers of the field.
  public var write: Field.Write
  /// The readers of the field.
  public var visibleTo: Field.Visibility
  /// Whether and how values are unique within the tenant.
  public var unique: Field.Unique?
  /// The region of a phone.
  public var region: String?
  /// The check of a phone.
  public var phoneCheck: Field.PhoneCheck?
}

extension Policy {
  /// The rules a form needs, in file order: on at `instant`, disclosed, and about values a person may give.
  /// Fields only administrators write are left out, and so are rules that bind at operators' doors alone.
  public func publicRules(at instant: Date) -> [PublicRule] {
    let source = NoFacts()
    let email = identifiers.email
    var rules = ([email.requiredRule, email.syntaxRule] + email.rules).map { ($0, Pointer.email, false) }
    // GUARD: password door: rules in the public policy
    if hasPassword { rules += ([password.requiredRule] + password.rules).map { ($0, Pointer.password, false) } }
    for field in profile.fields where field.write != .admin {
      rules += field.rules.map { ($0, field.pointer, $0.regions != nil && !field.decidesPhone) }
      if field.formatRule.kind.fieldTypes.contains(field.type) {
        rules.append((field.formatRule, field.pointer, field.type == .phone && !field.decidesPhone))
      }
      if field.unique != nil { rules.append((field.uniqueRule, field.pointer, true)) }
    }
    return rules.compactMap { rule, pointer, needsServer in
      let mode = rule.enforcement.mode(at: instant)
      let doors = rule.doors.subtracting(.operators)
      guard
        rule.disclose,  // GUARD: disclosed: the public policy
        mode != .off, !doors.subtracting(DoorSet([.signIn])).isEmpty
      else { return nil }
      return PublicRule(
        id: rule.id, kind: rule.kind.name, pointer: pointer, params: rule.params,
        message: Catalogue.message(of: rule, in: self), sentence: Catalogue.sentence(of: rule, in: self), enforce: mode,
        enforceFrom: mode == .warn ? rule.enforcement.from : nil,
        checkedOnSubmit: needsServer || rule.kind.asksSource || asksForDomain(rule, source),
        doors: doors.doors,
        hasExceptions: exceptions.contains { $0.rule == rule.id && $0.holds(at: instant) })
    }
  }

  /// The fields a person may write or see, in file order.
  public var publicFields: [PublicField] {
    profile.fields.filter { $0.write != .admin || $0.visibleTo != .admin }.map { field in
      let values = field.rules.lazy.compactMap(\.values).first ?? []
      return PublicField(
        name: field.name, label: field.readable, type: field.type, pointer: field.pointer,
        isRequired: field.isRequired, atSignUp: field.isAskedAtSignUp, trim: field.trim,
        multiline: field.type == .string ? field.multiline : nil,
        defaultValue: field.defaultValue, values: values,
        valueLabels: Dictionary(
          (values + field.valueLabels.keys).map { ($0, field.readable($0)) }, uniquingKeysWith: { one, _ in one }),
        write: field.write, visibleTo: field.visibleTo,
        unique: field.unique, region: field.type == .phone ? field.region ?? "US" : nil,
        phoneCheck: field.type == .phone ? field.phoneCheck : nil)
    }
  }

  private func asksForDomain(_ rule: Rule, _ source: NoFacts) -> Bool {
    guard case .domains(let patterns) = rule.parameter else { return false }
    return patterns.contains { !$0.isASCII }
  }
}

extension Field {
  /// Whether the telephone number is judged without a library.
  var decidesPhone: Bool { (region ?? "US") == "US" && phoneCheck == .length }
}
