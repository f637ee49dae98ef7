extension RuleKind {
  /// The address is at one of these domains.
  public static let allowedDomains = RuleKind(
    "allowed_domains", at: [.email], shape: .domains, parameterName: "domains")
}
