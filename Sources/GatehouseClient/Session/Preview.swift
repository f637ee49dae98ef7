package import Foundation

/// The tokens of a session that a preview shows.
package struct PreviewTokens: Sendable {
  let session: String
  let refreshToken: String
  let accessToken: String
  let expires: Date
  let lifetime: Int

  /// Tokens of a server in memory.
  package init(session: String, refreshToken: String, accessToken: String, expires: Date, lifetime: Int) {
    self.session = session
    self.refreshToken = refreshToken
    self.accessToken = accessToken
    self.expires = expires
    self.lifetime = lifetime
  }
}

extension AuthClient {
  /// A client that shows this state before it is used, and has a record in its store that says the same.
  package convenience init(_ configuration: AuthConfiguration, showing state: AuthState, tokens: PreviewTokens?) {
    var configuration = configuration
    let record = StoredRecord(state, tokens)
    if [.restoring, .locked].contains(state) {
      configuration.store = UnreadableStore()
    } else {
      _ = try? configuration.store.update(configuration.storeKey) { _ in record.data }
    }
    self.init(configuration)
    board.show(state)
  }
}

extension StoredRecord {
  /// The record that is shown as this state.
  fileprivate init(_ state: AuthState, _ tokens: PreviewTokens?) {
    self.init()
    switch state {
    case .restoring, .locked: break
    case .signedOut(let reason): self.reason = reason
    case .awaitingEmail(let email): signUp = PendingSignUp(email: email, signUpID: "preview")
    case .limited(let user, let next): session = StoredSession(user, next, tokens)
    case .signedIn(let user): session = StoredSession(user, [], tokens)
    }
  }
}

extension StoredSession {
  fileprivate init?(_ user: AuthUser, _ next: [AuthStep], _ tokens: PreviewTokens?) {
    guard let tokens else { return nil }
    self.init(
      generation: "preview", id: tokens.session, refreshToken: tokens.refreshToken, accessToken: tokens.accessToken,
      accessExpires: tokens.expires, accessLifetime: tokens.lifetime, clockOffset: 0, user: user,
      access: next.isEmpty ? "full" : "limited", next: next.map { Step(need: $0.need, message: $0.message) },
      attemptKey: nil, unknownSince: nil)
  }
}

/// A device before its first unlock. What is shown at first stays.
private struct UnreadableStore: SecureStore {
  func read(_ key: String) throws(StoreError) -> Data? { throw .unavailable }
  func update(_ key: String, _ change: @Sendable (Data?) -> Data?) throws(StoreError) -> Data? { throw .unavailable }
}
