extension RuleKind {
  /// The domain is not on the list of throw-away mail services.
  public static let denyDisposable = RuleKind("deny_disposable", at: [.email])
}
