package import Foundation
package import GatehousePrimitives

/// How far a tenant's chain went at some moment, signed by the tenant's audit key.
package struct AuditHead: Sendable, Equatable {
  /// The number of the last link.
  package var seq: Int64
  /// Its hash.
  package var hash: [UInt8]
  package var signedAt: Date

  package init(seq: Int64, hash: [UInt8], signedAt: Date) {
    self.seq = seq
    self.hash = hash
    self.signedAt = signedAt
  }

  private static let type = "gatehouse-audit-head"

  /// The head as a token.
  package func signed(for tenant: UUID, by key: P256PrivateKey) throws(CryptoError) -> String {
    let claims: JSONObject = [
      "seq": .integer(seq), "hash": .string(Base64URL.encode(hash)), "iat": .integer(signedAt.wholeSeconds),
    ]
    return try AuditToken.sign(claims, type: AuditHead.type, for: tenant, by: key)
  }

  /// The head that `token` states; nil unless `key` signed it as a head of this tenant.
  package init?(_ token: String, of tenant: UUID, key: P256PublicKey) {
    guard let claims = AuditToken.claims(token, type: AuditHead.type, of: tenant, key: key),
      let seq = claims["seq"]?.integer, seq > 0, let hash = claims["hash"]?.auditHash,
      let moment = claims["iat"]?.integer
    else { return nil }
    self.init(seq: seq, hash: hash, signedAt: Date(timeIntervalSince1970: TimeInterval(moment)))
  }

  /// The point of the log that an export ends at: a head, or the end of a copy that was made for a cut.
  package init?(known token: String, of tenant: UUID, key: P256PublicKey) {
    if let head = AuditHead(token, of: tenant, key: key) {
      self = head
    } else if let extract = AuditExtract(token, of: tenant, key: key) {
      self = extract.end
    } else {
      return nil
    }
  }
}
