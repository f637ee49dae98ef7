package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse key list`.
package enum ListKeys {
  package static func run(_ input: ListKeysOperation.Input, _ call: OperatorCall) async throws -> SigningKeyList {
    let tenant = try await call.tenant(input.tenant)
    return SigningKeyList(try await call.services.store.open(tenant.id).signingKeys())
  }
}
