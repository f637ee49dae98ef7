extension RuleKind {
  /// The domain is not on the list of throw-away mail services.
  public static let denyDisposable = RuleKind("deny_disposable", at: [.email], asksSource: true) { _, judged in
    guard let address = judged.address, let isDisposable = judged.source.isDisposable(address.domain) else {
      return .undecidable("no list of throw-away domains here")
    }
    return isDisposable ? .fail("the domain is on the list") : .pass
  }
}
