import GatehousePolicy
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user set`, `enable` and `disable`: profile fields, those that only administrators write included, and
/// whether the user may sign in.
package enum SetUser {
  package static func run(_ input: SetUserOperation.Input, _ call: OperatorCall) async throws -> UserRecord {
    try await run(input, in: try await call.call(input.tenant), call)
  }

  /// The same, judged by a policy that was read before.
  package static func run(_ input: SetUserOperation.Input, in seen: Call, _ call: OperatorCall) async throws
    -> UserRecord
  {
    let user = try await call.user(input.user, in: seen)
    let actor = try call.author().actor
    let profile = try TypedProfile.values(input.profile, input.fields, seen.policy)
    if !profile.isEmpty {
      _ = try await UpdateProfile.run(
        profile, of: user, at: .adminUpdate, writer: .admin, actor: actor, as: .operator, seen, call.services)
    }
    if let disabled = input.disabled {
      _ = try await DisableUser.run(user, disabled, actor: actor, as: .operator, seen, call.services)
    }
    return try await .of(try await call.user(user.id.text, in: seen), seen, call)
  }
}
