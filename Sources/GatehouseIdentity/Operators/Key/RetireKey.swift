import GatehousePrimitives
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse key retire`: takes a key out at once.
///
/// Its tokens are refused here from now on, and by others when they fetch the set again. If it was the signing key, the
/// oldest next key signs from now on, or a new one.
package enum RetireKey {
  package static func run(_ input: RetireKeyOperation.Input, _ call: OperatorCall) async throws -> SigningKeyList {
    let seen = try await call.call(input.tenant)
    let keys = try await call.store(of: seen).signingKeys()
    guard let retired = keys.first(where: { $0.kid.utf8.elementsEqual(input.kid.utf8) }) else {
      throw OperatorError(
        .notFound, "\(seen.tenant.name) has no key \"\(input.kid)\"", hint: "gatehouse key list \(seen.tenant.name)")
    }
    var left = keys.filter { $0.kid != retired.kid }
    if retired.state == .active {
      let successor = Keys.successor(among: left)
      if let index = left.firstIndex(where: { $0.kid == successor?.kid }) {
        (left[index].state, left[index].changedAt) = (.active, seen.now)
      } else {
        left.append(try KeyMaterial.signingKey(state: .active, vault: seen.tenant.vault, at: seen.now))
      }
    }
    try await Keys.replace(keys, by: left, ["retired": input.kid], seen, call)
    return SigningKeyList(left)
  }
}
