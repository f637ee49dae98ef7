/// Writes of grants at providers.
package enum GrantChange: Sendable {
  /// The provider's grant for an identity that is linked; it takes the place of an older grant of the same person
  /// there.
  case keep(StoredGrant)
  /// The next version, over the one before it: `refused(.grantIsCurrent)` when that is not there any more. The turn to
  /// refresh it ends.
  case renew(StoredGrant)
  /// A grant that the provider does not honour any more, and that is not given back therefore:
  /// `refused(.grantIsCurrent)` when it is another version by now.
  case forget(UserID, provider: String, version: Int64)
  /// Grants at these providers go; they are given back where that is possible. Of those in `unlinking` the link goes,
  /// too.
  case drop(UserID, providers: [String], unlinking: [String])
  /// A grant that was never kept is to be given back.
  case orderRevocation(StoredGrant)
}
