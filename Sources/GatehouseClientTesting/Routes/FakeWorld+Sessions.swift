import Foundation
import GatehousePolicy
import GatehouseWire

/// Sessions and their tokens.
extension FakeWorld {
  /// Opens a session, and answers it.
  /// - Parameters:
  ///   - provider: the provider that signs the person in, where one does.
  ///   - factor: the second factor among its proofs, where one is.
  mutating func open(
    _ account: FakeUser, device: Device?, by provider: String? = nil, factor: String? = nil, at now: Date,
    _ decision: Decision, _ languages: [String]
  ) -> SessionAnswer {
    var session = FakeSession(
      id: id(), account: account.id, device: device?.name, createdAt: now, lastSeen: now,
      expiresAt: now.addingTimeInterval(TimeInterval(policy.sessions.refreshMaxTTL)),
      provenAt: provider.map { provesItself(account, at: $0) } ?? true ? now : nil)
    // A device that is remembered stands for the factor that was used on it.
    if !account.factors.isEmpty, isTrusted(device?.id, account, at: now) { session.level = .aal2 }
    sessions[session.id] = session
    if let factor { prove(session.id, by: factor, at: now) }
    let askedAt = demandsFactor(of: account) ? account.mfaAskedAt ?? now : nil
    accounts[account.id]?.mfaAskedAt = askedAt
    accounts[account.id]?.isOnline = true
    accounts[account.id]?.lastSeen = now
    var answer = self.answer(
      session, refreshToken: newRefreshToken(of: session.id, at: now), withUser: true, at: now, languages)
    answer.device = DeviceMark(id: device?.id ?? secret("gh_dv"))
    answer.warnings = warnings(decision, languages)
    return answer
  }

  mutating func newRefreshToken(of session: String, at now: Date) -> String {
    let token = secret("gh_rt")
    let expires = now.addingTimeInterval(TimeInterval(policy.sessions.refreshIdleTTL))
    refreshTokens[token] = FakeRefreshToken(session: session, expiresAt: expires)
    return token
  }

  mutating func answer(
    _ session: FakeSession, refreshToken: String?, withUser: Bool, at now: Date, _ languages: [String]
  ) -> SessionAnswer {
    let access = secret("gh_at")
    accessTokens[access] = FakeAccessToken(
      session: session.id, expiresAt: now.addingTimeInterval(TimeInterval(policy.sessions.accessTokenTTL)))
    let account = accounts[session.account]
    let current = sessions[session.id] ?? session
    let next = account.map { needs($0, in: current) } ?? []
    return SessionAnswer(
      accessToken: access, expiresIn: Int(policy.sessions.accessTokenTTL), refreshToken: refreshToken,
      session: SessionSummary(
        id: session.id, createdAt: Timestamp(session.createdAt), expiresAt: Timestamp(session.expiresAt)),
      user: withUser ? account.map(record) : nil, access: next.isEmpty ? "full" : "limited",
      next: next, requirements: requirements(next, languages), offers: account.flatMap(offers), warnings: [],
      policy: PolicyMark(revision: 1), claims: account.map { claims(of: $0, in: current) })
  }

  mutating func endSessions(of account: String, except: String? = nil) {
    for id in sessions.keys where sessions[id]?.account == account && id != except { sessions[id]?.isEnded = true }
  }

  /// Rotates a refresh token. A request that comes again under its key gets the same successor while that is unspent,
  /// however late; within the grace any request does; else there is a copy of the token, and the session ends.
  mutating func refresh(_ input: TokenEndpoint.Input, _ arrival: FakeArrival) throws -> SessionAnswer {
    guard let text = input.refreshToken else { throw FakeProblem("malformed_request") }
    guard let token = refreshTokens[text], let session = sessions[token.session] else {
      throw FakeProblem("refresh_token_invalid")
    }
    if accounts[session.account]?.isDisabled == true { throw FakeProblem("account_disabled") }
    guard !session.isEnded, accounts[session.account] != nil else { throw FakeProblem("session_revoked") }
    guard token.spentAt != nil || (token.expiresAt > arrival.now && session.expiresAt > arrival.now) else {
      throw FakeProblem("refresh_token_invalid")
    }
    let successor = try successor(of: text, token, arrival)
    sessions[session.id]?.lastSeen = arrival.now
    return answer(
      session, refreshToken: successor, withUser: input.include == "user", at: arrival.now, arrival.languages)
  }

