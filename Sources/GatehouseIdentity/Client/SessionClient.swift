/// The client of a session, as it is stored.
package enum SessionClient: Sendable, Hashable {
  /// The tenant's own app, by access tokens and refresh tokens.
  case app
  /// A browser at the hosted pages, by a cookie.
  case pages
  /// Another client, by the name that it has in storage. Its sessions are of no use to the own app: neither are those
  /// of a later build to a server of this one.
  case other(String)

  private static let known: [SessionClient] = [.app, .pages]

  /// The name as it is stored.
  package var name: String {
    switch self {
    case .app: "app"
    case .pages: "pages"
    case .other(let name): name
    }
  }

  package init(name: String) { self = Self.known.first { $0.name == name } ?? .other(name) }
}
