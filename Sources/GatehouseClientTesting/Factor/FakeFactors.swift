import Foundation
import GatehouseWire

/// An authenticator app of an account.
struct FakeApp: Sendable {
  /// Beyond that no further app is added.
  static let most = 5

  var id: String
  var seed: [UInt8]
  var name: String?
  /// The step of the newest code that was taken.
  var lastStep: Int64
  var createdAt: Date
  var lastUsedAt: Date?

  var record: FactorRecord {
    FactorRecord(
      id: id, type: "totp", name: name, createdAt: Timestamp(createdAt), lastUsedAt: lastUsedAt.map(Timestamp.init))
  }
}

/// An authenticator app that waits for its first code.
struct FakeEnrolment: Sendable {
  var session: String
  var seed: [UInt8]
  var name: String?
  var expiresAt: Date
  var tries = 0
}

/// A sign-in that waits for a second factor.
struct FakeChallenge: Sendable {
  var account: String
  var epoch: Int
  var password: String?
  /// The provider with the account's subject there, where one signs in.
  var provider: (name: String, subject: String)?
  var device: Device?
  /// The factors of which one is asked for.
  var asked: [String]
  var expiresAt: Date
  var tries = 0
}

/// A device on which a second factor was used, to be remembered.
struct FakeTrust: Sendable {
  var account: String
  var epoch: Int
  var at: Date
}

/// The state of second factors.
struct FakeFactors: Sendable {
  var challenges: [String: FakeChallenge] = [:]
  var enrolments: [String: FakeEnrolment] = [:]
  var tickets: [String: FakePasskeyTicket] = [:]
  /// By the id that the device has.
  var trusted: [String: FakeTrust] = [:]
}

extension FakeUser {
  /// The names of its second factors, in the order in which they are offered.
  var factors: [String] {
    let kinds = (apps.isEmpty ? [] : ["totp"]) + (passkeys.isEmpty ? [] : ["passkey"])
    return kinds + (kinds.isEmpty || recoveryCodes.isEmpty ? [] : ["recovery_code"])
  }

  /// Ends everything that rests on how the account was opened so far.
  mutating func raiseEpoch() { epoch += 1 }
}
