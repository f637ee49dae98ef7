// Switching an account off ends its sessions at once; switching it on brings nothing back but the right to sign in.

enum DisableAccount {
  static func run(
    _ account: Account, _ disabled: Bool, actor: Actor, as authority: Authority, _ call: Call, _ services: Services
  )
    async throws -> Account
  {
    var changes: [Change] = [
      .account(.setDisabled(account.id, disabled)),
      .audit(call.entry(disabled ? .userDisabled : .userEnabled, services, actor: actor, account: account.id)),
    ]
    if disabled { changes.append(.session(.endAll(account.id, except: nil, .disabled))) }
    try await services.store.open(call.tenant.id).commit(changes, as: authority)
    var changed = account
    changed.disabledAt = disabled ? (account.disabledAt ?? call.now) : nil
    changed.updatedAt = call.now
    return changed
  }
}
