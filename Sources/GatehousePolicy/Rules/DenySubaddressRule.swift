extension RuleKind {
  /// The local part has no `+tag` (RFC 5233).
  public static let denySubaddress = RuleKind("deny_subaddress", at: [.email], classes: .subaddress) { _, judged in
    guard let address = judged.address else { return .undecidable("no address") }
    return address.local.utf8.contains(UInt8(ascii: "+")) ? .fail("the local part has a +tag") : .pass
  }
}

extension RuleClasses {
  fileprivate static let subaddress = RuleClasses { _, context in
    let (local, domain) = context.address
    let mailbox = String(local.prefix { $0 != "+" })
    let tagged = local.contains("+") ? local : String(local.suffix(60)) + "+tag"
    return [
      Witness(.email("\(tagged)@\(domain)"), "an address with a +tag"),
      Witness(.email("\(mailbox.isEmpty ? "a" : mailbox)@\(domain)"), "an address without a +tag"),
    ]
  } classify: { _, value, context in
    context.seenAddress(value).map { $0.local.contains("+") ? "with" : "without" }
  }
}
