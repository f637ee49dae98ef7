import GatehousePolicy

extension App {
  /// The app with its addresses in one spelling, in which browsers send them and requests are compared. Addresses that
  /// are registered elsewhere (`redirect_uris`, `endpoints`) stay as they are written.
  func spelled() -> App {
    var app = self
    app.baseURL = baseURL.map(Self.canonical)
    app.origins = origins.map(Self.canonical)
    app.continueTargets = continueTargets.map(Self.canonical)
    app.openApp = openApp.map(Self.canonical)
    return app
  }

  private static func canonical(_ text: String) -> String { WrittenURL(text)?.canonical ?? text }
}

/// A check beyond the form of an address, since a stored revision of it goes on loading.
enum WebAddresses {
  private static let keys = ["base_url", "origins", "continue", "open_app"]

  /// Reports each address whose host has a wildcard: browsers and requests name one host.
  static func check(_ app: Node?, into sink: Diagnostics) {
    for node in keys.compactMap({ app?[$0] }).flatMap({ $0.list ?? [$0] }) {
      guard let text = node.text, WrittenURL(text)?.host.contains("*") == true else { continue }
      sink.error(
        .wildcardAddress, "\(quoted(text)) names no host: an address has no wildcard", at: node.range,
        notes: [.init("write one address for each host")])
    }
  }
}
