/// The signature algorithms we read (RFC 7518 section 3.1). We sign with ES256 only.
package enum Algorithm: String, Sendable {
  case es256 = "ES256"
  case rs256 = "RS256"
}

/// A public key that may verify tokens, under its id; its kind fixes the algorithm.
package struct VerificationKey: Sendable {
  private enum Kind: Sendable {
    case p256(P256PublicKey)
    case rsa(RSAPublicKey)
  }

  /// The key id.
  package let kid: String
  private let kind: Kind

  /// An ES256 key.
  package init(kid: String, _ key: P256PublicKey) {
    self.kid = kid
    kind = .p256(key)
  }

  /// An RS256 key.
  package init(kid: String, _ key: RSAPublicKey) {
    self.kid = kid
    kind = .rsa(key)
  }

  /// The key in a JSON Web Key (RFC 7517), as identity providers publish them. `nil` for a key we cannot or must not
  /// use: without id, of another kind or curve, for encryption, for another algorithm, or with broken or weak numbers.
  package init?(jwk: JSONValue) {
    guard let kid = jwk["kid"]?.string, VerificationKey.isFor("sig", jwk["use"]) else { return nil }
    func number(_ name: String) -> [UInt8]? { jwk[name]?.string.flatMap { Base64URL.decode($0) } }
    switch jwk["kty"]?.string {
    case "EC":
      guard jwk["crv"] == .string("P-256"), let x = number("x"), let y = number("y"),
        let key = try? P256PublicKey(x: x, y: y)
      else { return nil }
      self.init(kid: kid, key)
    case "RSA":
      guard let n = number("n"), let e = number("e"), let key = try? RSAPublicKey(modulus: n, exponent: e) else {
        return nil
      }
      self.init(kid: kid, key)
    default: return nil
    }
    guard VerificationKey.isFor(algorithm.rawValue, jwk["alg"]) else { return nil }
  }

  /// Whether a member that may be left out says this, or nothing.
  private static func isFor(_ word: String, _ member: JSONValue?) -> Bool {
    switch member {
    case nil, .null: true
    case let said?: said == .string(word)
    }
  }

  /// The one algorithm this key is for.
  package var algorithm: Algorithm {
    switch kind {
    case .p256: .es256
    case .rsa: .rs256
    }
  }

  /// Whether `signature`, in the form of RFC 7518, signs `message`.
  package func verifies(_ signature: [UInt8], of message: ArraySlice<UInt8>) -> Bool {
    switch kind {
    case .p256(let key): key.verifies(signature, of: message)
    case .rsa(let key): key.verifies(signature, of: message)
    }
  }
}

/// An immutable set of keys, found by the bytes of their ids; a look-up touches nothing but this memory.
package struct VerificationKeys: Sendable {
  private let keys: [[UInt8]: VerificationKey]
  /// The identity of the set, which no other one has, even with keys of the same names.
  let identity = SecureRandom.bytes(16)

  /// Creates the set; of two keys with the same id the first counts.
  package init(_ keys: [VerificationKey]) {
    self.keys = Dictionary(keys.map { (Array($0.kid.utf8), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The keys of a JSON Web Key set that we can use; the others are left out.
  package init(jwks: JSONValue) {
    self.init((jwks["keys"]?.array ?? []).prefix(64).compactMap(VerificationKey.init(jwk:)))
  }

  /// The key with this id.
  package subscript(_ kid: String) -> VerificationKey? { kid.utf8.count <= 256 ? keys[Array(kid.utf8)] : nil }

  /// The key, where there is one alone.
  var only: VerificationKey? { keys.count == 1 ? keys.first?.value : nil }

  /// Whether the set has no key.
  package var isEmpty: Bool { keys.isEmpty }
}
