// The tokens of the admin API: 256 random bits that only their bearer knows, named, scoped, ending by themselves.

import Foundation
import GatehousePrimitives
package import GatehouseWire

package enum AdminTokens {
  private static let usualLife = 90 * 86_400
  private static let lives = 60...366 * 86_400

  /// The operator that bears this token. Nil for a token that never existed, was revoked or has expired: the caller
  /// does not learn which.
  package static func bearer(of text: String, _ services: Services) async throws -> Operator? {
    guard let hash = OpaqueToken.digest(of: text, kind: .administrator) else { return nil }
    return try await services.adminTokens.liveAdminToken(hash: hash).map { Operator($0, hash: hash) }
  }

  package static func list(_ input: ListAdminTokensOperation.Input, _ call: OperatorCall) async throws
    -> ListAdminTokensOperation.Output
  {
    let limit = try OperatorCall.limit(input.limit)
    let names = try await tenantNames(call.services)
    let all = try await call.services.adminTokens.adminTokens().filter { isWithin(call.who, $0) }
    let page = Page(of: all, after: input.cursor, limit: limit) { $0.name }
    return ListAdminTokensOperation.Output(items: page.items.map { summary($0, names) }, nextCursor: page.next)
  }

  package static func create(_ input: CreateAdminTokenOperation.Input, _ call: OperatorCall) async throws
    -> CreateAdminTokenOperation.Output
  {
    let token = try await token(input, call)
    let secret = OpaqueToken.generate(.administrator)
    let made = CreateAdminTokenOperation.Output(
      token: secret.text.expose { $0 }, item: summary(token, try await tenantNames(call.services)))
    return try await call.once(CreateAdminTokenOperation.self) { keep in
      do {
        try await call.services.adminTokens.insert(
          token, hash: secret.digest, asking: call.who.tokenHash,
          audit: try await audit(.adminTokenCreated, token, call), keeping: try keep(made))
        return made
      } catch StoreError.refused(.askingTokenIsLive) {
        throw Refusal(.unauthenticated)
      } catch StoreError.exists {
        throw OperatorError(.exists, "there is, or was, a token \"\(token.name)\"; names are used once")
      }
    }
  }

  package static func revoke(_ input: RevokeAdminTokenOperation.Input, _ call: OperatorCall) async throws
    -> RevokeAdminTokenOperation.Output
  {
    let all = try await call.services.adminTokens.adminTokens().filter { isWithin(call.who, $0) }
    guard let token = all.first(where: { $0.name.utf8.elementsEqual(input.name.utf8) }) else {
      throw OperatorError(.notFound, "there is no token \"\(input.name)\"", hint: "gatehouse admin list")
    }
    let audit = try await audit(.adminTokenRevoked, token, call)
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

  /// What is asked for, if it lies within the reach of who asks.
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
      throw OperatorError(.forbidden, "the token \"\(call.who.name)\" is not for all tenants, so what it makes is not")
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
      createdBy: call.who.name,
      // GUARD: admin token: makes none that lives longer
      expiresAt: call.who.token.map { min($0.expiresAt, end) } ?? end)
  }

  /// Each tenant's trail says who may touch it from now on, or may not any more.
  private static func audit(_ event: AuditEvent, _ token: AdminToken, _ call: OperatorCall) async throws
    -> [TenantID: AuditEntry]
  {
    let there = try await call.services.directory.tenants().map(\.id)
    let touched = token.tenants.map { wanted in there.filter(wanted.contains) } ?? there
    let author = try call.author()
    return Dictionary(
      uniqueKeysWithValues: touched.map { tenant in
        let details = [
          "name": token.name, "scopes": token.scopes.map(\.rawValue).joined(separator: " "),
          "tenants": token.tenants == nil ? "all" : "listed", "expires_at": "\(Timestamp(token.expiresAt))",
        ]
        return (tenant, author.entry(event, call.services, details: details))
      })
  }

  /// A token may see and end only what could not do more than itself.
  private static func isWithin(_ who: Operator, _ token: AdminToken) -> Bool {
    let isNear = who.reachesAll || (token.tenants?.allSatisfy(who.reaches) ?? false)
    // GUARD: admin token: ends none that could do more
    return isNear && token.scopes.allSatisfy(who.allows)
  }

  private static func tenantNames(_ services: Services) async throws -> [TenantID: String] {
    Dictionary(uniqueKeysWithValues: try await services.directory.tenants().map { ($0.id, $0.name.description) })
  }

  private static func summary(_ token: AdminToken, _ names: [TenantID: String]) -> AdminTokenSummary {
    AdminTokenSummary(
      name: token.name, scopes: token.scopes, tenants: token.tenants.map { $0.compactMap { names[$0] }.sorted() },
      createdAt: Timestamp(token.createdAt), createdBy: token.createdBy, expiresAt: Timestamp(token.expiresAt),
      lastUsedAt: token.lastUsedAt.map { Timestamp($0) }, revokedAt: token.revokedAt.map { Timestamp($0) })
  }
}
