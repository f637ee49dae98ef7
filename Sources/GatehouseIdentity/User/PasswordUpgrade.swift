// A stored hash of another cost than that of today is replaced where its password is at hand: behind a right one.

import GatehousePrimitives
import GatehouseWire

enum PasswordUpgrade {
  /// The write that replaces `hash` by a new one of the same password, where the `verdict` on it asks for one. The
  /// write belongs behind the account's lock, as that of a new password does, and does nothing once `hash` is another.
  static func changes(
    _ verdict: PasswordVerdict, _ password: String, of user: UserID, replacing hash: String?, _ call: Call,
    _ services: Services
  ) async -> [Change] {
    guard case .matches(needsRehash: true) = verdict, let hash else { return [] }
    // Where there is no room for another hash, the next right password makes it.
    let made = try? await services.passwords.hash(password, in: services.passwords.permit(for: call.tenant.id))
    return made.map { [.user(.upgradePassword(user, old: hash, phc: $0))] } ?? []
  }
}
