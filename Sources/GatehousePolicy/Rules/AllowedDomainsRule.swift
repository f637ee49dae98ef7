extension RuleKind {
  /// The address is at one of these domains.
  public static let allowedDomains = RuleKind(
    "allowed_domains", at: [.email], shape: .domains, parameterName: "domains", classes: .domains
  ) { rule, judged in
    judged.isAtDomain(of: rule, unknown: false) ? .pass : .fail("the domain is not one of those allowed")
  }
}
