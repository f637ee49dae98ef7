import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

/// What a session is used by, as it is stored. A client of a later build counts as an app.
package enum SessionClient: String, Sendable, CaseIterable {
  /// An app, by access tokens and refresh tokens.
  case app
  /// A browser at the hosted pages, by a cookie.
  case pages
}

/// A session that was opened, as its client gets it.
package enum Opened: Sendable {
  case app(SessionAnswer)
  case pages(PageSession)

  /// The answer for an app. Throws for a session of the pages, which has no tokens.
  func forApp() throws -> SessionAnswer {
    guard case .app(let answer) = self else { throw Refusal(.internal, note: "a session of the pages") }
    return answer
  }

  /// What a browser gets. Throws for a session of an app.
  package func forPages() throws -> PageSession {
    guard case .pages(let session) = self else { throw Refusal(.internal, note: "a session of an app") }
    return session
  }
}

/// What a browser gets of its session at the pages.
package struct PageSession: Codable, Sendable, Equatable {
  /// The value of the session's cookie.
  package let secret: String
  /// The value of the device's cookie.
  package let device: String
  /// What is missing for full access, as in the answer of a sign-in.
  package let next: [String]

  package init(secret: String, device: String, next: [String]) {
    self.secret = secret
    self.device = device
    self.next = next
  }
}

/// What a client presents from now on to use its session.
struct SessionCredential {
  /// In clear, for the client alone.
  let text: Secret<String>
  let stored: StoredCredential

  init(of session: Session) {
    let token = OpaqueToken.generate(session.client == .app ? .refresh : .pageSession)
    text = token.text
    stored =
      switch session.client {
      case .app:
        .refreshToken(RefreshToken(hash: token.digest, session: session.id, createdAt: session.createdAt))
      case .pages: .page(hash: token.digest)
      }
  }
}

/// What the store keeps of it.
package enum StoredCredential: Sendable {
  case refreshToken(RefreshToken)
  /// SHA-256 of the cookie's value.
  case page(hash: [UInt8])
}

extension Sessions {
  /// Seconds: unused, and at all.
  func lifetime(of client: SessionClient) -> (idle: Int64, longest: Int64) {
    switch client {
    case .app: (refreshIdleTTL, refreshMaxTTL)
    case .pages: (pageIdleTTL, pageMaxTTL)
    }
  }
}
