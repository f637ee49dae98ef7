import Foundation
import GatehousePolicy
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user set`, `enable` and `disable`: profile fields, those that only administrators write included, and
/// whether the user may sign in. A value of a field that the policy does not have can be cleared, and not set.
package enum SetUser {
  package static func run(_ input: SetUserOperation.Input, _ call: OperatorCall) async throws -> UserRecord {
    try await run(input, in: try await call.call(input.tenant), call)
  }

  /// The same, judged by a policy that was read before.
  package static func run(_ input: SetUserOperation.Input, in seen: Call, _ call: OperatorCall) async throws
    -> UserRecord
  {
    let user = try await call.user(input.user, in: seen)
    try await change(user, by: input, in: seen, call)
    return try await .of(try await call.user(user.id.text, in: seen), seen, call)
  }

  /// Changes a user who was read before.
  static func change(
    _ user: StoredUser, by input: SetUserOperation.Input, keeping backfill: UUID? = nil, in seen: Call,
    _ call: OperatorCall
  ) async throws {
    let actor = try call.author().actor
    var profile = try TypedProfile.values(input.profile, input.fields, seen.policy)
    let leftovers = LeftoverValues.cleared(by: profile, of: user, seen.policy)
    for name in leftovers { profile[name] = nil }
    if !profile.isEmpty {
      _ = try await UpdateProfile.run(
        profile, of: user, at: .adminUpdate, writer: .admin, actor: actor, as: .operator, keeping: backfill,
        seen, call.services)
    }
    if !leftovers.isEmpty { try await LeftoverValues.clear(leftovers, of: [user], keeping: backfill, in: seen, call) }
    if let disabled = input.disabled {
      _ = try await DisableUser.run(user, disabled, actor: actor, as: .operator, seen, call.services)
    }
  }
}
