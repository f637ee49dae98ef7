import GatehousePolicy

/// Who has an address: the account at it, or the account that left it and may come back (`UndoEmailChange`).
struct AddressOwner {
  /// The account; nil where it is only known that it was at the address.
  let account: AccountID
  let address: String

  /// Nil for an address that is free. `besides`: an account for which its own former address counts as free.
  static func find(_ email: String, besides: AccountID? = nil, _ call: Call, _ services: Services) async throws
    -> AddressOwner?
  {
    let store = services.store.open(call.tenant.id)
    // Both are asked in any case: the work must not tell.
    let holder = try await store.account(email: email)?.account.id
    let reserved = try await store.undoCode(reserving: email)?.account
    guard let owner = holder ?? (reserved == besides ? nil : reserved) else { return nil }
    return AddressOwner(account: owner, address: email)
  }

  /// A mail to the address about something that was tried with it.
  func notice(of kind: MailKind, _ call: Call, _ services: Services) throws -> [Change] {
    try Mailing.notice(kind, toAddress: address, about: account, call, services)
  }
}
