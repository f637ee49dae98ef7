import GatehousePolicy

/// The owner of an address: the account at it, or the account that left it and may come back (`UndoEmailChange`).
struct AddressOwner {
  /// The account; nil where the mail must outlive it.
  let user: UserID?
  let address: String
  /// Whether the owner has shown to read its mail.
  let isProven: Bool

  /// Nil for an address that is free. `besides`: an account for which its own former address counts as free.
  static func find(_ email: String, besides: UserID? = nil, _ call: Call, _ services: Services) async throws
    -> AddressOwner?
  {
    let store = services.store.open(call.tenant.id)
    // Both are asked in any case: the work must not tell.
    let holder = try await store.user(email: email)?.user
    let reserved = try await store.undoCode(reserving: email)?.user
    if let holder { return AddressOwner(holder) }
    // Only an address that was proven is kept for the account that left it.
    return (reserved == besides ? nil : reserved).map { AddressOwner(user: $0, address: email, isProven: true) }
  }
}

extension AddressOwner {
  init(_ user: StoredUser) {
    self.init(user: user.id, address: user.email, isProven: user.emailVerifiedAt != nil)
  }
}
