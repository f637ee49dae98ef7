/// The public half of a signing key as a JSON Web Key (RFC 7517), with the members a key set may show and no other.
package struct PublicJWK: Encodable, Sendable {
  /// Key type, curve, coordinates in base64url, key id, use and algorithm.
  package let kty, crv, x, y, kid, use, alg: String

  /// The public key under this id.
  package init(_ key: P256PublicKey, kid: String) {
    kty = "EC"
    crv = "P-256"
    x = Base64URL.encode(key.x)
    y = Base64URL.encode(key.y)
    self.kid = kid
    use = "sig"
    alg = Algorithm.es256.rawValue
  }

  /// The thumbprint of a key (RFC 7638), our choice of key id: base64url of SHA-256, 43 characters.
  package static func thumbprint(_ key: P256PublicKey) -> String {
    let canonical =
      #"{"crv":"P-256","kty":"EC","x":""# + Base64URL.encode(key.x) + #"","y":""# + Base64URL.encode(key.y) + #""}"#
    return Base64URL.encode(SHA256.digest(canonical))
  }

  /// A new key whose id people can type: a thumbprint that begins with `-` reads as a flag. (One key in 64 is made
  /// again.)
  package static func generateKey() throws -> P256PrivateKey {
    while true {
      let key = try P256PrivateKey.generate()
      if !thumbprint(key.publicKey).hasPrefix("-") { return key }
    }
  }
}
