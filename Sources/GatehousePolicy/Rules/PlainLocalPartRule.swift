extension RuleKind {
  /// The local part names a mailbox at the address's own domain. Implied by `allowed_domains`: an address that a mail
  /// system passes on to another domain says nothing of its own.
  public static let plainLocalPart = RuleKind(
    "plain_local_part", at: [.email], shape: .flag, isImplied: true,
    meaning: "The local part names no mailbox of another domain.", strictness: .none, classes: .routes,
    texts: [
      RuleText(
        .email, "Use an address without %, ! and =? before the @", "Usa un correo sin %, ! ni =? antes de la @",
        "Verwenden Sie eine Adresse ohne %, ! und =? vor dem @", "استخدم عنوانًا من دون % و! و=? قبل @",
        sentence: .init(
          "Enter an email address without %, ! and =? before the @.", "Escribe un correo sin %, ! ni =? antes de la @.",
          "Geben Sie eine E-Mail-Adresse ohne %, ! und =? vor dem @ ein.", "أدخل بريدًا إلكترونيًا من دون % و! و=? قبل @."
        )
      )
    ]
  ) {
    _, judged in
    guard let address = judged.address else { return .undecidable("no address") }
    return address.isRouted ? .fail("the local part may name another domain") : .pass
  }
}

extension EmailAddress {
  /// Whether some mail systems read another address out of the local part and deliver there. Quoted local parts, and
  /// with them every `@` before the last, are no addresses here at all.
  var isRouted: Bool {
    var before: UInt8 = 0
    for byte in local.utf8 {
      switch (before, byte) {
      // Source routes (RFC 5321, appendix F.2), encoded words (RFC 2047).
      case (_, UInt8(ascii: "%")), (_, UInt8(ascii: "!")), (UInt8(ascii: "="), UInt8(ascii: "?")),
        (UInt8(ascii: "?"), UInt8(ascii: "=")):
        return true
      default: before = byte
      }
    }
    // Gateways: X.400 (RFC 2156), encapsulated addresses of Exchange, senders that a forwarder rewrote.
    let folded = EmailAddress.lowercasedASCII(local).utf8
    return Self.gateways.contains { folded.starts(with: $0) }
      || (folded.contains(UInt8(ascii: "#")) && String(folded).contains("#ext#"))
  }

  private static let gateways = ["/", "imcea", "srs0=", "srs0-", "srs0+", "srs1=", "srs1-", "srs1+"].map {
    Array($0.utf8)
  }
}

extension EmailPolicy {
  /// `email.plain_local_part`, at the doors and the stage of the first `allowed_domains`; nil without one. Checklists
  /// and the public half of a policy have no line of it.
  public var plainLocalPartRule: Rule? {
    guard let allowed = rules.first(where: { $0.kind == .allowedDomains }) else { return nil }
    return Rule(
      id: "email.plain_local_part", kind: .plainLocalPart, target: .email, enforcement: allowed.enforcement,
      existing: .atNextChange, doors: allowed.doors, disclose: allowed.disclose, position: allowed.position)
  }

  /// The rules that a value meets once it is an address: those of the file, and what they imply.
  public var effectiveRules: [Rule] { rules + (plainLocalPartRule.map { [$0] } ?? []) }
}

extension RuleClasses {
  fileprivate static let routes = RuleClasses { _, context in
    let (local, domain) = context.address
    let plain = context.address("\(local)@\(domain)")?.isRouted == true ? "willie" : local
    let short = plain.suffix(50)
    let routed = ["\(short)%other", "!\(short)", "=?q?\(short)", "srs0=\(short)", "imcea\(short)", "/\(short)"]
    return [Witness(.email("\(plain)@\(domain)"), "an address with a plain local part")]
      + (routed + ["\(short)#ext#"]).map { Witness(.email("\($0)@\(domain)"), "an address that is passed on") }
  } classify: { _, value, context in
    context.seenAddress(value).map { $0.isRouted ? "passed on" : "plain" }
  }
}
