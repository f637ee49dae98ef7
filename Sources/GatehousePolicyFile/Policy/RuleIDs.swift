package import GatehousePolicy

extension Policy {
  /// Every rule of this policy, in the order violations come in.
  var allRules: [Rule] {
    var rules = [identifiers.email.requiredRule, identifiers.email.syntaxRule] + identifiers.email.effectiveRules
    rules += [password.requiredRule, password.syntaxRule] + password.rules
    for field in profile.fields {
      rules += field.rules + [field.typeRule]
      if [.url, .date, .phone].contains(field.type) { rules.append(field.formatRule) }
      rules.append(field.writeRule)
      if field.unique != nil { rules.append(field.uniqueRule) }
    }
    return rules
  }

  /// Those of them that the public may know of.
  package var disclosedRules: [Rule] {
    // GUARD: disclosed: the public form of explain
    allRules.filter(\.disclose)
  }

  /// The ids of all rules, requirements and demands.
  var ruleIDs: [String] { staged.map(\.id) }

  /// Everything that has a stage, in the order violations come in: rules, requirements of access, demands for second
  /// factors.
  var staged: [(id: String, enforcement: Enforcement, position: SourcePosition)] {
    allRules.map { ($0.id, $0.enforcement, $0.position) } + access.full.map { ($0.id, $0.enforcement, $0.position) }
      + demands.map { ($0.id, $0.enforcement, $0.position) }
  }
}

extension Rule {
  /// The kind of rule and what it is measured against, as people read it: `min_length 8`.
  var described: String {
    let value: String =
      switch parameter {
      case .flag: ""
      case .integer(let number): " \(number)"
      case .text(let text): " \(text)"
      case .texts(let texts): " [\(texts.joined(separator: ", "))]"
      case .domains(let domains): " [\(domains.map(\.description).joined(separator: ", "))]"
      case .characters(let set): " \(set.text)"
      case .duration(let seconds): " \(Seconds.text(seconds))"
      }
    return kind.name + value
  }
}
