// The tokens of the admin API: 256 random bits that only their bearer knows, named, scoped, ending by themselves.

import Foundation
import GatehousePrimitives
import GatehouseAdminWire
import GatehouseWire

package enum AdminTokens {
  /// The operator that bears this token. Nil for a token that never existed, was revoked or has expired: the caller
  /// does not learn which.
  package static func bearer(of text: String, _ services: Services) async throws -> Operator? {
    guard let hash = OpaqueToken.digest(of: text, kind: .administrator) else { return nil }
    return try await services.adminTokens.liveAdminToken(hash: hash).map { Operator($0, hash: hash) }
  }

  /// Each tenant's audit log says which token may touch it from now on, or may not any more; the installation's log
  /// says it of all.
  static func audit(_ event: AuditEvent, _ token: AdminToken, _ call: OperatorCall) async throws
    -> [TenantID: AuditEntry]
  {
    let there = try await call.services.directory.tenants().map(\.id)
    let touched = token.tenants.map { wanted in there.filter(wanted.contains) } ?? there
    let author = try call.author()
    return Dictionary(
      uniqueKeysWithValues: (touched + [.installation]).map { tenant in
        let details = [
          "name": token.name, "scopes": token.scopes.map(\.rawValue).joined(separator: " "),
          "tenants": token.tenants == nil ? "all" : "listed", "expires_at": "\(Timestamp(token.expiresAt))",
        ]
        return (tenant, author.entry(event, call.services, details: details))
      })
  }

  /// A token may see and end only what could not do more than itself.
  static func isWithin(_ who: Operator, _ token: AdminToken) -> Bool {
    let isNear = who.reachesAll || (token.tenants?.allSatisfy(who.reaches) ?? false)
    // GUARD: admin token: ends none that could do more
    return isNear && token.scopes.allSatisfy(who.allows)
  }

  static func tenantNames(_ services: Services) async throws -> [TenantID: String] {
    Dictionary(uniqueKeysWithValues: try await services.directory.tenants().map { ($0.id, $0.name.description) })
  }

  static func summary(_ token: AdminToken, _ names: [TenantID: String]) -> AdminTokenSummary {
    AdminTokenSummary(
      name: token.name, scopes: token.scopes, tenants: token.tenants.map { $0.compactMap { names[$0] }.sorted() },
      createdAt: Timestamp(token.createdAt), createdBy: token.createdBy, expiresAt: Timestamp(token.expiresAt),
      lastUsedAt: token.lastUsedAt.map { Timestamp($0) }, revokedAt: token.revokedAt.map { Timestamp($0) })
  }
}
