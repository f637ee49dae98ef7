import GatehousePolicy
import GatehouseWire

extension Policy {
  /// The policy that a public policy describes. A part that it leaves out is as in a file that is silent.
  init(_ policy: PublicPolicy) {
    let email = EmailPolicy(
      normalize: policy.identifiers?.email?.normalize.flatMap(EmailPolicy.Normalize.init) ?? .lowercase,
      rules: policy.rules(of: .email, "/email"))
    self.init(
      tenant: policy.tenant, app: App(name: policy.app.name), identifiers: Identifiers(email: email),
      password: PasswordPolicy(rules: policy.rules(of: .password, "/password")),
      profile: ProfilePolicy(fields: policy.fields.compactMap { Field($0, policy) }))
  }
}

extension PublicPolicy {
  /// The rules about a value, without those that stand by themselves.
  fileprivate func rules(of target: RuleTarget, _ pointer: String) -> [GatehousePolicy.Rule] {
    rules.filter { $0.pointer == pointer }.compactMap { $0.rule(at: target) }
  }
}

extension GatehousePolicy.Field {
  /// Nil for a type of a newer server.
  fileprivate init?(_ field: PublicPolicy.Field, _ policy: PublicPolicy) {
    guard let type = FieldType(rawValue: field.type) else { return nil }
    self.init(
      name: field.name, type: type, rules: policy.rules(of: .field, Pointer.profile(field.name)),
      defaultValue: field.defaultValue, trim: field.trim, multiline: field.multiline ?? true,
      write: Write(rawValue: field.write) ?? .user,
      unique: field.unique.flatMap(Unique.init), region: field.region,
      phoneCheck: field.phoneCheck.flatMap(PhoneCheck.init) ?? .valid)
  }
}

extension PublicPolicy.Rule {
  /// Whether this version can judge it.
  var isKnown: Bool {
    guard let target = RuleTarget(pointer: pointer), let kind = Rules.kind(kind) else { return false }
    return kind.isImplied || rule(at: target) != nil
  }

  /// The rule, where a policy file writes one; nil for a rule that stands by itself, and for what this version does not
  /// know.
  func rule(at target: RuleTarget) -> Rule? {
    guard let kind = Rules.kind(kind), !kind.isImplied, kind.targets.contains(target),
      let parameter = parameter(of: kind),
      let mode = Enforce(rawValue: enforce)
    else { return nil }
    return Rule(
      id: id, kind: kind, target: target, parameter: parameter,
      enforcement: Enforcement(mode, from: enforceFrom.flatMap { Day($0) }),
      doors: doors.map { DoorSet($0.compactMap(Door.init)) })
  }

  private func parameter(of kind: RuleKind) -> Parameter? {
    guard !kind.parameterName.isEmpty else { return kind.shape == .flag ? .flag(true) : nil }
    guard let value = params[kind.parameterName] else { return nil }
    return kind.shape.parameter(from: value.scalars)
  }
}

extension ParameterValue {
  /// As a policy file would write it.
  fileprivate var scalars: [String] {
    switch self {
    case .integer(let number): [String(number)]
    case .string(let text): [text]
    case .strings(let texts): texts
    case .boolean(let flag): [String(flag)]
    }
  }
}

extension RuleTarget {
  /// The subject of a pointer into a sign-up.
  init?(pointer: String) {
    switch pointer {
    case "/email": self = .email
    case "/password": self = .password
    default:
      guard pointer.hasPrefix("/profile/") else { return nil }
      self = .field
    }
  }
}
