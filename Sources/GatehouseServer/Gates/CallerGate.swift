package import Foundation
package import GatehouseIdentity
import GatehousePrimitives
import GatehouseRuntime
import GatehouseWire

/// Makes a caller of an access token, or refuses it. A server uses `AccessTokens.verify`; there is no other in
/// `Sources` but for tests' own, which no executable links.
package typealias TokenVerifier = @Sendable (String, TenantSnapshot, Date) throws(Refusal) -> Caller

/// The caller of a request, by the access token in the `Authorization` field (RFC 6750 section 2.1), and nowhere else.
struct CallerGate: Sendable {
  let verify: TokenVerifier

  /// The verifier of the API, which is for the own app alone, with a cache of its own for valid signatures.
  static func verifier() -> TokenVerifier {
    let memory = VerifiedTokenCache()
    return { token, tenant, now throws(Refusal) in
      try AccessTokens.verify(token, tenant, for: tenant.app, at: now, memory: memory)
    }
  }

  func caller(_ request: Request, _ auth: Route.Auth, _ tenant: TenantSnapshot, at now: Date) throws -> Caller? {
    guard auth != .anonymous else { return nil }
    let fields = request.headers.values(of: "authorization")
    guard fields.count <= 1 else { throw Refusal.malformed("", "one Authorization field at most") }
    guard let field = fields.first else {
      if auth == .user { throw Refusal(.unauthenticated) }
      return nil
    }
    let parts = field.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { throw Refusal(.unauthenticated) }
    do throws(Refusal) {
      return try verify(String(parts[1]), tenant, now)
    } catch {
      if auth == .userOrExpired, error.code == .tokenExpired { return nil }
      throw error
    }
  }
}
