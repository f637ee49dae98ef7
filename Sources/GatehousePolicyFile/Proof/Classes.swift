import GatehousePolicy

/// The classes of values in which every rule of a policy has one verdict, with an example of each. The kinds of rules
/// declare them.
struct Classes {
  let policy: Policy
  private let source = WitnessFacts(NoFacts())

  init(_ policy: Policy) { self.policy = policy }

  /// An address for each class of domains. A pattern names a domain or what is below it. So two domains are told apart
  /// only by the longest name in any pattern that they are, or are below. The first is at none of the names.
  /// - Parameter patterns: Patterns that a statement names besides those of the rules.
  func addresses(at patterns: [DomainPattern]) -> [String] {
    let named =
      patterns
      + policy.identifiers.email.rules.flatMap { rule -> [DomainPattern] in
        if case .domains(let domains) = rule.parameter { domains } else { [] }
      }
    var seen: Set<String> = []
    let unique = named.filter { seen.insert($0.domain).inserted }
    let rule = Rule(
      id: "email.domains", kind: .allowedDomains, target: .email, parameter: .domains(unique))
    let context = WitnessContext(
      normalize: policy.identifiers.email.normalize, source: source, sample: .email("w@example.com"))
    let found = rule.kind.witnesses(of: rule, in: context).compactMap { witness -> String? in
      if case .email(let text) = witness.value { text } else { nil }
    }
    return found.suffix(1) + found.dropLast()
  }

  /// Values of a field, nil for none. `isComplete`: there is one of every class that the rules of the field and this
  /// demand of a statement can tell apart.
  func values(of field: Field, about demand: Statement.Stored?) -> (found: [FieldValue?], isComplete: Bool) {
    var values: [FieldValue?] = [nil, .null, .string("")]
    var isExact = [.boolean, .enum, .integer].contains(field.type)
    switch demand {
    case .equal(let value):
      values += near(value)
      isExact = true
    case .outside(let named): values += named.flatMap(near)
    case .absent: isExact = true
    // The form of a telephone number that passes is that of E.164.
    case .notE164: if field.type == .phone { isExact = true }
    case nil: break
    }
    if field.type == .boolean { values += [true, false] }
    let context = WitnessContext(field: field, source: source, sample: .field(Samples.value(field)))
    for rule in [field.typeRule, field.formatRule] + field.rules {
      values += rule.kind.witnesses(of: rule, in: context).compactMap { witness -> FieldValue? in
        if case .field(let value) = witness.value { value } else { nil }
      }
    }
    var seen: Set<FieldValue?> = []
    return (values.filter { seen.insert($0).inserted }, isExact)
  }

  /// A value that a statement names, and its neighbours.
  private func near(_ value: FieldValue) -> [FieldValue?] {
    guard case .integer(let number) = value else { return [value] }
    return [number &- 1, number, number &+ 1].map { .integer($0) }
  }
}
