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
    + "where its level rises. A factor of an account without recovery codes comes with ten, which are shown this once. The person is told by mail."

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

/// Begins a sign-up with a passkey.
package enum StartPasskeySignUpEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/passkeys/sign-up/start", 200, "Begin to create an account with a passkey",
    refuses: [.notFound, .passkeysUnavailable])
  package static let details: String? =
    "Answers alike for every address. Where the policy has no sign-up by passkeys, the answer is not_found. The names are those that the "
    + "person's own passkey manager shows; an app that asks for the address with the passkey in one sheet leaves them out."

  package struct Input: Codable, Hashable, Sendable {
    /// The address, as the passkey manager shows it.
    package var email: String?

    package init(email: String? = nil) { self.email = email }
  }

  package typealias Output = StartPasskeyEndpoint.Output
}

/// Makes an account with the passkey that a client made, and signs it in.
package enum CompletePasskeySignUpEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/passkeys/sign-up/complete", 201, "Create an account with a passkey",
    refuses: [
      .notFound, .passkeysUnavailable, .passkeyInvalid, .codeExpired, .validationFailed, .accountExists, .conflict,
    ])
  package static let details: String? =
    "As POST /v1/sign-up, with a passkey in the place of the password: the mailed code proves the address. A challenge has one try; after a "
    + "refusal of a field the same challenge and passkey are sent once more with another value."

  package struct Input: Codable, Hashable, Sendable {
    /// The `challenge_id` of the answer of POST /v1/passkeys/sign-up/start.
    package var challengeID: String
    /// `RegistrationResponseJSON` of WebAuthn.
    package var credential: RegistrationAnswer
    /// The address; missing is a violation of `email.required`.
    package var email: String?
    /// Fields by the policy's names.
    package var profile: Profile?
    /// A name for the list of factors.
    package var name: String?
    /// Names the session for the list of devices.
    package var device: Device?

    package init(
      challengeID: String, credential: RegistrationAnswer, email: String? = nil, profile: Profile? = nil,
      name: String? = nil, device: Device? = nil
    ) {
      (self.challengeID, self.credential, self.email) = (challengeID, credential, email)
      (self.profile, self.name, self.device) = (profile, name, device)
    }
  }

  package typealias Output = SignUpAnswer

  package static var successes: [(status: Int, output: any (Decodable & SendableMetatype).Type)] {
    SignUpEndpoint.successes
  }

  package static func status(of output: SignUpAnswer) -> Int { SignUpEndpoint.status(of: output) }

  package static func warnings(of output: SignUpAnswer) -> [RuleWarning] { SignUpEndpoint.warnings(of: output) }
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
    /// The same for passkeys of the tenant's relying party before, as long as those prove.
    package var formerPublicKey: RequestOptions?
    /// Seconds until it ends.
    package var expiresIn: Int

    package init(challengeID: String, publicKey: RequestOptions, formerPublicKey: RequestOptions? = nil, expiresIn: Int)
    {
      (self.challengeID, self.publicKey, self.expiresIn) = (challengeID, publicKey, expiresIn)
      self.formerPublicKey = formerPublicKey
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