  private mutating func successor(of text: String, _ token: FakeRefreshToken, _ arrival: FakeArrival) throws -> String {
    guard let spentAt = token.spentAt, let successor = token.successor else {
      let new = newRefreshToken(of: token.session, at: arrival.now)
      refreshTokens[text]?.spentAt = arrival.now
      refreshTokens[text]?.successor = new
      refreshTokens[text]?.key = arrival.key
      return new
    }
    let isRetry = arrival.key != nil && arrival.key == token.key
    let isWithinGrace = arrival.now.timeIntervalSince(spentAt) < TimeInterval(policy.sessions.reuseGrace)
    let isUnspent = refreshTokens[successor]?.spentAt == nil
    // Two processes of one device share a key, and three tabs of a browser share none: the slowest is late, and no
    // thief.
    if isRetry || isWithinGrace, !isUnspent { throw FakeProblem("conflict") }
    guard isUnspent, isRetry || isWithinGrace else {
      sessions[token.session]?.isEnded = true
      throw FakeProblem("session_revoked")
    }
    return successor
  }

  /// The living session of the access token. Refuses as the real server does.
  mutating func caller(_ arrival: FakeArrival) throws -> (session: FakeSession, account: FakeUser) {
    guard let text = arrival.token, let token = accessTokens[text] else { throw FakeProblem("unauthenticated") }
    guard token.expiresAt > arrival.now else { throw FakeProblem("token_expired") }
    guard let session = sessions[token.session], !session.isEnded, let account = accounts[session.account] else {
      throw FakeProblem("session_revoked")
    }
    guard !account.isDisabled else { throw FakeProblem("account_disabled") }
    sessions[session.id]?.lastSeen = arrival.now
    return (session, account)
  }

  /// The caller, who proved within five minutes who they are, or proves it by this password.
  mutating func provenCaller(_ arrival: FakeArrival, password: String?, for demand: FakeDemand = .account) throws
    -> (session: FakeSession, account: FakeUser)
  {
    let caller = try caller(arrival)
    try demandProof(of: caller.account, caller.session, password, for: demand, at: arrival.now)
    return caller
  }

  /// Refuses a caller without a fresh proof, and one with a wrong password. Of an account with second factors only
  /// these are fresh, and the session is at the highest level that they reach.
  func demandProof(
    of account: FakeUser, _ session: FakeSession, _ password: String?, for demand: FakeDemand = .account, at now: Date
  ) throws {
    if !owed(by: account).isEmpty {
      let isRecent = session.secondAt.map { now.timeIntervalSince($0) <= 300 } ?? false
      let takesCode = demand == .factors && session.provedBy.contains("recovery_code")
      guard isRecent, takesCode || session.level >= highest(of: account) else {
        throw unproven(account, session, for: demand)
      }
    } else if let password {
      guard accepts(password, of: account) else { throw FakeProblem("invalid_credentials") }
    } else if session.provenAt.map({ now.timeIntervalSince($0) > 300 }) ?? true {
      throw unproven(account)
    }
  }

  /// The highest level that the account can reach.
  private func highest(of account: FakeUser) -> AssuranceLevel {
    if settings.hasPasskeyHost, !account.passkeys.isEmpty { return .phr }
    return account.apps.isEmpty ? .aal1 : .aal2
  }

  /// Whether a sign-in by the provider is a fresh proof.
  private func provesItself(_ account: FakeUser, at provider: String) -> Bool {
    !account.isVerified || policy.provider(provider)?.requireAuthTime == true
  }

  /// That a fresh proof is needed, with the ways to one.
  func unproven(_ account: FakeUser, _ session: FakeSession? = nil, for demand: FakeDemand = .account) -> FakeProblem {
    FakeProblem("reauthentication_required", methods: ways(of: account, in: session, for: demand))
  }

