import GatehousePrimitives
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse key jwks`.
package enum ShowKeySet {
  package static func run(_ input: ShowKeySetOperation.Input, _ call: OperatorCall) async throws
    -> ShowKeySetOperation.Output
  {
    let set = try JSONEncoding.encode(["keys": try await call.call(input.tenant).tenant.keys.jwks()])
    return ShowKeySetOperation.Output(jwks: String(decoding: set, as: UTF8.self))
  }
}
