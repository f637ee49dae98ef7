// Switching an account off ends its sessions at once; switching it on brings nothing back but the right to sign in.

enum DisableUser {
  static func run(
    _ user: StoredUser, _ disabled: Bool, actor: Actor, as authority: Authority, _ call: Call, _ services: Services
  )
    async throws -> StoredUser
  {
    var changes: [Change] = [
      .user(.setDisabled(user.id, disabled)),
      .audit(call.entry(disabled ? .userDisabled : .userEnabled, services, actor: actor, user: user.id)),
    ]
    if disabled { changes.append(.session(.endAll(user.id, except: nil, .disabled))) }
    try await services.store.open(call.tenant.id).commit(changes, as: authority)
    var changed = user
    changed.disabledAt = disabled ? (user.disabledAt ?? call.now) : nil
    changed.updatedAt = call.now
    return changed
  }
}
