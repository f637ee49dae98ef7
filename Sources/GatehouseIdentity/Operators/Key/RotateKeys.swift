import Foundation
import GatehousePolicy
import GatehousePrimitives
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse key rotate`: moves the keys on as far as time allows.
///
/// The oldest next key signs once every verifier has had the time to fetch it, the one that signed retires, retired
/// keys whose last token has expired go, and a new next key is published. However often this runs, no token is signed
/// by a key that a verifier, which keeps the set as long as it may, does not have. `now` does not wait: for a key that
/// an attacker may have.
package enum RotateKeys {
  /// So many keys wait at most, however often an operator rotates.
  private static let mostWaiting = 16

  package static func run(_ input: RotateKeysOperation.Input, _ call: OperatorCall) async throws -> SigningKeyList {
    let seen = try await call.call(input.tenant)
    let now = seen.now
    let keys = try await call.store(of: seen).signingKeys()
    let lives = try await TokenLives(seen, call)
    let successor = Keys.successor(
      among: keys.filter { input.now == true || now.timeIntervalSince($0.changedAt) >= Double(Keys.leadSeconds) })
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
      rotated.append(try KeyMaterial.signingKey(state: .next, vault: seen.tenant.vault, at: now))
    }
    try await Keys.replace(keys, by: rotated, ["rotated": successor?.kid ?? "none"], seen, call)
    return SigningKeyList(rotated)
  }

  /// How long tokens lived under each policy that a key may have signed under.
  private struct TokenLives {
    private var revisions: [(since: Date, life: Int64)]
    /// Newer than this, all revisions are known.
    private let isWhole: Bool

    /// The longest that any policy may say.
    private static let longest: Int64 = 86_400
    /// Tokens end by clocks that differ.
    private static let marginSeconds: Int64 = 120

    init(_ seen: Call, _ call: OperatorCall) async throws {
      let stored = try await call.store(of: seen).revisions(limit: 50)
      isWhole = stored.count < 50
      revisions = stored.map { revision in
        // A text that cannot be read any more was in force all the same.
        let policy = try? TenantLoader.compile(revision.file(of: seen.tenant.name))
        return (since: revision.createdAt, life: policy?.sessions.accessTokenTTL ?? Self.longest)
      }
    }

    /// Whether the last token that a retired key may have signed has expired.
    func areOver(of key: StoredSigningKey, at now: Date) -> Bool {
      // Newest first: those made while the key was there, and the one that was in force when it came.
      let since = revisions.prefix { $0.since >= key.createdAt }.count
      let known = since < revisions.count || isWhole
      let life = revisions.prefix(since + 1).map(\.life).max() ?? Self.longest
      return now.timeIntervalSince(key.changedAt) > Double((known ? life : Self.longest) + Self.marginSeconds)
    }
  }
}
