import Foundation
import GatehousePrimitives

/// Statements signed by a tenant's audit key: a JWS (RFC 7515, ES256) that any holder of the public key can check. The
/// private key lies in the database only under the key-encryption key, so that an attacker who has only the database
/// cannot sign. The header's type keeps one kind of statement from standing for another.
enum AuditToken {
  static func sign(_ claims: JSONObject, type: String, for tenant: UUID, by key: P256PrivateKey) throws(CryptoError)
    -> String
  {
    var claims = claims
    claims["tenant"] = .string(tenant.text)
    return try JWT.sign(
      claims: JSONValue.object(claims).bytes, type: type, kid: PublicJWK.thumbprint(key.publicKey), key: key)
  }

  /// The claims of `token`; nil unless `key` signed it as a statement of this type about this tenant.
  static func claims(_ token: String, type: String, of tenant: UUID, key: P256PublicKey) -> JSONValue? {
    let bytes = Array(token.utf8)
    let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
    guard bytes.count <= JWT.maximumSize, parts.count == 3, let header = object(parts[0]),
      header["typ"]?.string?.utf8.elementsEqual(type.utf8) == true, header["crit"] == nil,
      let signature = Base64URL.decode(parts[2]),
      key.verifies(signature, of: bytes[..<(parts[2].startIndex - 1)]),  // GUARD: audit: signed by the tenant's key
      let claims = object(parts[1]),
      claims["tenant"]?.string?.utf8.elementsEqual(tenant.text.utf8) == true
    else { return nil }
    return claims
  }

  private static func object(_ part: ArraySlice<UInt8>) -> JSONValue? {
    Base64URL.decode(part).flatMap { try? JSONParser.parse($0) }
  }
}

extension JSONValue {
  /// The 32 bytes of a hash in base64url.
  var auditHash: [UInt8]? {
    guard let bytes = string.flatMap(Base64URL.decode), bytes.count == 32 else { return nil }
    return bytes
  }
}
