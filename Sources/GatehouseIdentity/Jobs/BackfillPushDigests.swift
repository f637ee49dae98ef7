// Push tokens that a build before `session.push_token_digest` stored get their digests, so that a later registration of
// the same token takes them away.

import Foundation
import GatehousePrimitives

package struct BackfillPushDigests: Sendable {
  private let services: Services

  /// Tokens that are opened at a time.
  private static let batch = 500

  /// Seconds until a tenant is looked at again: a server of the release before may have stored more.
  private static let pause: Double = 3600
  private let looks = LockBox<[TenantID: Date]>([:])

  package init(_ services: Services) { self.services = services }

  /// One round over all tenants whose turn it is.
  package func runOnce() async throws {
    for tenant in services.registry.all {
      let now = services.clock.now
      guard looks.withLock({ $0[tenant.id] }).map({ $0 <= now }) ?? true else { continue }
      let store = services.store.open(tenant.id)
      var last: SessionID?
      while true {
        let found = try await store.pushTokensWithoutDigest(after: last, limit: Self.batch)
        let known = found.compactMap { stored -> StoredPushToken? in
          // What no key opens any more is no token that could reach a device.
          guard let text = try? tenant.vault.open(stored.token.sealed, for: .pushToken(stored.session)) else {
            return nil
          }
          var stored = stored
          stored.token.digest = text.expose { PushToken.digest($0, stored.token.platform, in: tenant.vault) }
          return stored
        }
        if !known.isEmpty { try await store.noteDigests(of: known) }
        guard found.count == Self.batch, let end = found.last else { break }
        last = end.session
      }
      looks.withLock { $0[tenant.id] = now.addingTimeInterval(Self.pause) }
    }
  }
}
