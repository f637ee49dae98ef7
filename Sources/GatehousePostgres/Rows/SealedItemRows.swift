import Foundation
import GatehouseIdentity
import GatehousePrimitives

/// Statements over what is kept for providers, by how it is sealed.
enum SealedItemRows {
  /// Whether a release before this one sealed it. The index of m0038 has the same words.
  static let isUnboundGrant: SQL = "substr(sealed_tokens, 1, 1) <> '\\x02'::bytea"
  static let isUnboundSecret: SQL = "substr(sealed, 1, 1) <> '\\x02'::bytea"

  static func bind(_ item: SealedItem, as sealed: [UInt8]) -> SQL {
    switch item.place {
    case .secret(let name):
      "UPDATE secret SET sealed = \(sealed) WHERE name = \(name) AND /* GUARD: bind: a secret as it was read */ sealed = \(item.sealed)"
    case .grant(let user, let provider, _):
      """
      UPDATE provider_grant SET sealed_tokens = \(sealed)
      WHERE account_id = \(user.uuid) AND provider = \(provider)
        AND /* GUARD: bind: a grant as it was read */ sealed_tokens = \(item.sealed)
      """
    case .revocation(let id, _, _, _):
      """
      UPDATE provider_revocation SET sealed_tokens = \(sealed)
      WHERE id = \(id) AND /* GUARD: bind: an order as it was read */ sealed_tokens = \(item.sealed)
      """
    }
  }
}

extension PostgresTenantStore {
  func unboundItems(limit: Int) async throws -> [SealedItem] {
    let limit = max(1, limit)
    let secrets = try await read(
      "SELECT name, sealed FROM secret WHERE \(SealedItemRows.isUnboundSecret) LIMIT \(limit)"
    ).read { SealedItem(.secret(name: try $0.next()), sealed: try $0.next()) }
    let grants = try await read(
      """
      SELECT account_id, provider, version, sealed_tokens FROM provider_grant
      WHERE \(SealedItemRows.isUnboundGrant) LIMIT \(limit)
      """
    ).read {
      SealedItem(
        .grant(try $0.next(), provider: try $0.next(), version: try $0.next()), sealed: try $0.next())
    }
    let orders = try await read(
      """
      SELECT id, account_id, provider, version, sealed_tokens FROM provider_revocation
      WHERE \(SealedItemRows.isUnboundGrant) LIMIT \(limit)
      """
    ).read {
      SealedItem(
        .revocation(try $0.next(), of: try $0.next(), provider: try $0.next(), version: try $0.next()),
        sealed: try $0.next())
    }
    return Array((secrets + grants + orders).prefix(limit))
  }

  func bind(_ items: [(SealedItem, as: [UInt8])]) async throws {
    guard !items.isEmpty else { return }
    _ = try await write(items.map { SealedItemRows.bind($0.0, as: $0.as) })
  }

  func endUnbound() async throws -> Bool {
    let rows = try await write([
      """
      UPDATE tenant SET pinned_revision = NULL WHERE id = gatehouse.tenant()
        AND NOT EXISTS (SELECT FROM secret WHERE \(SealedItemRows.isUnboundSecret))
        AND NOT EXISTS (SELECT FROM provider_grant WHERE \(SealedItemRows.isUnboundGrant))
        AND NOT EXISTS (SELECT FROM provider_revocation WHERE \(SealedItemRows.isUnboundGrant))
      RETURNING 1
      """, TenantRows.notify,
    ])
    return try rows[0].single() != nil
  }

  func healableLinks(at provider: String, to destinations: [Destination], limit: Int) async throws -> [UserID] {
    try await read(
      """
      SELECT account_id FROM provider_identity AS link JOIN provider_grant AS held USING (account_id, provider)
      WHERE provider = \(provider) AND link.state = 'broken'
        AND encode(substr(held.sealed_tokens, 1, 33), 'hex') = ANY(\(destinations.map { Hex.encode(Vault.mark($0)) }))
      LIMIT \(max(1, limit))
      """
    ).read { try $0.next() }
  }
}
