package import Foundation

/// A person who was sent to a provider and is expected back, once.
package struct ProviderFlow: Sendable, Equatable {
  /// What they come back for. A flow for one purpose cannot be used for another.
  package enum Purpose: String, Sendable, CaseIterable {
    case signIn = "sign_in"
    /// Back from the provider, on the way to the app: who they are is known, and the app still has to say that it
    /// began.
    case handBack = "hand_back"
    case link
  }

  /// SHA-256 of the `state` parameter, or of the code for the app.
  package var stateHash: [UInt8]
  package var provider: String
  package var purpose: Purpose
  /// SHA-256 of a secret that only the client that began holds; nil where the session identifies it.
  package var holderHash: [UInt8]?
  /// The account that links, in which session.
  package var user: UserID?
  package var session: SessionID?
  /// What has to be remembered, sealed.
  package var sealedPayload: [UInt8]
  package var createdAt: Date
  package var expiresAt: Date

  package init(
    stateHash: [UInt8], provider: String, purpose: Purpose, holderHash: [UInt8]?, user: UserID? = nil,
    session: SessionID? = nil, sealedPayload: [UInt8], createdAt: Date, expiresAt: Date
  ) {
    self.stateHash = stateHash
    self.provider = provider
    self.purpose = purpose
    self.holderHash = holderHash
    self.user = user
    self.session = session
    self.sealedPayload = sealedPayload
    self.createdAt = createdAt
    self.expiresAt = expiresAt
  }
}
