extension RuleKind {
  /// The local part has no `+tag` (RFC 5233).
  public static let denySubaddress = RuleKind(
    "deny_subaddress", at: [.email], shape: .flag,
    meaning: "No plus addressing (name+tag@).", strictness: .none, classes: .subaddress,
    texts: [
      RuleText(
        .email, "Use the address without the part after +", "Usa el correo sin la parte tras +",
        "Verwenden Sie die Adresse ohne den Teil nach dem +", "استخدم العنوان من دون الجزء الذي يلي +",
        sentence: .init(
          "Enter your email address without the part after +.", "Escribe tu correo sin la parte que sigue al +.",
          "Geben Sie Ihre E-Mail-Adresse ohne den Teil nach dem + ein.",
          "أدخل بريدك الإلكتروني من دون الجزء الذي يلي +."))
    ]
  ) { _, judged in
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
