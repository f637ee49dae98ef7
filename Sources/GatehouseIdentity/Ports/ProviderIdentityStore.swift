/// The identities of people at providers, and the flows of people who are away at one.
package protocol ProviderIdentityStore: Sendable {
  /// The account that this exclusive identity belongs to; nil when it belongs to none.
  func identity(issuer: String, subject: String) async throws -> (identity: ProviderIdentity, user: StoredUser)?

  /// The account's identities, oldest first.
  func identities(of user: UserID) async throws -> [ProviderIdentity]

  /// Takes a flow that began with this state, for this provider and purpose, and that this holder (or session) began.
  /// It MUST be one statement: of several takers one gets it, and it is gone before the answer is given. Nil, and
  /// nothing is taken, when any of them differs or its time is over by the database's clock.
  func takeFlow(_ claim: ProviderFlowClaim) async throws -> ProviderFlow?
}

/// The claim of a person who comes back from a provider.
package struct ProviderFlowClaim: Sendable {
  package var stateHash: [UInt8]
  package var provider: String
  package var purpose: ProviderFlow.Purpose
  /// SHA-256 of what they hold. A flow without a holder is not taken by a claim that has this hash.
  package var holderHash: [UInt8]?
  /// Their session, where a flow belongs to one.
  package var session: SessionID?

  package init(
    stateHash: [UInt8], provider: String, purpose: ProviderFlow.Purpose, holderHash: [UInt8]? = nil,
    session: SessionID? = nil
  ) {
    self.stateHash = stateHash
    self.provider = provider
    self.purpose = purpose
    self.holderHash = holderHash
    self.session = session
  }
}
