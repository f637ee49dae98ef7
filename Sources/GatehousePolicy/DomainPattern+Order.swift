extension Strictness {
  /// Each pattern admits addresses.
  static let allowedDomains = Strictness(relation: domains) { parameter in
    guard case .domains(let domains) = parameter else { return [] }
    return domains.compactMap { one in
      guard let wider = DomainPattern(one.subdomainsOnly ? one.domain : "*." + one.domain), !domains.contains(wider)
      else { return nil }
      return (.domains(domains + [wider]), "with \(wider)")
    }
  }

  /// Each pattern refuses addresses.
  static let deniedDomains = Strictness {
    domains($0, $1).reversed
  } loosened: { parameter in
    guard case .domains(let domains) = parameter, domains.count > 1 else { return [] }
    return domains.map { one in (.domains(domains.filter { $0 != one }), "without \(one)") }
  }

  @Sendable private static func domains(_ old: Parameter, _ new: Parameter) -> Relation {
    guard case .domains(let old) = old, case .domains(let new) = new else { return .equalOrIncomparable(old, new) }
    return .ofSets(newInOld: new.allSatisfy { covers(old, $0) }, oldInNew: old.allSatisfy { covers(new, $0) })
  }

  /// Whether every address of `pattern` is one of `patterns`.
  private static func covers(_ patterns: [DomainPattern], _ pattern: DomainPattern) -> Bool {
    patterns.contains { candidate in
      if candidate == pattern { return true }
      guard candidate.subdomainsOnly else { return false }
      let suffix = "." + candidate.domain
      return pattern.domain.utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }
  }
}
