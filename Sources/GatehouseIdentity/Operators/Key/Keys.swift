// Signing keys in three states: published before it signs, signing, and published until its last token has expired.

import Foundation
import GatehousePrimitives
import GatehouseAdminWire
import GatehouseWire

package enum Keys {
  /// For so many seconds others may keep a key set before they ask again: its `Cache-Control`.
  package static let cacheSeconds = 300
  /// A key is published so many seconds before it signs: what the caches may keep, and what a server and a fetch may
  /// need.
  package static let leadSeconds = cacheSeconds + 30

  /// The next key that has waited the longest.
  static func successor(among keys: some Sequence<StoredSigningKey>) -> StoredSigningKey? {
    keys.filter { $0.state == .next }.min { ($0.changedAt, $0.kid) < ($1.changedAt, $1.kid) }
  }

  /// Puts keys in the place of those that were read. Throws `OperatorError` (`stale`) when another rotation was
  /// committed at the same moment.
  static func replace(
    _ keys: [StoredSigningKey], by others: [StoredSigningKey], _ details: [String: String], _ seen: Call,
    _ call: OperatorCall
  ) async throws {
    do {
      try await call.store(of: seen).replace(
        others, expecting: Dictionary(uniqueKeysWithValues: keys.map { ($0.kid, $0.state) }),
        audit: try call.entry(.keyRotated, details: details))
    } catch StoreError.refused(.keyStateIsCurrent) {
      throw OperatorError(
        .stale, "the keys were rotated at the same moment", hint: "gatehouse key list \(seen.tenant.name)")
    }
  }
}

extension SigningKeyList {
  init(_ keys: [StoredSigningKey]) {
    self.init(
      items: keys.map { key in
        SigningKeySummary(
          kid: key.kid, state: key.state.rawValue, createdAt: Timestamp(key.createdAt),
          changedAt: Timestamp(key.changedAt))
      })
  }
}
