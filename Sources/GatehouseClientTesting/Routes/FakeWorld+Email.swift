import Foundation
import GatehousePolicy
import GatehouseWire

/// Mails, and what their codes do.
extension FakeWorld {
  /// Sends a mail with six digits. Earlier ones for the same purpose end.
  mutating func send(_ kind: FakeMail.Kind, _ purpose: FakeCode.Purpose, to email: String, at now: Date) {
    let lifetime = TimeInterval(policy.verification.email.codeTTL)
    let digits = String(100_000 + (number() * 7919) % 900_000)
    codes.append(
      FakeCode(purpose: purpose, email: email, text: digits, expiresAt: now.addingTimeInterval(lifetime), sentAt: now))
    mails.append(FakeMail(to: email, kind: kind, code: digits))
  }

  /// The seconds until another mail of this kind may go to this address; nil where it may now.
  private func wait(_ kind: FakeMail.Kind, _ email: String, _ now: Date) -> Int? {
    let newest = codes.last { code in
      code.email == email && kind == code.purpose.kind
    }
    guard let sentAt = newest?.sentAt else { return nil }
    let rest = TimeInterval(policy.verification.email.resendCooldown) - now.timeIntervalSince(sentAt)
    return rest > 0 ? Int(rest.rounded(.up)) : nil
  }

  /// Takes a code. Five wrong ones end it.
  private mutating func redeem(
    _ email: String?, _ code: String?, _ now: Date, _ fits: (FakeCode.Purpose) -> Bool
  ) throws -> FakeCode {
    let email = address(email)
    if settings.acceptsEverything, let purpose = anyPurpose(email, fits) {
      return FakeCode(purpose: purpose, email: email, text: "", expiresAt: now, sentAt: now)
    }
    guard let index = codes.lastIndex(where: { $0.email == email && fits($0.purpose) }) else {
      throw FakeProblem("code_invalid")
    }
    guard code.flatMap({ TypedText.code(in: $0, digits: 6) }) == codes[index].text, codes[index].failures < 5 else {
      codes[index].failures += 1
      throw FakeProblem("code_invalid")
    }
    guard !codes[index].isUsed else { throw FakeProblem("code_used") }
    guard codes[index].expiresAt > now else { throw FakeProblem("code_expired") }
    return codes[index]
  }

  /// The purpose for a code that was never sent: previews take any.
  private func anyPurpose(_ email: String, _ fits: (FakeCode.Purpose) -> Bool) -> FakeCode.Purpose? {
    let sessions = sessions.values.filter { !$0.isEnded }
    var purposes = accounts.values.flatMap { account -> [FakeCode.Purpose] in
      [.verify(account: account.id), .reset(id: "preview", account: account.id)]
        + sessions.filter { $0.account == account.id }.map { .change(account: account.id, session: $0.id) }
    }
    purposes += sessions.map { .proof(session: $0.id) }
    let now = Date(timeIntervalSince1970: 0)
    let waiting = FakeUser(id: email, email: email, isVerified: true, lastSeen: now, createdAt: now, updatedAt: now)
    purposes.append(.signUp(id: "preview", account: waiting))
    return purposes.first(where: fits)
  }

  private var cooldown: Int { Int(policy.verification.email.resendCooldown) }

  private mutating func spend(_ code: FakeCode) {
    for index in codes.indices where codes[index].text == code.text { codes[index].isUsed = true }
  }

  mutating func sendVerification(_ input: SendEmailVerificationEndpoint.Input, _ arrival: FakeArrival) throws
    -> SendEmailVerificationEndpoint.Output
  {
    let answer = SendEmailVerificationEndpoint.Output(resendAfter: cooldown)
    if let email = input.email.map(address) {
      guard wait(.verification, email, arrival.now) == nil else { return answer }
      if let account = account(email: email), !account.isVerified {
        send(.verification, .verify(account: account.id), to: email, at: arrival.now)
      } else if let waiting = codes.last(where: { $0.email == email && $0.purpose.isSignUp && !$0.isUsed }) {
        send(.verification, waiting.purpose, to: email, at: arrival.now)
      }
      return answer
    }
    let account = try caller(arrival).account
    guard let email = account.email, !account.isVerified else { throw FakeProblem("conflict") }
    if let seconds = wait(.verification, email, arrival.now) {
      throw FakeProblem("cooldown", retryAfter: seconds)
    }
    send(.verification, .verify(account: account.id), to: email, at: arrival.now)
    return answer
  }

