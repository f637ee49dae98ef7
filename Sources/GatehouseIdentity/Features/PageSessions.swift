// The session of a browser at the hosted pages, by its cookie.

import Foundation
import GatehousePolicy
import GatehousePrimitives

package enum PageSessions {
  /// Seconds after which a use is written down again.
  private static let touchSeconds: TimeInterval = 60

  /// The person whose browser presents this secret; nil where no session of it lives, or the account is disabled.
  package static func find(_ secret: String, _ call: Call, _ services: Services) async throws -> SignedIn? {
    let store = services.store.open(call.tenant.id)
    let rules = call.policy.sessions
    guard let hash = OpaqueToken.digest(of: secret, kind: .pageSession),
      let found = try await store.pageSession(hash: hash),
      // GUARD: pages: the session lives
      found.session.isLive(at: call.now, under: rules),
      // GUARD: pages: no session of a disabled account
      found.user.disabledAt == nil
    else { return nil }
    let signedIn = SignedIn(session: found.session, user: found.user)
    if call.now.timeIntervalSince(found.session.lastSeenAt) >= touchSeconds {
      try await store.commit(
        [.session(.touch(found.session.id, idleTTL: rules.pageIdleTTL))], as: .caller(signedIn, restingOn: .session))
    }
    return signedIn
  }

  /// The form token of the forms that are made for the holder of the cookie.
  package static func formToken(of secret: String) -> String { Base64URL.encode(SHA256.digest("form " + secret)) }
}
