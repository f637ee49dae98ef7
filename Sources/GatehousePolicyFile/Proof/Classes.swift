import GatehousePolicy

/// The classes of values in which every rule of a policy has one verdict, with an example of each.
struct Classes {
  let policy: Policy

  init(_ policy: Policy) { self.policy = policy }

  /// An address for each class of domains. A pattern names a domain or what is below it. So two domains are told apart
  /// only by the longest name in any pattern that they are, or are below: a name, a name below it, and one elsewhere.
  /// - Parameter patterns: Patterns that a statement names besides those of the rules.
  func addresses(at patterns: [DomainPattern]) -> [String] {
    let all =
      patterns
      + policy.identifiers.email.rules.flatMap { rule -> [DomainPattern] in
        if case .domains(let domains) = rule.parameter { domains } else { [] }
      }
    var seen: Set<String> = []
    let names = all.map(\.domain).filter { seen.insert($0).inserted }
    let elsewhere = (0...names.count).lazy.map { $0 == 0 ? "example.com" : "elsewhere\($0).example" }
      .first { domain in !names.contains { domain == $0 || domain.hasSuffix("." + $0) || $0.hasSuffix("." + domain) } }
    let below = names.map { name in
      let label = (0...names.count).lazy.map { $0 == 0 ? "mail" : "mail\($0)" }.first {
        !seen.contains("\($0).\(name)")
      }
      return "\(label ?? "mail").\(name)"
    }
    return ((elsewhere.map { [$0] } ?? []) + zip(names, below).flatMap { [$0, $1] }).map { "w@" + $0 }
  }

  /// Values of a field, nil for none. `isComplete`: there is one of every class that the rules of the field and this
  /// demand of a statement can tell apart.
  func values(of field: Field, about demand: Statement.Stored?) -> (found: [FieldValue?], isComplete: Bool) {
    var named: [FieldValue] = []
    var isExact = false
    switch demand {
    case .equal(let value): (named, isExact) = ([value], true)
    case .outside(let values): named = values
    case .absent: isExact = true
    case .notE164, nil: break
    }
    var values: [FieldValue?] = [nil, .null, .string("")]
    switch field.type {
    case .boolean:
      values += [true, false]
      isExact = true
    case .enum:
      let words = field.rules.lazy.compactMap(\.values).first ?? []
      values += (words + [words.joined() + "x"]).map { .string($0) }
      isExact = true
    case .integer:
      let bounds = field.rules.compactMap { if case .integer(let bound) = $0.parameter { bound } else { nil } }
      let numbers = Set((bounds + named.compactMap(\.integer) + [0]).flatMap { [$0 &- 1, $0, $0 &+ 1] })
      values += numbers.sorted().map { .integer($0) }
      isExact = true
    case .phone:
      values += ["+12015550123", "+442079460958", "555-0123", "none"]
      // The form of what passes is that of E.164.
      if case .notE164? = demand { isExact = true }
    case .date: values += ["2000-01-01", "2001-02-03", "none"]
    case .url: values += ["https://example.com/", "http://example.com/a", "none"]
    case .string: values += texts(of: field).map { .string($0) }
    }
    values += named
    var seen: Set<FieldValue?> = []
    return (values.filter { seen.insert($0).inserted }, isExact)
  }

  /// Texts of lengths at and around the bounds, of characters of each set.
  private func texts(of field: Field) -> [String] {
    var lengths: Set<Int64> = [1, 4, 12]
    var letters: [Unicode.Scalar] = ["x", "7", "Q"]
    var words: [String] = ["Alex", "alex", "+12015550123"]
    for rule in field.rules {
      switch rule.parameter {
      case .integer(let bound): lengths.formUnion([bound - 1, bound, bound + 1])
      case .characters(let set): letters += set.ranges.prefix(8).compactMap { Unicode.Scalar($0.lowerBound) }
      case .texts(let texts): words += texts.prefix(16)
      default: break
      }
    }
    let fitting = lengths.filter { (1...4096).contains($0) }.sorted()
    return words
      + letters.flatMap { letter in fitting.map { String(repeating: Character(letter), count: Int($0)) } }
  }
}
