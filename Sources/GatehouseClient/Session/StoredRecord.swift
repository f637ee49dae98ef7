import Foundation
import GatehousePolicy
import GatehouseWire

/// The record that a store keeps under one name: the session of this device, and everything that must survive the
/// process.
struct StoredRecord: Codable, Sendable, Equatable {
  /// Raised when an older reader would misread a newer record.
  var version = 1
  var session: StoredSession?
  var signUp: PendingSignUp?
  /// The reset whose mail is waited for.
  var reset: PendingReset?
  /// At most one of the two ways through a browser is under way: the one that was begun last.
  var flow: PendingFlow?
  var hosted: PendingHostedSignIn?
  /// Why there is no session, for the next start.
  var reason: SignedOutReason?
  /// The server knows the device by it at the next sign-in. It outlives sessions.
  var deviceID: String?
  /// Refresh tokens of sessions that the person ended here and the server was not told of yet.
  var revocations: [String] = []
  /// Requests that had no definite answer; nil of an earlier release.
  var open: [OpenRequest]?
  /// The key that this installation attests itself by.
  var attestKey: StoredAttestKey?

  /// Sessions that ended while no network was there: beyond that the oldest are left to their idle time.
  private static let mostRevocations = 16

  /// The record in a store's bytes; nil where they are none of ours.
  init?(_ data: Data) {
    guard let record = try? JSONDecoder().decode(StoredRecord.self, from: data), record.version == 1 else { return nil }
    self = record
  }

  init() {}

  /// The record as bytes. Every member can be encoded.
  var data: Data? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try? encoder.encode(self)
  }

  /// Ends the session, to be revoked at the server later.
  mutating func revokeSession() {
    guard let session else { return }
    revoke(session.refreshToken)
    self.session = nil
  }

  /// Notes that the session of this token is to be revoked at the server.
  mutating func revoke(_ refreshToken: String) {
    revocations = (revocations.filter { $0 != refreshToken } + [refreshToken]).suffix(Self.mostRevocations)
  }

  /// Ends the session and every pending flow, for a reason.
  mutating func signOut(_ reason: SignedOutReason) {
    // The server deletes the key with the account.
    if reason == .deleted { attestKey = nil }
    (session, signUp, flow, hosted, self.reason) = (nil, nil, nil, nil, reason)
  }

  /// A way through a provider's page is over. Another one that was begun meanwhile goes on.
  mutating func end(_ flow: PendingFlow) { if self.flow == flow { self.flow = nil } }

  /// A way through the hosted pages is over. Another one that was begun meanwhile goes on.
  mutating func end(_ flow: PendingHostedSignIn) { if hosted == flow { hosted = nil } }

  /// The authentication state of the person.
  var state: AuthState {
    if let session { return session.state }
    if let signUp { return .awaitingEmail(signUp.email) }
    return .signedOut(reason ?? .never)
  }
}

/// A session: its tokens, and what the server last said of the person.
struct StoredSession: Codable, Sendable, Equatable {
  /// Names the sign-in. An answer that belongs to another sign-in changes nothing.
  var generation: String
  var id: String
  var refreshToken: String
  var accessToken: String
  /// On the server's clock.
  var accessExpires: Date
  /// Seconds that the access token lives.
  var accessLifetime: Int
  /// Seconds that the server's clock was ahead of the device's.
  var clockOffset: Double
  var user: AuthUser
  var access: String
  var next: [Step]
  /// The warnings of the sign-in, without those that were answered; nil of an earlier release.
  var warnings: [AuthWarning]?
  /// Offers of the server to the person, in its words; nil where there is none, and of an earlier release.
  var offers: [String]?
  /// The revision of the claims in the access token; nil of an earlier server.
  var claims: String?
  /// A refresh of this refresh token that was begun, and whose answer did not arrive yet. A later attempt goes on under
  /// the same key.
  var attemptKey: String?
  /// When the server first did not know the refresh token.
  var unknownSince: Date?
  /// The push token of this device; nil where the app set none.
  var push: StoredPush?

  struct Step: Codable, Sendable, Equatable {
    var need: String
    var message: String?
  }

  var state: AuthState {
    guard access != "full" else { return .signedIn(user) }
    return .limited(user, next: next.map { AuthStep(need: $0.need, message: $0.message) })
  }
}

/// A sign-up whose address was not confirmed yet, in a tenant that does not tell whether an address is registered.
struct PendingSignUp: Codable, Sendable, Equatable {
  var email: String
  var signUpID: String
}

/// A reset that was asked for: the code of its mail is taken with its id.
struct PendingReset: Codable, Sendable, Equatable {
  var email: String
  /// Nil of a server of an earlier release, which takes the code without one.
  var resetID: String?
  /// The time from which another mail may be sent. No mail is sent for an earlier request: the id stays that of the
  /// mail that was.
  var resendAt: Date

  /// Whether the sign-up was asked for with this address, in any case of its letters.
  func isFor(_ address: String) -> Bool { email.lowercased() == TypedText.trimmed(address).lowercased() }
}

/// A way through a provider's page that was begun.
struct PendingFlow: Codable, Sendable, Equatable {
  var provider: String
  var url: String
  var redirect: String?
  var expires: Date
  var generation: String
}

/// Records hold tokens: they show nothing.
extension StoredRecord: CustomStringConvertible, CustomReflectable {
  var description: String { "StoredRecord(…)" }
  var customMirror: Mirror { Mirror(self, children: []) }
}

extension StoredSession: CustomStringConvertible, CustomReflectable {
  var description: String { "StoredSession(…)" }
  var customMirror: Mirror { Mirror(self, children: []) }
}
