package import Foundation

/// A person's identity at an identity provider: an issuer and a subject there, and nothing else. An address or a name
/// there may pass to another person (OpenID Connect Core section 5.7).
package struct ProviderIdentity: Sendable, Equatable {
  package var user: UserID
  /// The provider's name in the policy.
  package var provider: String
  package var issuer: String
  package var subject: String
  /// Whether no other account of the tenant may be this person there. A sign-in finds exclusive ones only.
  package var isExclusive: Bool
  package var link: LinkedIdentity

  package init(
    user: UserID, provider: String, issuer: String, subject: String, isExclusive: Bool, link: LinkedIdentity
  ) {
    self.user = user
    self.provider = provider
    self.issuer = issuer
    self.subject = subject
    self.isExclusive = isExclusive
    self.link = link
  }
}

/// The part of an identity that is stored with the account and read with it.
package struct LinkedIdentity: Sendable, Equatable {
  /// `broken`: the provider does not honour the grant any more.
  package enum State: String, Sendable, CaseIterable { case linked, broken }

  package var provider: String
  /// The scopes that the person granted there.
  package var scopes: [String]
  package var linkedAt: Date
  package var state: State

  package init(provider: String, scopes: [String], linkedAt: Date, state: State = .linked) {
    self.provider = provider
    self.scopes = scopes
    self.linkedAt = linkedAt
    self.state = state
  }
}

/// Which identities of an account go.
package enum UnlinkScope: Sendable, Equatable {
  /// The one at this provider: `refused(.linkExists)` when there is none.
  case provider(String)
  /// Those that a stranger may have linked: before mail of the address was first shown to be read, or since it was
  /// last. Identities at the providers `keeping` open no account and stay.
  case untrusted(keeping: [String])
}