  mutating func confirm(_ input: ConfirmEmailVerificationEndpoint.Input, _ arrival: FakeArrival) throws
    -> ConfirmEmailVerificationEndpoint.Output
  {
    if input.signUpID == nil, input.password != nil || policy.verification.email.confirm != .click {
      try prove(account(email: input.email ?? ""), input.password, arrival)
    }
    let code = try redeem(input.email, input.code, arrival.now) { purpose in
      switch purpose {
      case .verify: input.signUpID == nil
      case .signUp(let id, _): id == input.signUpID
      default: false
      }
    }
    switch code.purpose {
    case .signUp(_, let waiting):
      guard waiting.email.flatMap({ account(email: $0) }) == nil else { throw FakeProblem("code_invalid") }
      try demandUnique(waiting.profile, besides: waiting.id)
      accounts[waiting.id] = waiting
    case .verify(let id):
      guard var account = accounts[id] else { throw FakeProblem("code_invalid") }
      (account.isVerified, account.updatedAt) = (true, arrival.now)
      account.further.removeAll { $0 == "verify_email" }
      accounts[id] = account
    default: break
    }
    spend(code)
    return ConfirmEmailVerificationEndpoint.Output(emailVerified: true)
  }

  /// The account comes before its code: a session of it, or its password.
  private mutating func prove(_ account: FakeUser?, _ password: String?, _ arrival: FakeArrival) throws {
    guard !settings.acceptsEverything else { return }
    if let account, (try? caller(arrival).account.id) == account.id { return }
    guard let password else { throw FakeProblem("reauthentication_required") }
    guard let account, accepts(password, of: account) else { throw FakeProblem("invalid_credentials") }
  }

  mutating func requestReset(_ input: RequestPasswordResetEndpoint.Input, _ arrival: FakeArrival) throws
    -> RequestPasswordResetEndpoint.Output
  {
    try demandPassword()
    let decision = try judge(.resetPassword, Facts(email: input.email), at: arrival.now)
    let email = decision.normalised.email ?? address(input.email)
    let reset = id()
    if let account = account(email: email), wait(.passwordReset, email, arrival.now) == nil {
      send(.passwordReset, .reset(id: reset, account: account.id), to: email, at: arrival.now)
    }
    return RequestPasswordResetEndpoint.Output(resendAfter: cooldown, resetID: reset)
  }

  mutating func reset(_ input: ConfirmPasswordResetEndpoint.Input, _ arrival: FakeArrival) throws -> Nothing {
    try demandPassword()
    guard let reset = input.resetID else { throw FakeProblem("malformed_request") }
    let acceptsAll = settings.acceptsEverything
    let code = try redeem(input.email, input.code, arrival.now) { purpose in
      if case .reset(let id, _) = purpose { id == reset || acceptsAll } else { false }
    }
    guard case .reset(_, let id) = code.purpose, let account = accounts[id], !account.isDisabled else {
      throw FakeProblem("code_invalid")
    }
    let facts = Facts(password: input.password, stored: stored(account))
    _ = try judge(.resetPassword, facts, of: account, at: arrival.now)
    spend(code)
    accounts[id]?.setPassword(input.password, at: arrival.now)
    endSessions(of: id)
    return Nothing()
  }

