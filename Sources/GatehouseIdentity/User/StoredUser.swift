package import Foundation
package import GatehousePolicy
import GatehousePrimitives

/// A person's number within the server: a UUIDv7.
package struct UserID: UUIDIdentifier {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
}

/// A person as stored: one row, whole.
package struct StoredUser: Sendable, Equatable {
  package var id: UserID
  /// The canonical address, as the policy normalised it; nil for a person who came in without one.
  package var email: String?
  package var emailVerifiedAt: Date?
  package var disabledAt: Date?
  /// Fields by the policy's names, normalised, defaults filled in.
  package var profile: [String: FieldValue]
  /// False where an app set the person offline, or the last session ended; a sign-in sets it. Whether the person is
  /// there, `presence` says.
  package var isOnline: Bool
  /// When the person last signed in or out or was set online or offline, or a session of theirs that is over made a
  /// request.
  package var lastSeen: Date?
  package var createdAt: Date
  package var updatedAt: Date
  /// When the password last changed; nil while there is none.
  package var passwordChangedAt: Date?
  /// A sign-in found that the password no longer complies, and the policy requires a new one.
  package var mustChangePassword: Bool
  /// The door the account came in by: fields that a federated sign-up left open stay owed.
  package var enteredBy: Door
  /// The person's identities at providers, oldest first.
  package var links: [LinkedIdentity]
  /// A number that the database raises whenever a password, the address, an identity or the disabled state changes.
  package var epoch: Int64
  /// When mail of the address was last shown to be read; nil: when the address was proven.
  package var mailProvenAt: Date?
  /// The names of the second factors that the account has, in the order in which they are offered.
  package var factors: [String]
  /// The kinds of passkeys among them, each once.
  package var passkeys: [HeldPasskey]
  /// When a demand for a second factor first bound one of the person's sessions; nil while none binds.
  package var mfaAskedAt: Date?

  package init(
    id: UserID, email: String?, emailVerifiedAt: Date? = nil, disabledAt: Date? = nil,
    profile: [String: FieldValue], isOnline: Bool = false, lastSeen: Date? = nil, createdAt: Date, updatedAt: Date,
    passwordChangedAt: Date? = nil, mustChangePassword: Bool = false, enteredBy: Door = .signUp,
    links: [LinkedIdentity] = [], epoch: Int64 = 0, mailProvenAt: Date? = nil, factors: [String] = [],
    passkeys: [HeldPasskey] = [], mfaAskedAt: Date? = nil
  ) {
    self.id = id
    self.email = email
    self.emailVerifiedAt = emailVerifiedAt
    self.disabledAt = disabledAt
    self.profile = profile
    self.isOnline = isOnline
    self.lastSeen = lastSeen
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.passwordChangedAt = passwordChangedAt
    self.mustChangePassword = mustChangePassword
    self.enteredBy = enteredBy
    self.links = links
    self.epoch = epoch
    self.mailProvenAt = mailProvenAt
    self.factors = factors
    self.passkeys = passkeys
    self.mfaAskedAt = mfaAskedAt
  }

  /// Takes the account back from a former holder for the owner of its address: nothing of that holder opens it.
  mutating func reclaim(at now: Date) {
    emailVerifiedAt = now
    links = []
    passwordChangedAt = nil
    mustChangePassword = false
    factors = []
    passkeys = []
  }
}

extension StoredUser {
  /// The ways to reach the person.
  package var contacts: [Contact] { email.map { [.email($0, provenAt: emailVerifiedAt)] } ?? [] }

  /// The name of the account for operators and on pages: the address, or the id where there is none. Either finds it.
  package var reference: String { email ?? id.text }

  /// Whether a password of the account opens it.
  func signsInByPassword(_ policy: Policy) -> Bool { policy.hasPassword && passwordChangedAt != nil }

  /// Whether a stranger may have linked this identity: before mail of the address was first shown to be read, or since
  /// it was last.
  package func distrusts(_ link: LinkedIdentity) -> Bool {
    guard let first = emailVerifiedAt else { return true }
    return link.linkedAt < first || link.linkedAt > mailProvenAt ?? first
  }

  /// The facts about a stored person that a policy may ask.
  package var facts: StoredFacts {
    StoredFacts(
      email: email, emailVerified: emailVerifiedAt != nil, profile: profile,
      links: Dictionary(
        links.lazy.filter { $0.state == .linked }.map { ($0.provider, $0.scopes) }, uniquingKeysWith: { $1 }),
      factors: factors, enteredBy: enteredBy,
      mustChangePassword: mustChangePassword, passwordChangedAt: passwordChangedAt, mfaAskedAt: mfaAskedAt)
  }
}

/// A kind of passkeys of an account: of one relying party, synced between devices or bound to one.
package struct HeldPasskey: Sendable, Hashable {
  package var rpID: String
  /// Whether they can be synced.
  package var isBackupEligible: Bool

  package init(rpID: String, isBackupEligible: Bool) {
    self.rpID = rpID
    self.isBackupEligible = isBackupEligible
  }
}

/// A unique profile field's value in the form that is compared: what the store keeps one of per tenant.
package struct UniqueValue: Hashable, Sendable {
  package var field: String
  package var key: String

  package init(field: String, key: String) {
    self.field = field
    self.key = key
  }
}

/// A push token with the session that has it.
package struct StoredPushToken: Equatable, Sendable {
  package var user: UserID
  package var session: SessionID
  package var token: PushToken

  package init(user: UserID, session: SessionID, token: PushToken) {
    self.user = user
    self.session = session
    self.token = token
  }
}

/// The push address of a session's device.
package struct PushToken: Equatable, Sendable {
  package enum Platform: String, Sendable, CaseIterable { case apns, fcm }
  package var platform: Platform
  /// Sealed under the tenant's key.
  package var sealed: [UInt8]
  /// The pseudonym of platform and text by which the token is recognised. Nil where an older build stored it.
  package var digest: [UInt8]?

  package init(platform: Platform, sealed: [UInt8], digest: [UInt8]? = nil) {
    self.platform = platform
    self.sealed = sealed
    self.digest = digest
  }

  /// The digest of a token of this text.
  static func digest(_ text: [UInt8], _ platform: Platform, in vault: Vault) -> [UInt8] {
    vault.pseudonym(Array("push token".utf8), Array(platform.rawValue.utf8), text)
  }
}
