package import GatehouseIdentity

extension MailOrder {
  /// An order of `kind` with every value filled in by an example: for previews and tests. Its link leads nowhere and its code
  /// opens nothing.
  package static func sample(_ kind: MailKind, language: String, brand: MailBrand) -> MailOrder {
    var order = MailOrder(
      kind: kind, to: "willie@example.com", toName: "Willie Wildcat", language: language, brand: brand,
      when: "2026-11-21 09:30 UTC", device: "Willie's iPhone")
    switch kind {
    case .verifyEmail, .resetPassword, .setPassword, .changeEmailConfirm:
      order.link = "https://auth.example.com/t/example/ui/\(kind.rawValue)?token=gh_sample"
      order.code = "123456"
      order.linkMinutes = 1440
      order.codeMinutes = 10
    case .changeEmailNotice:
      order.link = "https://auth.example.com/t/example/ui/\(kind.rawValue)?token=gh_sample"
      order.linkMinutes = 4320
    case .passwordChanged, .signUpAttempt, .newDevice, .test: break
    }
    if kind == .changeEmailConfirm || kind == .changeEmailNotice { order.newEmail = "willie.new@example.com" }
    return order
  }
}
