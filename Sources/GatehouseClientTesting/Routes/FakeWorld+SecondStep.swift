import Foundation
import GatehousePolicy
import GatehouseWire

/// The second step of a sign-in.
extension FakeWorld {
  private static let lifetime = 300
  private static let tries = 5

  /// The typed code of a second factor.
  enum TypedFactor {
    case totp(String)
    case recoveryCode(String)
  }

  /// The one factor that a request to verify gives.
  private enum Given {
    case typed(TypedFactor)
    case passkey(AuthenticationAnswer)
  }

  /// Refuses `mfa_required` where the account owes a second factor that this device does not stand for.
  /// - Parameter first: the factor that was the first proof.
  mutating func demandSecondStep(
    _ account: FakeUser, password: String?, provider: (name: String, subject: String)? = nil, device: Device?,
    besides first: String? = nil, at now: Date
  ) throws {
    let owed = owed(by: account)
    guard !owed.isEmpty, !isTrusted(device?.id, account, at: now) else { return }
    let asked = owed.filter { $0 != first }
    guard !asked.isEmpty else { throw FakeProblem("passkey_invalid") }
    let id = secret("gh_fl")
    factors.challenges[id] = FakeChallenge(
      account: account.id, epoch: account.epoch, password: password, provider: provider, device: device, asked: asked,
      expiresAt: now.addingTimeInterval(TimeInterval(Self.lifetime)))
    let remembers = policy.mfa?.rememberDevice ?? 0
    var problem = FakeProblem(
      "mfa_required",
      challenge: FakeProblem.Challenge(
        id: id, expiresIn: Self.lifetime, factors: asked, rememberFor: remembers > 0 ? Int(remembers) : nil))
    if asked.contains("passkey") { problem.passkey = nextOptions(of: account, after: 0, of: Self.tries, id) }
    throw problem
  }

  /// The factors of which one is owed beside a first proof, in the order in which they are offered.
  func owed(by account: FakeUser) -> [String] {
    let preferred = policy.challenge(of: stored(account), in: SessionFacts(), at: now).map(\.rawValue)
    return preferred.isEmpty ? [] : preferred + account.factors.filter { !preferred.contains($0) }
  }

  func isTrusted(_ device: String?, _ account: FakeUser, at now: Date) -> Bool {
    guard let device, let trust = factors.trusted[device] else { return false }
    return trust.account == account.id && trust.epoch == account.epoch
      && now.timeIntervalSince(trust.at) < TimeInterval(policy.mfa?.rememberDevice ?? 0)
  }

  /// Ends a sign-in that waits. A try counts before its code is looked at.
  mutating func verify(_ input: VerifyFactorEndpoint.Input, _ arrival: FakeArrival) throws -> SessionAnswer {
    let given = try given(input)
    guard let challenge = factors.challenges[input.challengeID], challenge.expiresAt > arrival.now,
      challenge.tries < Self.tries, var account = accounts[challenge.account], account.epoch == challenge.epoch,
      !account.isDisabled
    else { throw FakeProblem("code_expired") }
    factors.challenges[input.challengeID]?.tries += 1
    let factor: String
    do {
      switch given {
      case .typed(let typed): factor = try use(typed, of: &account, at: arrival.now)
      case .passkey(let answer):
        try demandHost()
        let bytes = self.challenge(ofTry: challenge.tries + 1, input.challengeID)
        factor = try use(AnsweredPasskey(answer: answer, challenge: bytes), of: &account, at: arrival.now).factor
      }
    } catch var problem as FakeProblem where ["code_invalid", "passkey_invalid"].contains(problem.code) {
      // The options before are used up, whichever factor was tried.
      if challenge.asked.contains("passkey") {
        problem.passkey = nextOptions(of: account, after: challenge.tries + 1, of: Self.tries, input.challengeID)
      }
      throw problem
    }
    factors.challenges[input.challengeID] = nil
    if let provider = challenge.provider { account.subjects[provider.name] = provider.subject }
    let (after, decision) = admit(account, password: challenge.password, at: arrival.now)
    accounts[after.id] = after
    let answer = open(
      after, device: challenge.device, by: challenge.provider?.name, factor: factor, at: arrival.now, decision,
      arrival.languages)
    if input.rememberDevice == true, policy.mfa?.rememberDevice ?? 0 > 0, let device = answer.device?.id {
      factors.trusted[device] = FakeTrust(account: after.id, epoch: after.epoch, at: arrival.now)
    }
    return answer
  }

  /// Exactly one of the three.
  private func given(_ input: VerifyFactorEndpoint.Input) throws -> Given {
    switch (input.totp, input.recoveryCode, input.passkey) {
    case (let digits?, nil, nil): return .typed(.totp(digits))
    case (nil, let code?, nil): return .typed(.recoveryCode(code))
    case (nil, nil, let answer?): return .passkey(answer)
    default: throw FakeProblem("malformed_request")
    }
  }

  /// Uses a code up. Returns the id of its factor; that of recovery codes is their name. Refuses `code_invalid`.
  mutating func use(_ typed: TypedFactor, of account: inout FakeUser, at now: Date) throws -> String {
    switch typed {
    case .totp(let digits):
      for index in account.apps.indices {
        guard let step = matchingStep(digits, account.apps[index].seed, after: account.apps[index].lastStep, at: now)
        else { continue }
        (account.apps[index].lastStep, account.apps[index].lastUsedAt) = (step, now)
        accounts[account.id] = account
        return account.apps[index].id
      }
      if settings.acceptsEverything { return account.apps.first?.id ?? "totp" }
    case .recoveryCode(let text):
      let code = FakeRecoveryCode.canonical(text)
      if let index = account.recoveryCodes.firstIndex(where: { FakeRecoveryCode.canonical($0) == code }) {
        account.recoveryCodes.remove(at: index)
        accounts[account.id] = account
        return "recovery_code"
      }
      if settings.acceptsEverything { return "recovery_code" }
    }
    throw FakeProblem("code_invalid")
  }

  /// The step of a code: that of now or the one before.
  func matchingStep(_ typed: String, _ seed: [UInt8], after last: Int64, at now: Date) -> Int64? {
    let digits = typed.filter { $0 != " " && $0 != "-" }
    let step = FakeTOTP.step(at: now)
    return [step, step - 1].first { $0 > last && FakeTOTP.code(seed, step: $0) == digits }
  }

  /// A second factor joins the proofs of a session.
  mutating func prove(_ session: String, by factor: String, at now: Date) {
    guard var proven = sessions[session] else { return }
    proven.level = max(proven.level, level(of: factor, proven.account))
    proven.secondAt = now
    proven.provedBy.insert(factor)
    sessions[session] = proven
  }

  /// The level that a factor of an account brings a session to.
  func level(of factor: String, _ account: String) -> AssuranceLevel {
    accounts[account]?.passkeys.contains { $0.id == factor } == true ? .phr : .aal2
  }
}
