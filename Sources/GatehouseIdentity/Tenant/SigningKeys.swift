package import GatehousePrimitives
import Synchronization

/// A tenant's signing keys, unsealed. A class, because each request hands them on.
package final class SigningKeys: Sendable {
  /// A key. It is read at its first use: of many tenants most are idle, and to read a key costs as much time and memory
  /// as all else of a tenant.
  package final class Key: Sendable {
    package let kid: String
    private let source: Secret<[UInt8]>
    private let known = AtomicLazyReference<P256PrivateKey>()

    /// - Parameter pkcs8: the key as PKCS #8 DER.
    package init(kid: String, pkcs8: Secret<[UInt8]>) {
      self.kid = kid
      source = pkcs8
    }

    /// The key itself. Throws where the bytes are none.
    package func read() throws(CryptoError) -> P256PrivateKey {
      if let key = known.load() { return key }
      return known.storeIfNil(try P256PrivateKey(pkcs8: source))
    }
  }

  private final class Verifying: Sendable {
    let keys: VerificationKeys
    init(_ keys: VerificationKeys) { self.keys = keys }
  }

  /// Signs.
  package let active: Key
  /// Every key whose tokens may be met or will be soon: next, active and retired ones.
  package let published: [Key]
  private let verifying = AtomicLazyReference<Verifying>()

  package init(active: Key, published: [Key]) {
    self.active = active
    self.published = published
  }

  /// The public halves, as a verifier takes them. A key that cannot be read verifies nothing.
  package var verification: VerificationKeys {
    if let known = verifying.load() { return known.keys }
    let keys = published.compactMap { key in
      (try? key.read()).map { VerificationKey(kid: key.kid, $0.publicKey) }
    }
    return verifying.storeIfNil(Verifying(VerificationKeys(keys))).keys
  }

  /// The public key set (RFC 7517), as other parties fetch it.
  package func jwks() throws -> [PublicJWK] {
    try published.map { PublicJWK(try $0.read().publicKey, kid: $0.kid) }
  }
}
