import GatehousePolicy
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse push remove`: a token that the push service rejected goes, wherever the user has it.
package enum RemovePushToken {
  package static func run(_ input: RemovePushTokenOperation.Input, _ call: OperatorCall) async throws
    -> RemovePushTokenOperation.Output
  {
    let seen = try await call.call(input.tenant)
    let user = try PushTokens.user(input.user, "/user")
    let store = call.store(of: seen)
    let rejected = try await store.pushTokens(of: [user], under: seen.policy.sessions, after: nil, limit: 1000)
      .filter { try PushTokens.text($0, seen).utf8.elementsEqual(input.token.utf8) }
    let removed = try await store.removePushTokens(
      rejected, of: user, noting: try call.entry(.pushTokenRemoved, details: ["count": String(rejected.count)]))
    return RemovePushTokenOperation.Output(removed: removed)
  }
}
