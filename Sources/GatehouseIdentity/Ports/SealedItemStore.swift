package import Foundation

/// A stored value that is kept for a provider, and where it is.
package struct SealedItem: Sendable {
  package enum Place: Sendable {
    case secret(name: String)
    case grant(UserID, provider: String, version: Int64)
    case revocation(UUID, of: UserID, provider: String, version: Int64)
  }

  package var place: Place
  package var sealed: [UInt8]

  package init(_ place: Place, sealed: [UInt8]) {
    self.place = place
    self.sealed = sealed
  }

  /// The item as it was sealed.
  package var item: Vault.ProviderItem {
    switch place {
    case .secret(let name): .secret(name: name)
    case .grant(let user, let provider, let version), .revocation(_, let user, let provider, let version):
      .grant(user, provider: provider, version: version)
    }
  }
}

/// The sealed values of a tenant's providers, by the way in which they are sealed.
package protocol SealedItemStore: Sendable {
  /// Up to `limit` values that the release before this one sealed without a destination.
  func unboundItems(limit: Int) async throws -> [SealedItem]
  /// Replaces values by others, where they are still the same: one that was renewed meanwhile stays as it is.
  func bind(_ items: [(SealedItem, as: [UInt8])]) async throws
  /// Forgets the pinned revision, once no value is unbound. False while there is one.
  func endUnbound() async throws -> Bool
  /// Accounts with a broken link at a provider, whose grant was sealed for one of these destinations. A link whose
  /// grant the provider refused has none.
  func healableLinks(at provider: String, to destinations: [Destination], limit: Int) async throws -> [UserID]
}
