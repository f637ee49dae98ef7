package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse policy show`: the exact text of a revision; the live one where none is named.
package enum ShowPolicy {
  package static func run(_ input: ShowPolicyOperation.Input, _ call: OperatorCall) async throws
    -> ShowPolicyOperation.Output
  {
    let tenant = try await call.tenant(input.tenant)
    let store = call.services.store.open(tenant.id)
    let found =
      if let number = input.revision { try await store.revision(number) } else { try await store.newestRevision() }
    guard let found else { throw OperatorError(.notFound, "\(tenant.name) has no such revision") }
    return ShowPolicyOperation.Output(text: found.text, revision: found.number)
  }
}
