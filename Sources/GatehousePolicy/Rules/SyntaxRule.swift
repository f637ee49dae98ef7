extension RuleKind {
  /// The address is one (see `EmailAddress`).
  public static let syntax = RuleKind("syntax", at: [.email], isImplied: true, classes: .address)
}

extension RuleClasses {
  fileprivate static let address = RuleClasses { _, context in
    [
      Witness(.email(context.text(of: .email)), "an address"),
      Witness(.email(context.address.local), "text without an @"),
      Witness(.email("\(context.address.local)@\(context.address.domain)."), "an address with a malformed domain"),
    ]
  } classify: { _, value, context in
    guard case .email(let text) = value, !text.isEmpty else { return nil }
    return context.address(text) == nil ? "no address" : "an address"
  }
}
