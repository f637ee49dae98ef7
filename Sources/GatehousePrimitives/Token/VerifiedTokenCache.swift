/// Signatures that were found right lately, so that a token that comes with every request is checked once.
///
/// It remembers nothing but that these keys verify this very token, which never changes; everything that can change
/// (the token's times, the keys a tenant has today) is judged anew each time. Bounded: it forgets the older half when
/// full.
package final class VerifiedTokenCache: Sendable {
  private struct Generations {
    var young: [[UInt8]: JSONValue] = [:]
    var old: [[UInt8]: JSONValue] = [:]
  }

  /// How many are remembered at least, before the oldest are forgotten; twice as many at most.
  private let limit: Int
  private let generations = LockBox(Generations())

  /// - Parameter limit: tokens; one of usual size takes about 2 KB.
  package init(limit: Int = 4096) { self.limit = max(1, limit) }

  /// The claims of a token that was checked before.
  func claims(of digest: [UInt8]) -> JSONValue? {
    generations.withLock { known in
      if let claims = known.young[digest] { return claims }
      guard let claims = known.old[digest] else { return nil }
      insert(digest, claims, &known)
      return claims
    }
  }

  /// A token whose signature holds.
  func remember(_ digest: [UInt8], _ claims: JSONValue) {
    generations.withLock { insert(digest, claims, &$0) }
  }

  private func insert(_ digest: [UInt8], _ claims: JSONValue, _ known: inout Generations) {
    if known.young.count >= limit {
      known.old = known.young
      known.young = [:]
    }
    known.young[digest] = claims
  }
}
