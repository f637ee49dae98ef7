/// The identities of users at providers.
package protocol ProviderIdentityStore: Sendable {
  /// The account that this exclusive identity belongs to; nil when it belongs to none.
  func identity(issuer: String, subject: String) async throws -> (identity: ProviderIdentity, user: StoredUser)?

  /// The account's identities, oldest first.
  func identities(of user: UserID) async throws -> [ProviderIdentity]
}
