import Foundation
import GatehouseWire

extension AuthClient {
  /// Asks the server where the person stands: "I've verified my email". When that lifts the access, tokens are replaced
  /// first.
  @discardableResult
  public func reload() async throws(AuthError) -> AuthState {
    start()
    try await keeper.ready()
    return try await keeper.reload()
  }

  /// Sends the mail that confirms the address: to the signed-in person, or to the one that signed up as `email`.
  /// Returns how long to wait before the next.
  @discardableResult
  public func sendEmailVerification(to email: String? = nil) async throws(AuthError) -> Duration {
    start()
    try await keeper.ready()
    let record = await keeper.ledger.record
    let isSignedIn = record.session != nil
    let input = SendEmailVerificationEndpoint.Input(email: isSignedIn ? nil : email ?? record.signUp?.email)
    let generation = record.session?.generation
    return try await once(SendEmailVerificationEndpoint.self, input, of: generation) {
      key async throws(AuthError) -> Duration in
      let answer =
        if isSignedIn {
          try await signedIn(SendEmailVerificationEndpoint.self, input, of: generation, key: key)
        } else {
          try await anonymous(SendEmailVerificationEndpoint.self, input, key: key)
        }
      return .seconds(answer.content.resendAfter)
    }
  }

  /// Confirms the address with the code of the mail. A person who waits in `awaitingEmail` is told by
  /// `signedOut(.confirmed)` to sign in now.
  @discardableResult
  public func confirmEmail(code: String, email: String? = nil) async throws(AuthError) -> AuthState {
    start()
    try await keeper.ready()
    let record = await keeper.ledger.record
    if let session = record.session {
      let input = ConfirmEmailVerificationEndpoint.Input(email: email ?? session.user.email, code: code)
      _ = try await signedIn(ConfirmEmailVerificationEndpoint.self, input)
      return try await reload()
    }
    guard let address = email ?? record.signUp?.email else { throw await keeper.own(.unauthenticated) }
    let input = ConfirmEmailVerificationEndpoint.Input(
      email: address, code: code, signUpID: record.signUp?.signUpID)
    _ = try await anonymous(ConfirmEmailVerificationEndpoint.self, input)
    await keeper.end { record in if record.session == nil { record.signOut(.confirmed) } }
    return state
  }

  /// Asks for a mail that lets the person set a new password. Returns how long to wait before the next. The answer does
  /// not tell whether there is an account. The code of the mail can be typed here alone, after a restart as well.
  @discardableResult
  public func sendPasswordReset(to email: String) async throws(AuthError) -> Duration {
    start()
    try await keeper.ready()
    let input = RequestPasswordResetEndpoint.Input(email: email)
    return try await once(RequestPasswordResetEndpoint.self, input) { key async throws(AuthError) -> Duration in
      let answer = try await anonymous(RequestPasswordResetEndpoint.self, input, key: key).content
      await keeper.wait(for: answer, to: email)
      return .seconds(answer.resendAfter)
    }
  }

  /// Sets a new password with the code of the mail that `sendPasswordReset` asked for on this device. It ends every
  /// session of the account.
  public func resetPassword(email: String, code: String, new password: String) async throws(AuthError) {
    start()
    try await keeper.ready()
    // No other device's code is good here: another mail is.
    guard let pending = await keeper.ledger.record.reset, pending.isFor(email) else {
      throw await keeper.own(.codeInvalid)
    }
    let input = ConfirmPasswordResetEndpoint.Input(
      email: email, code: code, resetID: pending.resetID, password: password)
    _ = try await anonymous(ConfirmPasswordResetEndpoint.self, input)
    await keeper.change { record in if record.reset == pending { record.reset = nil } }
    await keeper.checkSoon()
  }

  /// Changes the password. It ends the person's other sessions. Returns the rules that the new password breaks, and
  /// that do not refuse yet.
  @discardableResult
  public func changePassword(current: String, new password: String) async throws(AuthError) -> [AuthWarning] {
    let generation = try await generation()
    let input = ChangePasswordEndpoint.Input(currentPassword: current, password: password)
    let answer = try await signedIn(ChangePasswordEndpoint.self, input, of: generation)
    let warnings = (answer.content.warnings ?? []).map(AuthWarning.init)
    await keeper.take(warnings, about: ["password"], of: generation)
    await keeper.reloadSoon()
    return warnings
  }

  /// Asks for another address, which counts when its mail is confirmed. Returns how long to wait before the next mail.
  @discardableResult
  public func changeEmail(to email: String, proof: Reauthentication? = nil) async throws(AuthError) -> Duration {
    let generation = try await generation()
    let password = try await prove(proof)
    let input = RequestEmailChangeEndpoint.Input(email: email, password: password)
    return try await once(RequestEmailChangeEndpoint.self, input, of: generation) {
      key async throws(AuthError) -> Duration in
      let answer = try await signedIn(RequestEmailChangeEndpoint.self, input, of: generation, key: key)
      return .seconds(answer.content.resendAfter)
    }
  }

  /// Confirms the new address with the code of its mail.
  @discardableResult
  public func confirmEmailChange(email: String, code: String) async throws(AuthError) -> AuthState {
    let input = ConfirmEmailChangeEndpoint.Input(email: email, code: code)
    _ = try await signedIn(ConfirmEmailChangeEndpoint.self, input)
    return try await reload()
  }

  /// The password, to go along with a request; another proof is given first, by a request of its own.
  func prove(_ proof: Reauthentication?) async throws(AuthError) -> String? {
    switch proof {
    case nil: return nil
    case .password(let password): return password
    case .provider, .code, .totp, .recoveryCode:
      if let proof { try await reauthenticate(proof) }
      return nil
    }
  }
}

extension SessionKeeper {
  /// Keeps the id that the code of a mail needs. Before another mail may be sent none was: the one before stays.
  func wait(for sent: RequestPasswordResetEndpoint.Output, to email: String) {
    let now = configuration.clock.now
    let pending = PendingReset(
      email: email, resetID: sent.resetID, resendAt: now.addingTimeInterval(TimeInterval(sent.resendAfter)))
    change { record in
      if let reset = record.reset, reset.isFor(email), now < reset.resendAt { return }
      record.reset = pending
    }
  }

  /// Asks whether the session still lives, where there is one.
  func checkSoon() { if session != nil { refreshSoon() } }
}
