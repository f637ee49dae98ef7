package import Foundation
package import GatehousePrimitives

/// How far a tenant's chain went at some moment, signed by the tenant's audit key: a JWS (RFC 7515, ES256) that any
/// holder of the public key can check. The private key lies in the database only under the key-encryption key, so that
/// an attacker who has only the database cannot sign for another history.
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
      "tenant": .string(tenant.text), "seq": .integer(seq), "hash": .string(Base64URL.encode(hash)),
      "iat": .integer(signedAt.wholeSeconds),
    ]
    return try JWT.sign(
      claims: JSONValue.object(claims).bytes, type: AuditHead.type, kid: PublicJWK.thumbprint(key.publicKey), key: key)
  }

  /// The head that `token` states; nil unless `key` signed it as a head of this tenant.
  package init?(_ token: String, of tenant: UUID, key: P256PublicKey) {
    let bytes = Array(token.utf8)
    let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
    guard bytes.count <= JWT.maximumSize, parts.count == 3, let header = AuditHead.object(parts[0]),
      header["typ"]?.string?.utf8.elementsEqual(AuditHead.type.utf8) == true, header["crit"] == nil,
      let signature = Base64URL.decode(parts[2]),
      key.verifies(signature, of: bytes[..<(parts[2].startIndex - 1)]),
      let claims = AuditHead.object(parts[1]),
      claims["tenant"]?.string?.utf8.elementsEqual(tenant.text.utf8) == true,
      let seq = claims["seq"]?.integer, seq > 0, let hash = claims["hash"]?.string.flatMap(Base64URL.decode),
      hash.count == 32, let moment = claims["iat"]?.integer
    else { return nil }
    self.init(seq: seq, hash: hash, signedAt: Date(timeIntervalSince1970: TimeInterval(moment)))
  }

  private static func object(_ part: ArraySlice<UInt8>) -> JSONValue? {
    Base64URL.decode(part).flatMap { try? JSONParser.parse($0) }
  }
}
