import GatehousePolicy

/// The keys of `verification.email`.
enum VerificationKeys {
  static let email = SettingTable<EmailVerification>(
    "verification.email",
    [
      .choice("method", \.method, .unsure, trust: false, "A link, a six-digit code, or both."),
      .choice(
        "confirm", \.confirm, .order([EmailVerification.Confirm.click, .account]), trust: false,
        "The proof beside a link or code: the account (its session or password), or the click alone."),
      .duration(
        "link_ttl", \.linkTTL, 60...Bounds.tenYears, .lessIsStricter, trust: false,
        "How long a link lives, at most 24h.", floor: "The longest life of a link."),
      .duration(
        "code_ttl", \.codeTTL, 60...Bounds.tenYears, .lessIsStricter, trust: false,
        "How long a code lives, at most 10m.", floor: "The longest life of a code."),
      .boolean("on_sign_up", \.onSignUp, .unsure, trust: false, "Sign-up sends the mail by itself."),
      .duration(
        "resend_cooldown", \.resendCooldown, 0...86_400, .moreIsStricter, trust: false,
        "Time between two mails to one account."),
      .integer(
        "max_sends_per_day", \.maxSendsPerDay, 1...100, .lessIsStricter, trust: false,
        "Mails to one account per day."),
    ])
}

extension PolicyReader {
  /// How addresses are verified.
  func verification(_ node: Node?) -> Verification {
    ceiling(node?["link_ttl"], Bounds.linkCeiling, "a link that opens an account")
    ceiling(node?["code_ttl"], Bounds.codeCeiling, "a six-digit code")
    return Verification(email: VerificationKeys.email.read(node, over: EmailVerification()))
  }

  private func ceiling(_ node: Node?, _ most: Int64, _ what: String) {
    guard let node, let seconds = node.seconds, seconds > most else { return }
    sink.error(
      .aboveCeiling,
      "\(what) may live at most \(most == Bounds.linkCeiling ? "24h" : Seconds.text(most)), not \(node.text ?? "")",
      at: node.range,
      notes: [.init("NIST SP 800-63B, OWASP ASVS 6.5: a link or code that opens an account must be short-lived")])
  }
}
