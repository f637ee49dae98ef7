import Foundation
import GatehouseWire

/// A passkey of an account, as the server keeps it.
struct FakeStoredPasskey: Sendable {
  /// Beyond that no further passkey is added.
  static let most = 20

  /// The factor's id.
  var id: String
  var credentialID: [UInt8]
  var name: String?
  var isSynced: Bool
  var createdAt: Date
  var lastUsedAt: Date?
  /// The domain that it is for.
  var relyingParty = FakeWorld.relyingParty

  var record: FactorRecord {
    FactorRecord(
      id: id, type: "passkey", name: name, createdAt: Timestamp(createdAt), lastUsedAt: lastUsedAt.map(Timestamp.init),
      synced: isSynced)
  }
}

/// A challenge that waits for the answer of a passkey, beside those of sign-ins that wait for a second factor.
struct FakePasskeyTicket: Sendable {
  enum Purpose: Sendable {
    case signIn
    case add
    case prove
    case signUp

    var seconds: Int { self == .add || self == .signUp ? 600 : 300 }
    var tries: Int { self == .add ? 1 : 5 }
  }

  var purpose: Purpose
  /// The session that it is for, and its account as it was; nil for a sign-in.
  var session: String?
  var epoch: Int?
  /// Of a sign-up: the account that is to be made.
  var user: String?
  var expiresAt: Date
  var tries = 0
}

extension FakeUser {
  /// The bytes by which its passkeys know it.
  var handle: [UInt8] { Self.handle(of: id) }

  static func handle(of id: String) -> [UInt8] { FakeStatement.hash(of: "user \(id)") }

  /// Every factor, oldest first.
  var factorRecords: [FactorRecord] {
    (apps.map(\.record) + passkeys.map(\.record)).sorted { $0.createdAt.date < $1.createdAt.date }
  }
}