  mutating func changePassword(_ input: ChangePasswordEndpoint.Input, _ arrival: FakeArrival) throws
    -> ChangePasswordEndpoint.Output
  {
    try demandPassword()
    let caller = try provenCaller(arrival, password: input.currentPassword)
    guard accepts(input.currentPassword, of: caller.account) else { throw FakeProblem("invalid_credentials") }
    let facts = Facts(password: input.password, stored: stored(caller.account))
    let decision = try judge(.setPassword, facts, of: caller.account, at: arrival.now)
    accounts[caller.account.id]?.setPassword(input.password, at: arrival.now)
    endSessions(of: caller.account.id, except: caller.session.id)
    return ChangePasswordEndpoint.Output(warnings: warnings(decision, arrival.languages))
  }

  mutating func changeEmail(_ input: RequestEmailChangeEndpoint.Input, _ arrival: FakeArrival) throws
    -> RequestEmailChangeEndpoint.Output
  {
    let caller = try caller(arrival)
    let facts = Facts(email: input.email, stored: stored(caller.account))
    let decision = try judge(.changeEmail, facts, at: arrival.now)
    let email = decision.normalised.email ?? address(input.email)
    try demandProof(of: caller.account, caller.session, input.password, at: arrival.now)
    guard account(email: email) == nil || rules.hidesAccounts else { throw FakeProblem("account_exists") }
    if let seconds = wait(.emailChange, email, arrival.now) { throw FakeProblem("cooldown", retryAfter: seconds) }
    send(
      .emailChange, .change(account: caller.account.id, session: caller.session.id), to: email, at: arrival.now)
    return RequestEmailChangeEndpoint.Output(resendAfter: cooldown)
  }

  mutating func confirmChange(_ input: ConfirmEmailChangeEndpoint.Input, _ arrival: FakeArrival) throws
    -> ConfirmEmailChangeEndpoint.Output
  {
    let waiting = codes.last { $0.email == input.email.map(address) && $0.purpose.kind == .emailChange }
    let asker = try? caller(arrival).session.id
    if case .change(let id, let session) = waiting?.purpose, asker != session, !settings.acceptsEverything {
      guard let password = input.password else { throw FakeProblem("reauthentication_required") }
      guard let account = accounts[id], accepts(password, of: account) else { throw FakeProblem("invalid_credentials") }
    }
    let code = try redeem(input.email, input.code, arrival.now) { if case .change = $0 { true } else { false } }
    guard case .change(let id, _) = code.purpose, var account = accounts[id] else {
      throw FakeProblem("code_invalid")
    }
    _ = try judge(.changeEmail, Facts(email: code.email, stored: stored(account)), at: arrival.now)
    guard self.account(email: code.email) == nil else {
      throw FakeProblem(rules.hidesAccounts ? "code_invalid" : "account_exists")
    }
    spend(code)
    (account.email, account.isVerified, account.updatedAt) = (code.email, true, arrival.now)
    account.raiseEpoch()
    accounts[id] = account
    return ConfirmEmailChangeEndpoint.Output(user: record(account))
  }
}

/// A fresh proof by mail.
extension FakeWorld {
  mutating func sendProof(_ input: Nothing, _ arrival: FakeArrival) throws -> MailSent {
    let caller = try caller(arrival)
    guard caller.account.password == nil, caller.account.isVerified, owed(by: caller.account).isEmpty,
      let email = caller.account.email
    else { throw unproven(caller.account) }
    if let seconds = wait(.reauthentication, email, arrival.now) { throw FakeProblem("cooldown", retryAfter: seconds) }
    send(.reauthentication, .proof(session: caller.session.id), to: email, at: arrival.now)
    return MailSent(resendAfter: cooldown)
  }

  mutating func takeProof(_ digits: String, of session: FakeSession, _ account: FakeUser, _ now: Date) throws {
    guard account.password == nil, account.isVerified else { throw unproven(account) }
    let code = try redeem(account.email, digits, now) { purpose in
      if case .proof(session.id) = purpose { true } else { false }
    }
    spend(code)
  }
}

extension FakeCode.Purpose {
  var kind: FakeMail.Kind {
    switch self {
    case .verify, .signUp: .verification
    case .reset: .passwordReset
    case .change: .emailChange
    case .proof: .reauthentication
    }
  }

  var isSignUp: Bool { if case .signUp = self { true } else { false } }
}
