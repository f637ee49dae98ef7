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
    order.link = kind.place.map { "\(issuer)/ui/\($0.page)" }
    guard let carried = kind.carries else { return order }
    if carried.needs != .code {
      order.link = "\(issuer)/ui/\(carried.purpose.terms.page)?lang=\(language)&token=gh_sample"
      order.linkMinutes = carried.needs == nil ? 4320 : 1440
    }
    if carried.needs != nil {
      order.code = "123456"
      order.codeMinutes = 10
    }
    if kind == .changeEmailConfirm || kind == .changeEmailNotice { order.newEmail = "willie.new@example.com" }
    return order
  }
}
