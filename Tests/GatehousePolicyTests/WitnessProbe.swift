import Foundation
import GatehousePolicy
import GatehouseTesting

/// A policy with one rule, and what decides beside it on the rule's verdict.
struct WitnessProbe: Sendable, CustomStringConvertible {
  static let person = (email: "wildcat@example.com", profile: ["name": FieldValue.string("Ann Mary-Jane O'Neill")])

  let rule: Rule
  let context: WitnessContext
  private let policy: Policy

  var description: String { "\(rule.id) \(rule.parameter)" }

  static func email(
    _ kind: RuleKind, _ parameter: Parameter = .flag(true), normalize: EmailPolicy.Normalize = .lowercase
  ) -> WitnessProbe {
    let rules =
      switch kind {
      case .plainLocalPart: [Policies.email(.allowedDomains, Policies.domains("example.com"))]
      case .syntax, .required: [Rule]()
      default: [Policies.email(kind, parameter)]
      }
    let section = EmailPolicy(normalize: normalize, rules: rules)
    let every = [section.requiredRule, section.syntaxRule] + section.effectiveRules
    return WitnessProbe(rule: every.first { $0.kind == kind } ?? every[0], email: section)
  }

  static func password(_ kind: RuleKind, _ parameter: Parameter = .flag(true)) -> WitnessProbe {
    let bound = Policies.password("bound", .maxLength, .integer(4096))
    var rule = Policies.password("x", kind, parameter, existing: .requireAtSignIn)
    if kind == .required { rule = PasswordPolicy(rules: []).requiredRule }
    return WitnessProbe(rule: rule, password: kind == .required ? [] : kind == .maxLength ? [rule] : [bound, rule])
  }

  static func field(
    _ kind: RuleKind, _ parameter: Parameter = .flag(true), _ type: FieldType = .string, trim: Bool = true,
    write: Field.Write = .user, unique: Field.Unique? = nil, region: String? = nil, check: Field.PhoneCheck = .valid,
    default value: FieldValue? = nil
  ) -> WitnessProbe {
    let own = Policies.field("f", kind, parameter)
    let field = Field(
      name: "f", type: type, rules: kind.isImplied ? [] : [own], defaultValue: value, trim: trim, write: write,
      unique: unique, region: region, phoneCheck: check)
    let implied = [field.typeRule, field.formatRule, field.writeRule, field.uniqueRule].first { $0.kind == kind }
    return WitnessProbe(rule: implied ?? own, field: field)
  }

  private init(rule: Rule, email: EmailPolicy = EmailPolicy(), password: [Rule] = [], field: Field? = nil) {
    let fields = field.map { [$0] } ?? [Field(name: "name", type: .string)]
    self.rule = rule
    context = WitnessContext(
      field: field, normalize: email.normalize, fieldNames: fields.map(\.name), source: WitnessFacts(DigitFacts()))
    policy = Policy(
      tenant: "t", app: App(name: "T"), identifiers: Identifiers(email: email),
      password: PasswordPolicy(rules: password),
      profile: ProfilePolicy(fields: fields))
  }

  /// The value as the person types it: a password with the words that it is said to contain.
  func typed(_ value: Witness.Value) -> Witness.Value {
    guard case .password(var password) = value else { return value }
    password.text = password.typed(email: Self.person.email, profile: Self.person.profile)
    return .password(password)
  }

  /// The verdict of the evaluator on the rule; nil where it never comes to it.
  func verdict(_ value: Witness.Value) -> TraceEntry.Verdict? {
    var facts = Facts()
    var door = Door.updateProfile
    var id = rule.id
    var source = WitnessFacts(DigitFacts())
    switch value {
    case .email(let text):
      facts.email = text
      door = .changeEmail
    case .password(let password):
      source = source.about(password)
      facts = Facts(email: Self.person.email, password: password.text, profile: Self.person.profile)
      door = rule.doors.contains(.signIn) ? .signIn : .setPassword
      facts.stored = StoredFacts(email: Self.person.email, passwordChangedAt: winter - Double(password.age))
    case .field(let given): facts.profile = ["f": given]
    case .writer(let writer, let stored):
      facts = Facts(profile: ["f": "x"], writer: writer, stored: StoredFacts(email: nil, profile: ["f": stored]))
    case .taken(let isTaken): facts = Facts(profile: ["f": "x"], taken: isTaken ? ["f"] : [])
    case .key(let name):
      facts.profile = [name: "x"]
      id = name + ".unknown"
    }
    let verdict = policy.decide(door, facts, at: winter, using: source).verdict(id)
    return verdict == .notReached ? nil : verdict
  }
}

/// Reads digits behind a plus sign as a number of the region that its first digit says.
private struct DigitFacts: FactSource {
  func isListed(_ password: String, list: String) -> Bool? { nil }
  func strength(of password: String, inputs: [String]) -> Int? { nil }
  func asciiDomain(_ domain: String) -> String? { domain == "münchen.example" ? "xn--mnchen-3ya.example" : nil }
  func phone(_ raw: String, region: String) -> PhoneFact? {
    guard raw.hasPrefix("+7"), raw.utf8.count > 3 else { return PhoneFact(e164: nil) }
    let region = ["US", "DE", "FR", nil][raw.utf8.count % 4]
    return PhoneFact(e164: raw, region: region, isPossible: true, isValid: raw.utf8.count < 14)
  }
}
