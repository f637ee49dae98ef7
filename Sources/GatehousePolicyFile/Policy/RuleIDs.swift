import GatehousePolicy

extension Policy {
  /// Every rule of this policy, in the order violations come in.
  var allRules: [Rule] {
    var rules = [identifiers.email.requiredRule, identifiers.email.syntaxRule] + identifiers.email.rules
    rules += [password.requiredRule] + password.rules
    for field in profile.fields {
      rules += field.rules + [field.typeRule]
      if [.url, .date, .phone].contains(field.type) { rules.append(field.formatRule) }
      rules.append(field.writeRule)
      if field.unique != nil { rules.append(field.uniqueRule) }
    }
    return rules
  }

  /// The ids of all rules and requirements.
  var ruleIDs: [String] { allRules.map(\.id) + access.full.map(\.id) }
}
