import Foundation
import GatehousePolicy

/// Stored values of profile fields that the live policy does not have. No door shows or judges them, so operators alone
/// see them, and remove them.
enum LeftoverValues {
  /// The names of their fields in a user's profile, in order.
  static func names(of user: StoredUser, _ policy: Policy) -> [String] {
    user.profile.keys.filter { policy.profile.field($0) == nil }.sorted()
  }

  /// The names among `given` that are to be cleared and are leftovers of the user. The policy judges the others.
  static func cleared(by given: [String: FieldValue], of user: StoredUser, _ policy: Policy) -> [String] {
    names(of: user, policy).filter { given[$0] == .null }
  }

  /// Removes these fields' values of users, each with a row of the audit log. Users deleted since are left out.
  static func clear(
    _ names: [String], of users: [StoredUser], keeping backfill: UUID? = nil, in seen: Call, _ call: OperatorCall
  )
    async throws
  {
    let nothing = Dictionary(uniqueKeysWithValues: names.map { ($0, FieldValue.null) })
    let details = ["fields": names.joined(separator: ",")]
    let changes: [Change] = try users.flatMap { user in
      [
        .user(.updateProfile(user.id, nothing, unique: [], keeping: backfill)),
        .audit(try call.entry(.userUpdated, user: user.id, details: details)),
      ]
    }
    guard !changes.isEmpty else { return }
    do {
      try await call.store(of: seen).commit(changes, as: .operator)
    } catch StoreError.refused(.accountExists) {
      guard users.count > 1 else { return }
      for user in users { try await clear(names, of: [user], keeping: backfill, in: seen, call) }
    }
  }
}
