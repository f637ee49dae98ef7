import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseRuntime
import GatehouseWire

/// Who asks: the access token in the `Authorization` field (RFC 6750 section 2.1), and nowhere else.
enum CallerGate {
  static func caller(
    _ request: Request, _ auth: Route.Auth, _ tenant: TenantSnapshot, at now: Date, memory: SignatureMemory
  ) throws -> Caller? {
    guard auth != .nobody else { return nil }
    let fields = request.headers.values(of: "authorization")
    guard fields.count <= 1 else { throw Refusal.malformed("", "one Authorization field at most") }
    guard let field = fields.first else {
      if auth == .user { throw Refusal(.unauthenticated) }
      return nil
    }
    let parts = field.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { throw Refusal(.unauthenticated) }
    do {
      return try AccessTokens.verify(String(parts[1]), tenant, at: now, memory: memory)
    } catch {
      if auth == .userOrExpired, error.code == .tokenExpired { return nil }
      throw error
    }
  }
}
