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
    let own = named(passkeys, of: Self.relyingParty)
    guard own.isEmpty, let formerParty else { return options(ofTry: number, id, naming: own, of: Self.relyingParty) }
    let old = named(passkeys, of: formerParty)
    return options(ofTry: number, id, naming: old, of: old.isEmpty ? Self.relyingParty : formerParty)
  }

  func options(ofTry number: Int, _ id: String, naming passkeys: [NamedPasskey], of party: String) -> RequestOptions {
    RequestOptions(
      rpID: party, challenge: challenge(ofTry: number, id), timeout: 300_000, allowed: passkeys,
      verification: passkeyRules.verification.rawValue)
  }

  func named(_ passkeys: [FakeStoredPasskey], of party: String) -> [NamedPasskey] {
    passkeys.filter { $0.relyingParty == party }.map { NamedPasskey(id: $0.credentialID) }
  }

  /// The relying party before this one, as long as its passkeys prove.
  var formerParty: String? {
    policy.passkeys?.former.flatMap { now < $0.until.start && $0.id != Self.relyingParty ? $0.id : nil }
  }

  /// The options for a new passkey of an account.
  func creation(of user: String, named name: String, beside passkeys: [FakeStoredPasskey], _ id: String)
    -> CreationOptions
  {
    CreationOptions(
      rpID: Self.relyingParty, rpName: policy.app.name, userID: FakeUser.handle(of: user), userName: name,
      displayName: name, challenge: challenge(ofTry: 1, id), algorithms: [-7, -257], timeout: 600_000,
      excluded: named(passkeys, of: Self.relyingParty), verification: passkeyRules.verification.rawValue,
      attestation: passkeyRules.attestation.rawValue)
  }

  /// A passkey that was made by such options. Refuses `passkey_invalid`, and `conflict` for one that an account has.
  mutating func made(_ answer: RegistrationAnswer, _ challenge: [UInt8], named name: String?, at now: Date) throws
    -> FakeStoredPasskey
  {
    let asked = FakeClientData(.create, challenge, Self.relyingParty)
    guard asked.isSaid(by: answer.clientData), !answer.id.isEmpty,
      let made = try statement(answer.attestationObject, of: Self.relyingParty)
    else { throw FakeProblem("passkey_invalid") }
    guard !accounts.values.contains(where: { $0.passkeys.contains { $0.credentialID == answer.id } }) else {
      throw FakeProblem("conflict")
    }
    return FakeStoredPasskey(
      id: id(), credentialID: answer.id, name: self.name(name), isSynced: made.isSynced, createdAt: now,
      lastUsedAt: now)
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
      case let party = account.passkeys[index].relyingParty, party == Self.relyingParty || party == formerParty,
      FakeClientData(.get, given.challenge, party).isSaid(by: answer.clientData),
      answer.userHandle ?? account.handle == account.handle, !answer.signature.isEmpty,
      let used = try statement(answer.authenticatorData, of: party)
    else { throw FakeProblem("passkey_invalid") }
    account.passkeys[index].lastUsedAt = now
    account.passkeys[index].isSynced = used.isSynced
    accounts[account.id] = account
    return (account.passkeys[index].id, used.isVerified)
  }

  /// The statement of an authenticator; nil where it breaks a rule of the ceremony. Refuses `validation_failed` for a
  /// passkey that the policy does not admit.
  func statement(_ bytes: [UInt8], of party: String) throws -> FakeStatement? {
    guard let statement = FakeStatement(bytes), statement.hash == FakeStatement.hash(of: party),
      statement.isVerified || passkeyRules.verification != .required
    else { return nil }
    if let decision = policy.refusal(ofPasskeySynced: statement.isSynced, attested: nil) {
      throw FakeProblem("validation_failed", violations: decision.violations.map { .init($0) })
    }
    return statement
  }
}
