/// Begins to link an account at a provider to the caller's.
package enum StartLinkEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/me/links/{provider}", 200, "Begin to link an account at a provider",
    refuses: .providerFailure + [.notFound, .reauthenticationRequired])

  package struct Input: Codable, Hashable, Sendable {
    /// The provider's name in the policy.
    package var provider: String
    /// Where the provider sends the person back to: one of the policy's `redirect_uris`, the first if none is given.
    /// Back at this server the browser that began is recognised by a cookie; an app that is opened itself hands the
    /// address over (`complete`).
    package var redirectURI: String?

    package init(provider: String, redirectURI: String? = nil) {
      (self.provider, self.redirectURI) = (provider, redirectURI)
    }
  }

  package typealias Output = AuthorizationStart
}

/// Links an account at a provider: by the address that the app was opened with, or by an ID token.
package enum CompleteLinkEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/me/links/{provider}/complete", 200, "Link an account at a provider",
    refuses: .providerFailure + [
      .notFound, .codeInvalid, .reauthenticationRequired, .validationFailed, .providerDenied, .providerScopesMissing,
      .providerAccountTaken,
    ])
  package static let details: String? = AccessRise.details

  package struct Input: Codable, Hashable, Sendable {
    /// The provider's name in the policy.
    package var provider: String
    /// With an ID token. Left out only where the policy says `nonce: optional`.
    package var nonce: String?
    /// The whole address that the app was opened with.
    package var callbackURL: String?
    /// In its place: as the provider signed it, and the nonce that it was asked with.
    package var idToken: String?

    package init(provider: String, callbackURL: String? = nil, idToken: String? = nil, nonce: String? = nil) {
      (self.provider, self.callbackURL, self.idToken, self.nonce) = (provider, callbackURL, idToken, nonce)
    }
  }

  package typealias Output = MeAnswer
}

/// Removes a link, and with it what the provider gave.
package enum UnlinkEndpoint: Endpoint {
  package static let row = EndpointRow(
    .delete, "/v1/me/links/{provider}", 204, "Remove a linked account",
    refuses: .freshProof + [.providerNotLinked, .lastSignInMethod])

  package struct Input: Codable, Hashable, Sendable {
    /// The provider's name in the policy.
    package var provider: String
    /// The current password, unless the sign-in is recent.
    package var password: String?

    package init(provider: String, password: String? = nil) { (self.provider, self.password) = (provider, password) }
  }

  package typealias Output = Nothing
}
