package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse admin revoke`: ends a token, and those that it made.
package enum RevokeAdminToken {
  package static func run(_ input: RevokeAdminTokenOperation.Input, _ call: OperatorCall) async throws
    -> RevokeAdminTokenOperation.Output
  {
    let all = try await call.services.adminTokens.adminTokens().filter { AdminTokens.isWithin(call.who, $0) }
    guard let token = all.first(where: { $0.name.utf8.elementsEqual(input.name.utf8) }) else {
      throw OperatorError(.notFound, "there is no token \"\(input.name)\"", hint: "gatehouse admin list")
    }
    let audit = try await AdminTokens.audit(.adminTokenRevoked, token, call)
    do {
      let ended = try await call.services.adminTokens.revokeAdminToken(
        token.id, asking: call.who.tokenHash, audit: audit)
      return RevokeAdminTokenOperation.Output(alsoRevoked: ended.filter { $0 != token.name })
    } catch StoreError.refused(.tokenIsLive) {
      throw OperatorError(.refused, "the token \"\(token.name)\" was revoked before")
    } catch StoreError.refused(.askingTokenIsLive) {
      throw Refusal(.unauthenticated)
    }
  }
}
