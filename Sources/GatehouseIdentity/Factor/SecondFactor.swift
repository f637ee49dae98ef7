package import Foundation
import GatehousePrimitives

/// An authenticator app of an account, as it is stored (RFC 6238).
package struct AuthenticatorApp: Sendable, Equatable {
  package var id: UUID
  package var user: UserID
  /// The seed, sealed for this row.
  package var sealedSeed: [UInt8]
  /// The name that its owner gave it.
  package var name: String?
  /// The time step of the newest code that was taken.
  package var lastStep: Int64
  /// The tries since the newest right code of the account.
  package var failures: Int
  package var createdAt: Date
  package var lastUsedAt: Date?

  package init(
    id: UUID, user: UserID, sealedSeed: [UInt8], name: String?, lastStep: Int64, failures: Int = 0, createdAt: Date,
    lastUsedAt: Date? = nil
  ) {
    self.id = id
    self.user = user
    self.sealedSeed = sealedSeed
    self.name = name
    self.lastStep = lastStep
    self.failures = failures
    self.createdAt = createdAt
    self.lastUsedAt = lastUsedAt
  }

  /// How many an account has at most.
  package static let perUser = 5

  /// The wrong codes in a row after which no code of an account's authenticator apps is taken (NIST SP 800-63B-4
  /// section 3.2.2). A recovery code, or an operator's reset, ends that.
  package static let maxFailures = 100
}

/// The second factors of an account, as a list shows them.
package struct StoredFactors: Sendable, Equatable {
  /// Oldest first.
  package var apps: [AuthenticatorApp]
  /// Oldest first.
  package var passkeys: [Passkey]
  /// The recovery codes that were not used.
  package var codesLeft: Int

  package init(apps: [AuthenticatorApp], passkeys: [Passkey] = [], codesLeft: Int) {
    self.apps = apps
    self.passkeys = passkeys
    self.codesLeft = codesLeft
  }

  /// Whether so many wrong codes came that authenticator apps prove nothing.
  package var isLocked: Bool { apps.contains { $0.failures >= AuthenticatorApp.maxFailures } }
}

/// Second factors of a tenant's people.
package protocol FactorStore: Sendable {
  func factors(of user: UserID) async throws -> StoredFactors

  /// The passkey with this id of its authenticator, and its owner.
  func passkey(_ credentialID: [UInt8]) async throws -> (passkey: Passkey, user: StoredUser)?

  /// Whether the account has an unused recovery code of this MAC.
  func isLive(recoveryCode mac: [UInt8], of user: UserID) async throws -> Bool

  /// Counts one more try at the account's authenticator apps, in one statement, and gives them. The count is committed
  /// before the answer is given. None where the account has none, or `AuthenticatorApp.maxFailures` are reached.
  func reserveAppTry(of user: UserID) async throws -> [AuthenticatorApp]
}