  /// The ways to a fresh proof. Of an account that owes a second factor only these are, and of these the ones that lead
  /// to the highest level.
  func ways(of account: FakeUser, in session: FakeSession? = nil, for demand: FakeDemand = .account) -> [String] {
    let factors = account.factors.filter { $0 != "passkey" || settings.hasPasskeyHost }
    guard owed(by: account).isEmpty else {
      return factors.filter { way in
        let level = max(session?.level ?? .aal1, way == "passkey" ? .phr : .aal2)
        return demand == .factors && way == "recovery_code" || level >= highest(of: account)
      }
    }
    let atProvider = account.subjects.keys.contains { provesItself(account, at: $0) }
    let hasPassword = account.password != nil
    let methods = [
      hasPassword ? "password" : nil, atProvider ? "provider" : nil, hasPassword || !account.isVerified ? nil : "code",
    ]
    return factors + methods.compactMap(\.self)
  }

  /// A fresh proof. The refresh token stays as it is, but where a second factor raises the session.
  mutating func reauthenticate(_ input: ReauthenticateEndpoint.Input, _ arrival: FakeArrival) throws -> SessionAnswer {
    var (session, account) = try caller(arrival)
    if let passkey = input.passkey {
      guard let id = input.challengeID else { throw FakeProblem("malformed_request") }
      return join(&session, by: try prove(passkey, id, of: &account, session, at: arrival.now), arrival)
    }
    if let factor = input.totp.map(TypedFactor.totp) ?? input.recoveryCode.map(TypedFactor.recoveryCode) {
      return join(&session, by: try use(factor, of: &account, at: arrival.now), arrival)
    }
    if let provider = input.provider {
      let identity = try identity(provider, input.idToken ?? "", input.nonce)
      guard account.subjects[provider] == identity.subject else { throw FakeProblem("provider_token_invalid") }
      guard provesItself(account, at: provider) || settings.acceptsEverything else { throw unproven(account) }
    } else if let code = input.code {
      try takeProof(code, of: session, account, arrival.now)
    } else {
      guard accepts(input.password ?? "", of: account) else { throw FakeProblem("invalid_credentials") }
    }
    session.provenAt = arrival.now
    sessions[session.id] = session
    return answer(session, refreshToken: nil, withUser: true, at: arrival.now, arrival.languages)
  }

  /// Ends this session, the others, or all. A session that is gone is no error.
  mutating func signOut(_ input: SignOutEndpoint.Input, _ arrival: FakeArrival) throws -> Nothing {
    let scope = input.scope ?? "this"
    guard ["this", "others", "all"].contains(scope) else { throw FakeProblem("malformed_request") }
    guard arrival.token != nil || input.refreshToken != nil else { throw FakeProblem("unauthenticated") }
    let session =
      arrival.token.flatMap { accessTokens[$0]?.session }
      ?? input.refreshToken.flatMap { refreshTokens[$0]?.session }
    guard let session, let found = sessions[session], !found.isEnded else {
      guard scope == "this" else { throw FakeProblem("session_revoked") }
      return Nothing()
    }
    if scope != "others" {
      sessions[session]?.isEnded = true
      accounts[found.account]?.isOnline = false
      accounts[found.account]?.lastSeen = arrival.now
    }
    if scope != "this" { endSessions(of: found.account, except: session) }
    return Nothing()
  }

  mutating func listSessions(_ arrival: FakeArrival) throws -> ListSessionsEndpoint.Output {
    let caller = try caller(arrival)
    let living = sessions.values.filter { $0.account == caller.account.id && !$0.isEnded }
    return ListSessionsEndpoint.Output(
      items: living.sorted { $0.id > $1.id }.map { session in
        SessionRecord(
          id: session.id, device: Device(name: session.device), createdAt: Timestamp(session.createdAt),
          lastSeenAt: Timestamp(session.lastSeen), expiresAt: Timestamp(session.expiresAt),
          current: session.id == caller.session.id)
      })
  }

  mutating func endSession(_ input: EndSessionEndpoint.Input, _ arrival: FakeArrival) throws -> Nothing {
    let caller = try caller(arrival)
    guard let session = sessions[input.id], session.account == caller.account.id, !session.isEnded else {
      throw FakeProblem("not_found")
    }
    sessions[session.id]?.isEnded = true
    return Nothing()
  }

  mutating func setPushToken(_ input: KeepPushTokenEndpoint.Input, _ arrival: FakeArrival) throws -> Nothing {
    let caller = try caller(arrival)
    guard input.pushToken == nil || ["apns", "fcm"].contains(input.platform) else {
      throw FakeProblem("malformed_request")
    }
    sessions[caller.session.id]?.pushToken = input.pushToken
    return Nothing()
  }
}
