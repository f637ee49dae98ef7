/// Begins to add a passkey.
package enum StartPasskeyEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/passkeys/register/start", 200, "Begin to add a passkey",
    refuses: [.notFound, .passkeysUnavailable, .reauthenticationRequired, .conflict])
  package static let details: String? =
    "Demands a fresh proof: one of the last five minutes, by a second factor where the account owes one. Where the policy has no "
    + "passkeys, the answer is not_found; where the tenant has no host of its own, passkeys_unavailable. A browser makes the passkey by "
    + "navigator.credentials.create from public_key, an app by its platform's interface."

  package typealias Input = Nothing

  package struct Output: Codable, Hashable, Sendable {
    /// Names this enrolment in the next request.
    package var challengeID: String
    /// `PublicKeyCredentialCreationOptionsJSON` of WebAuthn.
    package var publicKey: CreationOptions
    /// Seconds until the enrolment ends.
    package var expiresIn: Int

    package init(challengeID: String, publicKey: CreationOptions, expiresIn: Int) {
      (self.challengeID, self.publicKey, self.expiresIn) = (challengeID, publicKey, expiresIn)
    }
  }
}

/// Adds the passkey that a client made.
package enum AddPasskeyEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/passkeys/register/complete", 201, "Add a passkey",
    refuses: [.notFound, .passkeysUnavailable, .passkeyInvalid, .codeExpired, .validationFailed, .conflict])
  package static let details: String? =
    "A challenge has one try. The passkey is a proof as well: the session is answered anew, under another id and with other tokens "
    + "where its level rises. The first factor comes with recovery codes, which are shown this once. The person is told by mail."

  package struct Input: Codable, Hashable, Sendable {
    /// The `challenge_id` of the answer of POST /v1/passkeys/register/start.
    package var challengeID: String
    /// `RegistrationResponseJSON` of WebAuthn.
    package var credential: RegistrationAnswer
    /// A name for the list of factors.
    package var name: String?

    package init(challengeID: String, credential: RegistrationAnswer, name: String? = nil) {
      (self.challengeID, self.credential, self.name) = (challengeID, credential, name)
    }
  }

  package typealias Output = ConfirmTOTPEndpoint.Output
}

/// Begins a sign-in with a passkey.
package enum StartPasskeySignInEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/passkeys/sign-in/start", 200, "Begin to sign in with a passkey",
    refuses: [.notFound, .passkeysUnavailable])
  package static let details: String? =
    "Names no account: the person chooses a passkey of theirs. Where the policy has no sign-in by passkeys, the answer is not_found. "
    + "A page that waits for the person to choose (mediation: conditional) asks anew after four minutes."

  package typealias Input = Nothing

  package struct Output: Codable, Hashable, Sendable {
    /// Names this sign-in in the next request.
    package var challengeID: String
    /// `PublicKeyCredentialRequestOptionsJSON` of WebAuthn.
    package var publicKey: RequestOptions
    /// Seconds until it ends.
    package var expiresIn: Int

    package init(challengeID: String, publicKey: RequestOptions, expiresIn: Int) {
      (self.challengeID, self.publicKey, self.expiresIn) = (challengeID, publicKey, expiresIn)
    }
  }
}

/// Signs in with a passkey.
package enum CompletePasskeySignInEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/passkeys/sign-in/complete", 200, "Sign in with a passkey",
    refuses: .opening + [.notFound, .passkeysUnavailable, .passkeyInvalid, .codeExpired, .validationFailed])
  package static let details: String? =
    "A passkey that verified its user is two factors. One that did not is one proof: an account that owes a second one is asked for it. "
    + "A refusal with passkey_invalid has passkey, the options of the next try under the same challenge_id, which has five."

  package struct Input: Codable, Hashable, Sendable {
    /// The `challenge_id` of the answer of POST /v1/passkeys/sign-in/start.
    package var challengeID: String
    /// `AuthenticationResponseJSON` of WebAuthn.
    package var credential: AuthenticationAnswer
    /// The device that signs in.
    package var device: Device?

    package init(challengeID: String, credential: AuthenticationAnswer, device: Device? = nil) {
      (self.challengeID, self.credential, self.device) = (challengeID, credential, device)
    }
  }

  package typealias Output = SessionAnswer
}

/// Begins a fresh proof.
package enum StartReauthenticationEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/reauthenticate/start", 200, "Ask for the ways to prove again who you are")
  package static let details: String? =
    "Where a passkey is one of the ways, the answer has the options for it, and POST /v1/reauthenticate takes passkey and challenge_id."

  package typealias Input = Nothing

  package struct Output: Codable, Hashable, Sendable {
    /// The ways to a fresh proof that are open to the account, as with `reauthentication_required`.
    package var methods: [String]
    /// Names this proof in the next request. With `public_key`.
    package var challengeID: String?
    /// `PublicKeyCredentialRequestOptionsJSON` of WebAuthn, where a passkey is one of the ways.
    package var publicKey: RequestOptions?
    /// Seconds until it ends.
    package var expiresIn: Int?

    package init(methods: [String], challengeID: String? = nil, publicKey: RequestOptions? = nil, expiresIn: Int? = nil)
    {
      (self.methods, self.challengeID, self.publicKey, self.expiresIn) = (methods, challengeID, publicKey, expiresIn)
    }
  }
}
