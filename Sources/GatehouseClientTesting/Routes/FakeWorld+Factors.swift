import Foundation
import GatehousePolicy
import GatehouseWire

/// The second factors of an account.
extension FakeWorld {
  private static let lifetime = 600
  private static let tries = 10

  mutating func listFactors(_ arrival: FakeArrival) throws -> ListFactorsEndpoint.Output {
    let account = try caller(arrival).account
    var answer = ListFactorsEndpoint.Output(
      items: account.factorRecords, recoveryCodes: RecoveryCodeCount(left: account.recoveryCodes.count),
      required: demandsFactor(of: account))
    answer.due = policy.factorDue(of: stored(account), at: arrival.now).map { Timestamp($0) }
    if settings.hasPasskeyHost {
      answer.signal = PasskeySignal(
        rpID: Self.relyingParty, userID: account.handle,
        accepted: named(account.passkeys, of: Self.relyingParty).map(\.id), userName: account.email ?? account.id)
    }
    return answer
  }

  mutating func startTOTP(_ input: StartTOTPEndpoint.Input, _ arrival: FakeArrival) throws -> StartTOTPEndpoint.Output {
    let caller = try caller(arrival)
    try demandApps()
    try demandProof(of: caller.account, caller.session, nil, for: .factors, at: arrival.now)
    guard caller.account.apps.count < FakeApp.most else { throw FakeProblem("conflict") }
    let (id, seed) = (secret("gh_fl"), FakeTOTP.makeSeed())
    factors.enrolments = factors.enrolments.filter { $0.value.session != caller.session.id }
    factors.enrolments[id] = FakeEnrolment(
      session: caller.session.id, seed: seed, name: name(input.name),
      expiresAt: arrival.now.addingTimeInterval(TimeInterval(Self.lifetime)))
    return StartTOTPEndpoint.Output(
      enrolmentID: id, secret: FakeTOTP.text(seed), uri: address(of: seed, caller.account),
      qrSVG: "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1 1\"/>", expiresIn: Self.lifetime)
  }

  mutating func confirmTOTP(_ input: ConfirmTOTPEndpoint.Input, _ arrival: FakeArrival) throws
    -> ConfirmTOTPEndpoint.Output
  {
    var (session, account) = try caller(arrival)
    try demandApps()
    guard let enrolment = factors.enrolments[input.enrolmentID], enrolment.session == session.id,
      enrolment.expiresAt > arrival.now, enrolment.tries < Self.tries
    else { throw FakeProblem("code_expired") }
    factors.enrolments[input.enrolmentID]?.tries += 1
    let matching = matchingStep(input.code, enrolment.seed, after: .min, at: arrival.now)
    guard let step = matching ?? (settings.acceptsEverything ? 0 : nil) else { throw FakeProblem("code_invalid") }
    guard account.apps.count < FakeApp.most else { throw FakeProblem("conflict") }
    factors.enrolments[input.enrolmentID] = nil
    let app = FakeApp(
      id: id(), seed: enrolment.seed, name: enrolment.name, lastStep: step, createdAt: arrival.now,
      lastUsedAt: arrival.now)
    let lacksCodes = account.recoveryCodes.isEmpty
    if lacksCodes { account.recoveryCodes = FakeRecoveryCode.makeSet() }
    account.apps.append(app)
    account.raiseEpoch()
    account.further.removeAll { $0 == "enroll_mfa" }
    accounts[account.id] = account
    let answer = join(&session, by: app.id, arrival)
    return ConfirmTOTPEndpoint.Output(
      factor: app.record, recoveryCodes: lacksCodes ? account.recoveryCodes : nil, session: answer)
  }

  mutating func rename(_ input: RenameFactorEndpoint.Input, _ arrival: FakeArrival) throws -> FactorRecord {
    var account = try caller(arrival).account
    for index in account.apps.indices where account.apps[index].id == input.id {
      account.apps[index].name = name(input.name)
    }
    for index in account.passkeys.indices where account.passkeys[index].id == input.id {
      account.passkeys[index].name = name(input.name)
    }
    guard let factor = account.factorRecords.first(where: { $0.id == input.id }) else { throw FakeProblem("not_found") }
    accounts[account.id] = account
    return factor
  }

  /// Removes a factor. With the last one the recovery codes go, and so do other sessions that it alone proved.
  mutating func remove(_ input: RemoveFactorEndpoint.Input, _ arrival: FakeArrival) throws -> Nothing {
    var (session, account) = try provenCaller(arrival, password: nil, for: .factors)
    guard account.factorRecords.contains(where: { $0.id == input.id }) else { throw FakeProblem("not_found") }
    account.apps.removeAll { $0.id == input.id }
    let isPasskey = account.passkeys.contains { $0.id == input.id }
    account.passkeys.removeAll { $0.id == input.id }
    let isShutOut = account.password == nil && account.subjects.isEmpty && account.passkeys.isEmpty
    if isPasskey, policy.uses(passkeysFor: .signIn), isShutOut { throw FakeProblem("last_sign_in_method") }
    if account.factors.isEmpty { account.recoveryCodes = [] }
    account.raiseEpoch()
    accounts[account.id] = account
    for (id, other) in sessions where other.account == account.id && id != session.id && other.provedBy == [input.id] {
      sessions[id]?.isEnded = true
    }
    session.lastSeen = arrival.now
    sessions[session.id] = session
    return Nothing()
  }

  mutating func makeRecoveryCodes(_ arrival: FakeArrival) throws -> MakeRecoveryCodesEndpoint.Output {
    var account = try provenCaller(arrival, password: nil, for: .factors).account
    guard !account.factors.isEmpty else { throw FakeProblem("not_found") }
    account.recoveryCodes = FakeRecoveryCode.makeSet()
    accounts[account.id] = account
    return MakeRecoveryCodesEndpoint.Output(recoveryCodes: account.recoveryCodes)
  }

  /// The session after a second factor joined its proofs. Where that raised it, it goes on under another id, with
  /// another refresh token and without the push token.
  mutating func join(_ session: inout FakeSession, by factor: String, _ arrival: FakeArrival) -> SessionAnswer {
    let isRaised = session.secondAt == nil || level(of: factor, session.account) > session.level
    if isRaised {
      sessions[session.id]?.isEnded = true
      (session.id, session.pushToken) = (id(), nil)
    }
    session.provenAt = arrival.now
    sessions[session.id] = session
    prove(session.id, by: factor, at: arrival.now)
    accounts[session.account]?.further.removeAll { $0 == "verify_mfa" }
    let refreshToken = isRaised ? newRefreshToken(of: session.id, at: arrival.now) : nil
    return answer(session, refreshToken: refreshToken, withUser: true, at: arrival.now, arrival.languages)
  }

  /// Refuses `not_found` where the policy lets no user add an authenticator app.
  private func demandApps() throws {
    guard policy.mfa?.factors.contains(.totp) == true else { throw FakeProblem("not_found") }
  }

  func name(_ given: String?) -> String? {
    let name = TypedText.trimmed(given ?? "")
    return name.isEmpty ? nil : name
  }

  private func address(of seed: [UInt8], _ account: FakeUser) -> String {
    let app = encoded(policy.app.name)
    return "otpauth://totp/\(app):\(encoded(account.email ?? account.id))?secret=\(FakeTOTP.text(seed))&issuer=\(app)"
      + "&algorithm=SHA1&digits=6&period=30"
  }

  /// Letters and digits of ASCII as they are, and all else in percent.
  private func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      let character = Character(Unicode.Scalar(byte))
      guard !character.isASCII || !(character.isLetter || character.isNumber) else { return String(character) }
      return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}
