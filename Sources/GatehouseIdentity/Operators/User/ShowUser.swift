package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user show`.
package enum ShowUser {
  package static func run(_ input: ShowUserOperation.Input, _ call: OperatorCall) async throws -> UserRecord {
    let (user, seen) = try await call.user(input.user, of: input.tenant)
    return try await .of(user, seen, call)
  }
}
