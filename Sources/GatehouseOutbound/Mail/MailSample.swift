package import GatehouseIdentity

extension MessageOrder {
  /// An order of `kind` with every value filled in by an example: for previews and tests. Its link is as a true one
  /// below `issuer`, but its token and its code open nothing.
  package static func sample(
    _ kind: MessageKind, language: String, brand: MessageBrand, issuer: String = "https://auth.example.com/t/example"
  ) -> MessageOrder {
    var order = MessageOrder(
      kind: kind, to: .email("willie@example.com"), toName: "Willie Wildcat", language: language, brand: brand,
      when: "2026-11-21 09:30 UTC", device: "Willie's iPhone", place: "Manhattan, US", provider: "Spotify")
    func link(_ purpose: CodePurpose) -> String { "\(issuer)/ui/\(purpose.page)?token=gh_sample" }
    switch kind {
    case .verifyEmail: order.link = link(.verifyEmail)
    case .resetPassword, .setPassword: order.link = link(.resetPassword)
    case .changeEmailConfirm: order.link = link(.changeEmail)
    case .reauthenticate: break
    case .changeEmailNotice: order.link = link(.undoEmailChange)
    case .changeEmailUndone, .passwordChanged, .signUpAttempt, .newDevice, .providerLinked, .providerUnlinked,
      .providerLinkBroken, .accountReclaimed, .accountDeleted, .test:
      return order
    }
    if order.link != nil { order.linkMinutes = kind == .changeEmailNotice ? 4320 : 1440 }
    if kind != .changeEmailNotice {
      order.code = "123456"
      order.codeMinutes = 10
    }
    if kind == .changeEmailConfirm || kind == .changeEmailNotice { order.newEmail = "willie.new@example.com" }
    return order
  }
}
