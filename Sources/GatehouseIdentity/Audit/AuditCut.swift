package import Foundation
package import GatehousePrimitives

/// A mark up to which entries of a log were exported and may go, signed by the tenant's audit key. An entry of the log
/// records it, so that the chain itself says what was cut, when, by which operator, and which export holds it.
package struct AuditCut: Sendable, Equatable {
  /// The number of the last entry that goes, and its hash: the log is checked from here on.
  package var seq: Int64
  package var hash: [UInt8]
  /// The SHA-256 digest of the exported file.
  package var export: [UInt8]
  /// The entry that records the cut.
  package var row: UUID
  /// Its actor.
  package var actor: String
  package var signedAt: Date

  package init(seq: Int64, hash: [UInt8], export: [UInt8], row: UUID, actor: String, signedAt: Date) {
    self.seq = seq
    self.hash = hash
    self.export = export
    self.row = row
    self.actor = actor
    self.signedAt = signedAt
  }

  private static let type = "gatehouse-audit-cut"

  /// As a token.
  package func signed(for tenant: UUID, by key: P256PrivateKey) throws(CryptoError) -> String {
    let claims: JSONObject = [
      "seq": .integer(seq), "hash": .string(Base64URL.encode(hash)), "export": .string(Hex.encode(export)),
      "row": .string(row.text), "actor": .string(actor), "iat": .integer(signedAt.wholeSeconds),
    ]
    return try AuditToken.sign(claims, type: AuditCut.type, for: tenant, by: key)
  }

  /// The cut that `token` states; nil unless `key` signed it as a cut of this tenant's log.
  package init?(_ token: String, of tenant: UUID, key: P256PublicKey) {
    guard let claims = AuditToken.claims(token, type: AuditCut.type, of: tenant, key: key),
      let seq = claims["seq"]?.integer, seq > 0, let hash = claims["hash"]?.auditHash,
      let export = claims["export"]?.string.flatMap(Hex.decode), export.count == 32,
      let row = claims["row"]?.string.flatMap(UUID.init(text:)), let actor = claims["actor"]?.string,
      let moment = claims["iat"]?.integer
    else { return nil }
    self.init(
      seq: seq, hash: hash, export: export, row: row, actor: actor,
      signedAt: Date(timeIntervalSince1970: TimeInterval(moment)))
  }

  /// The details of the entry that records a cut.
  package static func details(seq: Int64, hash: [UInt8], export: [UInt8]) -> [String: String] {
    ["seq": String(seq), "hash": Base64URL.encode(hash), "export": Hex.encode(export)]
  }

  /// Whether this is the entry that records the cut.
  package func isRecorded(by entry: TrailRow) -> Bool {
    guard entry.id == row, entry.event == AuditEvent.auditCut.rawValue, entry.actor == actor,
      let details = try? JSONParser.parse(entry.erasable.details, limits: .stored)
    else { return false }
    return AuditCut.details(seq: seq, hash: hash, export: export).allSatisfy { details[$0.key]?.string == $0.value }
  }
}

/// A cut as it is stored.
package struct StoredAuditCut: Sendable, Equatable {
  package var seq: Int64
  package var row: UUID
  package var token: String

  package init(seq: Int64, row: UUID, token: String) {
    self.seq = seq
    self.row = row
    self.token = token
  }
}

/// The beginning of a stored log.
package struct StoredAuditOrigin: Sendable, Equatable {
  /// The number of the first entry that is there; nil where none is sealed.
  package var first: Int64?
  /// The stored cuts that the log may begin behind, in the order of their numbers.
  package var cuts: [StoredAuditCut]

  package init(first: Int64?, cuts: [StoredAuditCut]) {
    self.first = first
    self.cuts = cuts
  }
}
