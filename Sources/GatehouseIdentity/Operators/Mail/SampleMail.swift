import GatehousePolicy
import GatehouseWire

/// A mail with made-up names, link and code, as the operations that try mail render it.
enum SampleMail {
  /// The kind of this name.
  static func kind(_ text: String) throws -> MessageKind {
    if let kind = MessageKind(rawValue: text) { return kind }
    let all = MessageKind.allCases.map(\.rawValue).joined(separator: ", ")
    throw Refusal(.malformedRequest, detail: "\"\(text)\" is not a kind of mail; kinds are: \(all)")
  }

  /// In the tenant's own words; in the app's first language where none is named.
  static func render(
    _ kind: MessageKind, in language: String?, _ seen: Call, _ reach: any OperatorReach
  ) throws -> RenderedMail {
    try reach.sampleMail(kind, language: language ?? seen.policy.app.locales.first ?? "en", seen)
  }
}
