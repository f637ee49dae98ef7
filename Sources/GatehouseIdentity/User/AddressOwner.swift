import GatehousePolicy

/// The owner of an address: the account at it, or the account that left it and may come back (`UndoEmailChange`).
struct AddressOwner {
  /// The account; nil where the message must outlive it.
  let user: UserID?
  /// The address, proven where the owner has shown to read its mail.
  let contact: Contact

  /// Nil for an address that is free. `besides`: an account for which its own former address counts as free.
  static func find(_ email: String, besides: UserID? = nil, _ call: Call, _ services: Services) async throws
    -> AddressOwner?
  {
    let store = services.store.open(call.tenant.id)
    // Both are asked in any case: the work must not tell.
    let holder = try await store.user(email: email)?.user
    let reserved = try await store.undoCode(reserving: email)
    if let holder { return AddressOwner(user: holder.id, contact: .email(email, provenAt: holder.emailVerifiedAt)) }
    guard let reserved, let user = reserved.user, user != besides else { return nil }
    // Only an address that was proven is kept for the account that left it.
    return AddressOwner(user: user, contact: .email(email, provenAt: reserved.createdAt))
  }
}
