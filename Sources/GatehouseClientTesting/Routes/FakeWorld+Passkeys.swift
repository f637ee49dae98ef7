import Foundation
import GatehousePolicy
import GatehouseWire

/// Passkeys that are added, and sign-ins and fresh proofs by them.
extension FakeWorld {
  mutating func startPasskey(_ arrival: FakeArrival) throws -> StartPasskeyEndpoint.Output {
    let (session, account) = try caller(arrival)
    try demandPasskeys()
    try demandProof(of: account, session, nil, for: .factors, at: arrival.now)
    guard account.passkeys.count < FakeStoredPasskey.most else { throw FakeProblem("conflict") }
    let id = begin(.add, session, account, at: arrival.now)
    let options = creation(of: account.id, named: account.email ?? account.id, beside: account.passkeys, id)
    return StartPasskeyEndpoint.Output(
      challengeID: id, publicKey: options, expiresIn: FakePasskeyTicket.Purpose.add.seconds)
  }

  mutating func addPasskey(_ input: AddPasskeyEndpoint.Input, _ arrival: FakeArrival) throws
    -> AddPasskeyEndpoint.Output
  {
    var (session, account) = try caller(arrival)
    try demandPasskeys()
    let number = try reserveTry(.add, input.challengeID, session, account, at: arrival.now)
    let passkey = try made(
      input.credential, challenge(ofTry: number, input.challengeID), named: input.name, at: arrival.now)
    guard account.passkeys.count < FakeStoredPasskey.most else { throw FakeProblem("conflict") }
    factors.tickets[input.challengeID] = nil
    let lacksCodes = account.recoveryCodes.isEmpty
    if lacksCodes { account.recoveryCodes = FakeRecoveryCode.makeSet() }
    account.passkeys.append(passkey)
    account.raiseEpoch()
    account.further.removeAll { $0 == "enroll_mfa" }
    accounts[account.id] = account
    let joined = join(&session, by: passkey.id, arrival)
    return AddPasskeyEndpoint.Output(
      factor: passkey.record, recoveryCodes: lacksCodes ? account.recoveryCodes : nil, session: joined)
  }

  mutating func startPasskeySignIn(_ arrival: FakeArrival) throws -> StartPasskeySignInEndpoint.Output {
    try demandPasskeySignIn()
    let id = begin(.signIn, nil, nil, at: arrival.now)
    return StartPasskeySignInEndpoint.Output(
      challengeID: id, publicKey: options(ofTry: 1, id, for: []),
      formerPublicKey: formerParty.map { options(ofTry: 1, id, naming: [], of: $0) },
      expiresIn: FakePasskeyTicket.Purpose.signIn.seconds)
  }

  /// Opens the session of the passkey's owner. One that did not verify its user is one proof alone.
  mutating func signIn(_ input: CompletePasskeySignInEndpoint.Input, _ arrival: FakeArrival) throws -> SessionAnswer {
    try demandPasskeySignIn()
    let number = try reserveTry(.signIn, input.challengeID, nil, nil, at: arrival.now)
    do {
      let owner = accounts.values.first { $0.passkeys.contains { $0.credentialID == input.credential.id } }
      guard var account = owner, input.credential.userHandle != nil else { throw FakeProblem("passkey_invalid") }
      let given = AnsweredPasskey(answer: input.credential, challenge: challenge(ofTry: number, input.challengeID))
      let used = try use(given, of: &account, at: arrival.now)
      guard !account.isDisabled else { throw FakeProblem("account_disabled") }
      if !used.isVerified {
        try demandSecondStep(
          account, password: nil, device: input.device, besides: "passkey", at: arrival.now)
      }
      factors.tickets[input.challengeID] = nil
      let (after, decision) = admit(account, password: nil, at: arrival.now)
      accounts[after.id] = after
      return open(
        after, device: input.device, factor: used.isVerified ? used.factor : nil, at: arrival.now, decision,
        arrival.languages)
    } catch var problem as FakeProblem where problem.code == "passkey_invalid" {
      if number < FakePasskeyTicket.Purpose.signIn.tries {
        problem.passkey = options(ofTry: number + 1, input.challengeID, for: [])
      }
      throw problem
    }
  }

  mutating func startReauthentication(_ arrival: FakeArrival) throws -> StartReauthenticationEndpoint.Output {
    let (session, account) = try caller(arrival)
    var answer = StartReauthenticationEndpoint.Output(methods: ways(of: account, in: session))
    guard answer.methods.contains("passkey") else { return answer }
    let id = begin(.prove, session, account, at: arrival.now)
    answer.challengeID = id
    answer.publicKey = options(ofTry: 1, id, for: account.passkeys)
    answer.expiresIn = FakePasskeyTicket.Purpose.prove.seconds
    return answer
  }

  /// The id of the passkey that proves who the person is. Refuses `code_expired` for a challenge that is unknown, over,
  /// used or another session's.
  mutating func prove(
    _ answer: AuthenticationAnswer, _ id: String, of account: inout FakeUser, _ session: FakeSession, at now: Date
  ) throws -> String {
    guard !account.passkeys.isEmpty else { throw unproven(account) }
    let number = try reserveTry(.prove, id, session, account, at: now)
    try demandHost()
    do {
      let given = AnsweredPasskey(answer: answer, challenge: challenge(ofTry: number, id))
      let factor = try use(given, of: &account, at: now).factor
      factors.tickets[id] = nil
      return factor
    } catch var problem as FakeProblem where problem.code == "passkey_invalid" {
      problem.passkey = nextOptions(of: account, after: number, of: FakePasskeyTicket.Purpose.prove.tries, id)
      throw problem
    }
  }

  /// Begins a challenge. A session has one of each purpose.
  mutating func begin(
    _ purpose: FakePasskeyTicket.Purpose, _ session: FakeSession?, _ account: FakeUser?, user: String? = nil,
    at now: Date
  ) -> String {
    if let session {
      factors.tickets = factors.tickets.filter { $0.value.session != session.id || $0.value.purpose != purpose }
    }
    let id = secret("gh_fl")
    factors.tickets[id] = FakePasskeyTicket(
      purpose: purpose, session: session?.id, epoch: account?.epoch, user: user,
      expiresAt: now.addingTimeInterval(TimeInterval(purpose.seconds)))
    return id
  }

  /// Counts a try before its answer is looked at, and gives its number.
  mutating func reserveTry(
    _ purpose: FakePasskeyTicket.Purpose, _ id: String, _ session: FakeSession?, _ account: FakeUser?, at now: Date
  ) throws -> Int {
    guard let ticket = factors.tickets[id], ticket.purpose == purpose, ticket.session == session?.id,
      ticket.epoch == account?.epoch, ticket.expiresAt > now, ticket.tries < purpose.tries
    else { throw FakeProblem("code_expired") }
    factors.tickets[id]?.tries += 1
    return ticket.tries + 1
  }

  /// Refuses `not_found` where the policy lets no user add a passkey.
  private func demandPasskeys() throws {
    guard policy.admits(.passkey) else { throw FakeProblem("not_found") }
    try demandHost()
  }

  /// Refuses `not_found` where the policy has no sign-in by passkeys.
  private func demandPasskeySignIn() throws {
    guard policy.uses(passkeysFor: .signIn) else { throw FakeProblem("not_found") }
    try demandHost()
  }
}
