/// Proves anew who is there: same session, fresh `auth_time`, or a session of a higher level.
package enum ReauthenticateEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/reauthenticate", 200, "Prove again who you are",
    refuses: .wrongPassword + .mailedCode + [.passkeyInvalid] + .providerFailure
      + [.notFound, .refreshTokenInvalid, .reauthenticationRequired])
  package static let details: String? =
    "Of an account with second factors only a code of one is a fresh proof. Where it raises the session's level, the session goes on "
    + "under another id, and the answer has its refresh token; the one before is void. With refresh_token the token is exchanged as by POST /v1/token, under the same Idempotency-Key rules. Without it the answer has "
    + "no refresh token and the stored one stays good. A refresh token of another session is refused with refresh_token_invalid and "
    + "is not spent. A provider is a fresh proof where its section says require_auth_time: the ID token's auth_time is of the last "
    + "five minutes then. Another provider is one only for an account without a proven address. Where the account proves itself in "
    + "another way, the answer is reauthentication_required, and methods names the ways that are open."

  /// The proof: a code of a second factor, a password, a mailed code, or a provider with its ID token and nonce.
  package struct Input: Codable, Hashable, Sendable {
    /// The current password.
    package var password: String?
    /// Six digits, as `POST /v1/reauthenticate/code` mailed them in this session; for accounts without a password.
    package var code: String?
    /// Six digits of an authenticator app.
    package var totp: String?
    /// A recovery code.
    package var recoveryCode: String?
    /// `AuthenticationResponseJSON` of WebAuthn, by the options of POST /v1/reauthenticate/start.
    package var passkey: AuthenticationAnswer?
    /// With `passkey`: the `challenge_id` of that answer.
    package var challengeID: String?
    /// A linked provider's name in the policy.
    package var provider: String?
    /// The raw nonce that it was asked with. Left out only where the policy says `nonce: optional`.
    package var nonce: String?
    /// As the provider signed it just now.
    package var idToken: String?
    /// The newest refresh token of this session, to be exchanged with it. No token is spent that is not here.
    package var refreshToken: String?

    /// The members that are given as JSON names them, but for the refresh token.
    package var given: Set<String> {
      let members: [String: Any?] = [
        "password": password, "code": code, "totp": totp, "recovery_code": recoveryCode, "passkey": passkey,
        "challenge_id": challengeID, "provider": provider, "nonce": nonce, "id_token": idToken,
      ]
      return Set(members.filter { $0.value != nil }.keys)
    }

    /// By password.
    package init(password: String, refreshToken: String? = nil) {
      (self.password, self.refreshToken) = (password, refreshToken)
    }

    /// By a mailed code.
    package init(code: String, refreshToken: String? = nil) {
      (self.code, self.refreshToken) = (code, refreshToken)
    }

    /// By a second factor: six digits of an authenticator app, or a recovery code.
    package init(totp: String? = nil, recoveryCode: String? = nil, refreshToken: String? = nil) {
      (self.totp, self.recoveryCode, self.refreshToken) = (totp, recoveryCode, refreshToken)
    }

    /// By a passkey.
    package init(passkey: AuthenticationAnswer, challengeID: String, refreshToken: String? = nil) {
      (self.passkey, self.challengeID, self.refreshToken) = (passkey, challengeID, refreshToken)
    }

    /// By a provider.
    package init(provider: String, idToken: String, nonce: String? = nil, refreshToken: String? = nil) {
      (self.provider, self.idToken, self.nonce, self.refreshToken) = (provider, idToken, nonce, refreshToken)
    }
  }

  package typealias Output = SessionAnswer
}

/// Mails a code for a fresh proof to the proven address of the caller's account.
package enum SendReauthenticationCodeEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/reauthenticate/code", 202, "Mail a code that proves who you are",
    refuses: [.cooldown, .reauthenticationRequired])
  package static let details: String? =
    "For accounts without a password, with a proven address. The six digits are good for this session, once, for five tries and until "
    + "another code is asked for in it. Where the account proves itself in another way, the answer is reauthentication_required, and "
    + "methods names the ways that are open."

  package typealias Input = Nothing
  package typealias Output = MailSent
}
