import Foundation
import GatehousePrimitives
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse admin create`: a new token, which is answered here and never again.
package enum CreateAdminToken {
  private static let usualLife = 90 * 86_400
  private static let lives = 60...366 * 86_400

  package static func run(_ input: CreateAdminTokenOperation.Input, _ call: OperatorCall) async throws
    -> CreateAdminTokenOperation.Output
  {
    let token = try await token(input, call)
    if input.ifAbsent == true, let there = try await same(token, call) { return there }
    let secret = OpaqueToken.generate(.administrator)
    let made = CreateAdminTokenOperation.Output(
      token: secret.text.expose { $0 },
      item: AdminTokens.summary(token, try await AdminTokens.tenantNames(call.services)))
    return try await call.once(CreateAdminTokenOperation.self) { keep in
      do {
        try await call.services.adminTokens.insert(
          token, hash: secret.digest, asking: call.who.tokenHash,
          audit: try await AdminTokens.audit(.adminTokenCreated, token, call), keeping: try keep(made))
        return made
      } catch StoreError.refused(.askingTokenIsLive) {
        throw Refusal(.unauthenticated)
      } catch StoreError.exists {
        throw OperatorError(.exists, "the name \"\(token.name)\" is, or was, a token's; a name is used once")
      }
    }
  }

  /// The live token of this name, if it allows the same; refuses one that allows something else or has ended.
  private static func same(_ token: AdminToken, _ call: OperatorCall) async throws -> CreateAdminTokenOperation.Output?
  {
    let named = try await call.services.adminTokens.adminTokens().first { $0.name == token.name }
    guard let named else { return nil }
    let isLive = named.revokedAt == nil && named.expiresAt > call.services.clock.now
    let isSame = Set(named.scopes) == Set(token.scopes) && named.tenants.map(Set.init) == token.tenants.map(Set.init)
    // GUARD: admin token: one that is there is shown only where it allows the same
    guard isLive && isSame
    else {
      throw OperatorError(
        .exists, "the name \"\(token.name)\" is, or was, a token's with another reach, or of one that has ended",
        hint: "gatehouse admin list")
    }
    return CreateAdminTokenOperation.Output(
      item: AdminTokens.summary(named, try await AdminTokens.tenantNames(call.services)))
  }

  /// The requested token, if it lies within the reach of its requester.
  private static func token(_ input: CreateAdminTokenOperation.Input, _ call: OperatorCall) async throws -> AdminToken {
    guard TenantName(input.name) != nil else {
      throw OperatorError(.refused, "a token's name has 1 to 63 lower-case letters, digits and inner hyphens")
    }
    guard !input.scopes.isEmpty else { throw OperatorError(.refused, "a token without scopes allows nothing") }
    // GUARD: admin token: makes none that may do more
    for scope in input.scopes { try call.who.require(scope) }
    var tenants: [TenantID]?
    if let names = input.tenants {
      guard (1...1000).contains(names.count) else { throw Refusal.malformed("/tenants", "must be 1 to 1000 names") }
      var ids: [TenantID] = []
      for name in names { ids.append(try await call.tenant(name).id) }
      tenants = Set(ids).sorted { $0.uuid.text < $1.uuid.text }
    } else if !call.who.reachesAll {  // GUARD: admin token: makes none that reaches further
      throw OperatorError(.forbidden, "the token \"\(call.who.name)\" is not for all tenants, nor can its tokens be")
    }
    let life = input.expiresIn ?? usualLife
    guard lives.contains(life) else {
      throw Refusal.malformed("/expires_in", "must be \(lives.lowerBound) to \(lives.upperBound) seconds")
    }
    let now = call.services.clock.now
    let end = now.addingTimeInterval(Double(life))
    return AdminToken(
      id: call.services.clock.makeID(), name: input.name,
      scopes: AdminScope.allCases.filter { input.scopes.contains($0) }, tenants: tenants, createdAt: now,
      createdBy: call.who.shown,
      // GUARD: admin token: makes none that lives longer
      expiresAt: call.who.token.map { min($0.expiresAt, end) } ?? end)
  }
}
