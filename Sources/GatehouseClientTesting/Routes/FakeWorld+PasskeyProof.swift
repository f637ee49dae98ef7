import Foundation
import GatehousePolicy
import GatehouseWire

/// An answer of a passkey, and the challenge that it has to be of.
struct AnsweredPasskey {
  var answer: AuthenticationAnswer
  var challenge: [UInt8]
}

/// The ceremonies of passkeys, without a signature.
extension FakeWorld {
  /// The host of the server's addresses.
  static let relyingParty = "auth.example.com"

  /// The rules of the policy; silent ones where the section is gone.
  var passkeyRules: Passkeys { policy.passkeys ?? Passkeys(use: [], verification: .preferred) }

  /// The bytes to sign. Each try has others.
  func challenge(ofTry number: Int, _ id: String) -> [UInt8] { FakeStatement.hash(of: "\(id) \(number)") }

  /// The options for a use of one of these passkeys; of none, the person chooses.
  func options(ofTry number: Int, _ id: String, for passkeys: [FakeStoredPasskey]) -> RequestOptions {
    RequestOptions(
      rpID: Self.relyingParty, challenge: challenge(ofTry: number, id), timeout: 300_000,
      allowed: passkeys.map { NamedPasskey(id: $0.credentialID) }, verification: passkeyRules.verification.rawValue)
  }

  /// The options of the next try; nil where none is left, or no passkey could answer.
  func nextOptions(of account: FakeUser, after number: Int, of tries: Int, _ id: String) -> RequestOptions? {
    guard number < tries, settings.hasPasskeyHost, !account.passkeys.isEmpty else { return nil }
    return options(ofTry: number + 1, id, for: account.passkeys)
  }

  /// Refuses `passkeys_unavailable` where the server has no passkeys for the tenant.
  func demandHost() throws {
    guard settings.hasPasskeyHost else { throw FakeProblem("passkeys_unavailable") }
  }

  /// Uses a passkey of the account. Refuses `passkey_invalid` for one that it does not have, and for an answer to
  /// another challenge.
  mutating func use(_ given: AnsweredPasskey, of account: inout FakeUser, at now: Date) throws
    -> (factor: String, isVerified: Bool)
  {
    let answer = given.answer
    guard let index = account.passkeys.firstIndex(where: { $0.credentialID == answer.id }),
      FakeClientData(.get, given.challenge, Self.relyingParty).isSaid(by: answer.clientData),
      answer.userHandle ?? account.handle == account.handle, !answer.signature.isEmpty,
      let used = try statement(answer.authenticatorData)
    else { throw FakeProblem("passkey_invalid") }
    account.passkeys[index].lastUsedAt = now
    account.passkeys[index].isSynced = used.isSynced
    accounts[account.id] = account
    return (account.passkeys[index].id, used.isVerified)
  }

  /// The statement of an authenticator; nil where it breaks a rule of the ceremony. Refuses `validation_failed` for a
  /// passkey that the policy does not admit.
  func statement(_ bytes: [UInt8]) throws -> FakeStatement? {
    guard let statement = FakeStatement(bytes), statement.hash == FakeStatement.hash(of: Self.relyingParty),
      statement.isVerified || passkeyRules.verification != .required
    else { return nil }
    if let decision = policy.refusal(ofPasskeySynced: statement.isSynced, attested: nil) {
      throw FakeProblem("validation_failed", violations: decision.violations.map { .init($0) })
    }
    return statement
  }
}
