package import Foundation
package import GatehousePrimitives

/// How far a copy of old entries has got, signed by the tenant's audit key: every entry behind `after` up to `seq` was
/// given out, and held. It is the cursor of the copy, its last line, and what a cut asks for.
package struct AuditExtract: Sendable, Equatable {
  /// The copy begins behind this number.
  package var after: Int64
  /// The number of the last entry in the copy, and its hash.
  package var seq: Int64
  package var hash: [UInt8]
  /// Which entries were erased when they were copied, as `AuditCheck.erasures`. Each of their users was deleted.
  package var erasures: [UInt8]
  /// The latest moment at which one of the entries was sealed, in microseconds since 1970.
  package var latest: Int64
  /// The copy holds what was sealed before this moment, in seconds since 1970.
  package var before: Int64
  package var signedAt: Date

  package init(
    after: Int64, seq: Int64, hash: [UInt8], erasures: [UInt8], latest: Int64, before: Int64, signedAt: Date
  ) {
    self.after = after
    self.seq = seq
    self.hash = hash
    self.erasures = erasures
    self.latest = latest
    self.before = before
    self.signedAt = signedAt
  }

  /// The end of the copy as a point of the chain.
  package var end: AuditHead { AuditHead(seq: seq, hash: hash, signedAt: signedAt) }

  // Not the type of a head: the end of a copy cannot stand in the place of the head of the log.
  private static let type = "gatehouse-audit-extract"

  /// As a token.
  package func signed(for tenant: UUID, by key: P256PrivateKey) throws(CryptoError) -> String {
    let claims: JSONObject = [
      "after": .integer(after), "seq": .integer(seq), "hash": .string(Base64URL.encode(hash)),
      "erasures": .string(Base64URL.encode(erasures)), "latest": .integer(latest), "before": .integer(before),
      "iat": .integer(signedAt.wholeSeconds),
    ]
    return try AuditToken.sign(claims, type: AuditExtract.type, for: tenant, by: key)
  }

  /// Reads the statement of `token`; nil unless `key` signed it as an extract of this tenant.
  package init?(_ token: String, of tenant: UUID, key: P256PublicKey) {
    guard let claims = AuditToken.claims(token, type: AuditExtract.type, of: tenant, key: key),
      let after = claims["after"]?.integer, after >= 0, let seq = claims["seq"]?.integer, seq > after,
      let hash = claims["hash"]?.auditHash, let erasures = claims["erasures"]?.auditHash,
      let latest = claims["latest"]?.integer, let before = claims["before"]?.integer,
      let moment = claims["iat"]?.integer
    else { return nil }
    self.init(
      after: after, seq: seq, hash: hash, erasures: erasures, latest: latest, before: before,
      signedAt: Date(timeIntervalSince1970: TimeInterval(moment)))
  }
}
