// The user that an operation names.

import GatehousePolicy
import GatehouseWire

extension OperatorCall {
  /// The user with this address or id; throws `OperatorError` when there is none.
  package func user(_ text: String, in seen: Call) async throws -> StoredUser {
    let store = store(of: seen)
    if let id = UserID(text: TypedText.trimmed(text)), let found = try await store.user(id: id) { return found }
    if let email = seen.policy.normalisedEmail(text, using: services.facts),
      let found = try await store.user(email: email)
    {
      return found.user
    }
    throw OperatorError(
      .notFound, "\(seen.tenant.name) has no user \"\(text)\"", hint: "gatehouse user list \(seen.tenant.name)")
  }

  /// The user with this address or id, and the tenant as a request would see it.
  func user(_ text: String, of tenant: String) async throws -> (user: StoredUser, seen: Call) {
    let seen = try await call(tenant)
    return (try await user(text, in: seen), seen)
  }
}
