// Signing keys in three states: published before it signs, signing, and published until its last token has expired.

import Foundation
import GatehousePolicy
import GatehousePrimitives

package enum Keys {
  /// For so many seconds others may keep a key set before they ask again: its `Cache-Control`.
  package static let cacheSeconds = 300
  /// A key is published so many seconds before it signs: what the caches may keep, and what a server and a fetch may need.
  package static let leadSeconds = cacheSeconds + 30
  /// So many keys wait at most, however often an operator rotates.
  private static let mostWaiting = 16
  /// Tokens end by clocks that differ.
  private static let marginSeconds: Int64 = 120

  /// Moves the keys on as far as time allows: the oldest next key signs once every verifier has had the time to fetch
  /// it, the one that signed retires, retired keys whose last token has expired go, and a new next key is published.
  ///
  /// However often this runs, no token is signed by a key that a verifier, which keeps the set as long as it may, does
  /// not have. `immediately` does not wait: for a key that an attacker may have. Throws `OperatorError` (`stale`) when
  /// another rotation was committed at the same moment.
  package static func rotate(
    _ tenant: TenantSnapshot, immediately: Bool = false, author: Author, _ services: Services
  ) async throws -> [StoredSigningKey] {
    let now = services.clock.now
    let store = services.store.open(tenant.id)
    let keys = try await store.signingKeys()
    let lives = try await TokenLives(tenant, services)
    let due = keys.filter { key in
      key.state == .next && (immediately || now.timeIntervalSince(key.changedAt) >= Double(leadSeconds))
    }
    let successor = due.min { ($0.changedAt, $0.kid) < ($1.changedAt, $1.kid) }
    var rotated = keys.compactMap { key -> StoredSigningKey? in
      if key.state == .retired, lives.areOver(of: key, at: now) { return nil }
      guard let successor else { return key }
      var key = key
      if key.kid == successor.kid {
        (key.state, key.changedAt) = (.active, now)
      } else if key.state == .active {
        (key.state, key.changedAt) = (.retired, now)
      }
      return key
    }
    if rotated.count(where: { $0.state == .next }) < mostWaiting {
      rotated.append(try KeyMaterial.signingKey(state: .next, vault: tenant.vault, at: now))
    }
    try await replace(keys, by: rotated, author, tenant, ["rotated": successor?.kid ?? "none"], services)
    return rotated
  }

  /// Takes a key out at once: its tokens are refused here from now on, and by others when they fetch the set again. If
  /// it was the signing key, the oldest next key signs from now on, or a new one.
  ///
  /// Throws `OperatorError`: there is no such key; another rotation was committed at the same moment.
  package static func retire(_ kid: String, _ tenant: TenantSnapshot, author: Author, _ services: Services)
    async throws -> [StoredSigningKey]
  {
    let now = services.clock.now
    let keys = try await services.store.open(tenant.id).signingKeys()
    guard let retired = keys.first(where: { $0.kid.utf8.elementsEqual(kid.utf8) }) else {
      throw OperatorError(.notFound, "\(tenant.name) has no key \"\(kid)\"", hint: "gatehouse key list \(tenant.name)")
    }
    var left = keys.filter { $0.kid != retired.kid }
    if retired.state == .active {
      let successor = left.filter { $0.state == .next }.min { ($0.changedAt, $0.kid) < ($1.changedAt, $1.kid) }
      if let index = left.firstIndex(where: { $0.kid == successor?.kid }) {
        (left[index].state, left[index].changedAt) = (.active, now)
      } else {
        left.append(try KeyMaterial.signingKey(state: .active, vault: tenant.vault, at: now))
      }
    }
    try await replace(keys, by: left, author, tenant, ["retired": kid], services)
    return left
  }

  private static func replace(
    _ keys: [StoredSigningKey], by others: [StoredSigningKey], _ author: Author, _ tenant: TenantSnapshot,
    _ details: [String: String], _ services: Services
  ) async throws {
    do {
      try await services.store.open(tenant.id).replace(
        others, expecting: Dictionary(uniqueKeysWithValues: keys.map { ($0.kid, $0.state) }),
        audit: author.entry(.keyRotated, services, details: details))
    } catch StoreError.refused(.keyStateIsCurrent) {
      throw OperatorError(
        .stale, "somebody rotated the keys at the same moment", hint: "gatehouse key list \(tenant.name)")
    }
  }

  /// How long tokens lived under each policy that a key may have signed under.
  private struct TokenLives {
    private var revisions: [(since: Date, life: Int64)]
    /// Newer than this, all revisions are known.
    private let isWhole: Bool

    init(_ tenant: TenantSnapshot, _ services: Services) async throws {
      let stored = try await services.store.open(tenant.id).revisions(limit: 50)
      isWhole = stored.count < 50
      revisions = stored.map { revision in
        // A text that cannot be read any more was in force all the same.
        let policy = try? TenantLoader.compile(revision, of: tenant.name)
        return (since: revision.createdAt, life: policy?.sessions.accessTokenTTL ?? TokenLives.longest)
      }
    }

    /// The longest that any policy may say.
    private static let longest: Int64 = 86_400

    /// Whether the last token that a retired key may have signed has expired.
    func areOver(of key: StoredSigningKey, at now: Date) -> Bool {
      // Newest first: those made while the key was there, and the one that was in force when it came.
      let since = revisions.prefix { $0.since >= key.createdAt }.count
      let known = since < revisions.count || isWhole
      let life = revisions.prefix(since + 1).map(\.life).max() ?? TokenLives.longest
      return now.timeIntervalSince(key.changedAt) > Double((known ? life : TokenLives.longest) + marginSeconds)
    }
  }
}
