/// Signs in, or up, with an ID token that an app got from a provider's own library.
package enum ProviderSignInEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/sign-in/{provider}", 200, "Sign in with a provider's ID token",
    refuses: .arrival + .providerFailure + [.notFound])

  package struct Input: Codable, Hashable, Sendable {
    /// The provider's name in the policy.
    package var provider: String
    /// The nonce that the app asked the provider with: the raw value, also where the token carries its SHA-256. Left
    /// out only where the policy says `nonce: optional`; the token is then taken once, within ten minutes of its issue.
    package var nonce: String?
    /// For a new account: fields that the provider does not tell, or tells the app only (Apple's name, at the first
    /// time).
    package var profile: Profile?
    /// Names the session for the list of devices.
    package var device: Device?
    /// As the provider signed it.
    package var idToken: String

    package init(
      provider: String, idToken: String, nonce: String? = nil, profile: Profile? = nil, device: Device? = nil
    ) {
      (self.provider, self.idToken, self.nonce, self.profile, self.device) = (provider, idToken, nonce, profile, device)
    }
  }

  package typealias Output = SessionAnswer
}

/// Where to send a person, and for how long they are expected back.
package struct AuthorizationStart: Codable, Hashable, Sendable {
  /// To be opened in a browser.
  package var authorizationURL: String
  /// Seconds.
  package var expiresIn: Int

  package init(authorizationURL: String, expiresIn: Int) {
    (self.authorizationURL, self.expiresIn) = (authorizationURL, expiresIn)
  }
}

/// Begins a sign-in in this browser. The answer sets a cookie, without which the sign-in can not be completed.
package enum StartBrowserSignInEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/sign-in/{provider}/start", 200, "Begin a sign-in with a provider in a browser",
    refuses: .providerFailure + [.notFound])

  package struct Input: Codable, Hashable, Sendable {
    /// The provider's name in the policy.
    package var provider: String
    /// Where the browser goes in the end, with `code` (or `error`) added: one of the policy's `app.continue`.
    package var continueTo: String
    /// The base64url SHA-256 of a verifier that the app keeps to itself (RFC 7636, S256).
    package var codeChallenge: String
    /// `login`: the person signs in anew, at a provider whose section says `require_auth_time`. Another provider is
    /// asked as ever, and its sign-in may be no fresh proof.
    package var prompt: String?

    enum CodingKeys: String, CodingKey {
      case provider, codeChallenge, prompt
      case continueTo = "continue"
    }
  }

  package typealias Output = AuthorizationStart
}

/// Ends a sign-in in a browser: the app shows the code that it was handed, and that it is the app that began.
package enum CompleteBrowserSignInEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/sign-in/{provider}/complete", 200, "Finish a sign-in with a provider in a browser",
    refuses: .arrival + [.notFound, .codeInvalid])

  package struct Input: Codable, Hashable, Sendable {
    /// The provider's name in the policy.
    package var provider: String
    /// As the browser brought it; good for a minute and for one use.
    package var code: String
    /// For a new account: fields that the provider does not tell.
    package var profile: Profile?
    /// Names the session for the list of devices.
    package var device: Device?
    /// The verifier of the challenge: 43 to 128 characters.
    package var codeVerifier: String
  }

  package typealias Output = SessionAnswer
}
