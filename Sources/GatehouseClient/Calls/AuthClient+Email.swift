import Foundation
import GatehouseWire

extension AuthClient {
  /// Asks the server where the person stands: "I've verified my email". When that lifts the access, tokens are replaced
  /// first.
  public func reload() async throws(AuthError) -> AuthState {
    start()
    try await keeper.ready()
    return try await keeper.reload()
  }

  /// Sends the mail that confirms the address: to the signed-in person, or to the one that signed up as `email`.
  /// Returns how long to wait before the next.
  public func sendEmailVerification(to email: String? = nil) async throws(AuthError) -> Duration {
    start()
    try await keeper.ready()
    let record = await keeper.ledger.record
    let isSignedIn = record.session != nil
    let input = SendEmailVerificationEndpoint.Input(email: isSignedIn ? nil : email ?? record.signUp?.email)
    let key = UUID().uuidString
    let answer =
      if isSignedIn {
        try await signedIn(SendEmailVerificationEndpoint.self, input, key: key)
      } else {
        try await anonymous(SendEmailVerificationEndpoint.self, input, key: key)
      }
    return .seconds(answer.content.resendAfter)
  }

  /// Confirms the address with the code of the mail. A person who waits in `awaitingEmail` is told by
  /// `signedOut(.confirmed)` to sign in now.
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
  /// not tell whether there is an account.
  public func sendPasswordReset(to email: String) async throws(AuthError) -> Duration {
    let input = RequestPasswordResetEndpoint.Input(email: email)
    let answer = try await anonymous(RequestPasswordResetEndpoint.self, input, key: UUID().uuidString)
    return .seconds(answer.content.resendAfter)
  }

  /// Sets a new password with the code of the mail. It ends every session of the account.
  public func resetPassword(email: String, code: String, new password: String) async throws(AuthError) {
    let input = ConfirmPasswordResetEndpoint.Input(email: email, code: code, password: password)
    _ = try await anonymous(ConfirmPasswordResetEndpoint.self, input)
    await keeper.checkSoon()
  }

  /// Changes the password. It ends the person's other sessions.
  public func changePassword(current: String, new password: String) async throws(AuthError) {
    let input = ChangePasswordEndpoint.Input(currentPassword: current, password: password)
    _ = try await signedIn(ChangePasswordEndpoint.self, input)
    await keeper.reloadSoon()
  }

  /// Asks for another address, which counts when its mail is confirmed. Returns how long to wait before the next mail.
  public func changeEmail(to email: String, proof: Reauthentication? = nil) async throws(AuthError) -> Duration {
    let generation = try await generation()
    let password = try await prove(proof)
    let input = RequestEmailChangeEndpoint.Input(email: email, password: password)
    let answer = try await signedIn(RequestEmailChangeEndpoint.self, input, of: generation, key: UUID().uuidString)
    return .seconds(answer.content.resendAfter)
  }

  /// Confirms the new address with the code of its mail.
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
    case .provider, .code:
      if let proof { try await reauthenticate(proof) }
      return nil
    }
  }
}

extension SessionKeeper {
  /// Asks whether the session still lives, where there is one.
  func checkSoon() { if session != nil { refreshSoon() } }
}
