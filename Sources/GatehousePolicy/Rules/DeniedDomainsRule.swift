extension RuleKind {
  /// The address is at none of these domains.
  public static let deniedDomains = RuleKind(
    "denied_domains", at: [.email], shape: .domains, parameterName: "domains", classes: .domains
  ) { rule, judged in
    judged.isAtDomain(of: rule, unknown: true) ? .fail("the domain is one of those denied") : .pass
  }
}
