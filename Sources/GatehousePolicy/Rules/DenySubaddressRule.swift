extension RuleKind {
  /// The local part has no `+tag` (RFC 5233).
  public static let denySubaddress = RuleKind("deny_subaddress", at: [.email]) { _, judged in
    guard let address = judged.address else { return .undecidable("no address") }
    return address.local.utf8.contains(UInt8(ascii: "+")) ? .fail("the local part has a +tag") : .pass
  }
}
