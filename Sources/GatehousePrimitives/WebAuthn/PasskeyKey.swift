/// The algorithms of passkeys, by their numbers in COSE (RFC 9053, RFC 8812), the preferred one first.
package enum PasskeyAlgorithm: Int, Sendable, CaseIterable {
  case es256 = -7
  case edDSA = -8
  case rs256 = -257
}

/// The public key of a passkey, and the one algorithm that it is for.
package struct PasskeyKey: Sendable {
  package let algorithm: PasskeyAlgorithm
  private let key: SPKIKey

  /// The stored form: SubjectPublicKeyInfo (RFC 5280), DER.
  package var spki: [UInt8] { key.spki }

  /// The key in its stored form.
  /// - Throws: `PasskeyProblem.badKey` unless the bytes are a sound key of this algorithm.
  package init(spki: [UInt8], algorithm: PasskeyAlgorithm) throws(PasskeyProblem) {
    guard let key = try? SPKIKey(spki: spki), key.kind == algorithm.kind else { throw .badKey }
    (self.key, self.algorithm) = (key, algorithm)
  }

  /// The key in the form of COSE, with the members that WebAuthn section 6.5.1.1 demands and no other.
  init(cose: CBORValue, among algorithms: [PasskeyAlgorithm]) throws(PasskeyProblem) {
    guard let number = cose[3]?.integer else { throw .badKey }
    guard let algorithm = PasskeyAlgorithm(rawValue: number) else { throw .otherAlgorithm }
    // GUARD: passkey: an algorithm that was offered
    guard algorithms.contains(algorithm) else { throw .otherAlgorithm }
    guard let key = Self.key(of: cose, algorithm) else { throw .badKey }
    (self.key, self.algorithm) = (key, algorithm)
  }

  /// Labels of RFC 9053 section 7 and RFC 8230 section 4.
  private static func key(of cose: CBORValue, _ algorithm: PasskeyAlgorithm) -> SPKIKey? {
    let (kind, count) = (cose[1]?.integer, cose.members?.count)
    switch algorithm {
    case .es256:
      guard kind == 2, count == 5, cose[-1]?.integer == 1, let x = cose[-2]?.bytes, let y = cose[-3]?.bytes,
        x.count == 32, y.count == 32
      else { return nil }
      return try? SPKIKey(point: [4] + x + y)
    case .edDSA:
      guard kind == 1, count == 4, cose[-1]?.integer == 6, let x = cose[-2]?.bytes else { return nil }
      return try? SPKIKey(ed25519: x)
    case .rs256:
      guard kind == 3, count == 4, let n = cose[-1]?.bytes, let e = cose[-2]?.bytes else { return nil }
      return try? SPKIKey(modulus: n, exponent: e)
    }
  }

  /// The point of a key on P-256, uncompressed: 65 bytes. Nil for other keys.
  var point: [UInt8]? { key.point }

  /// Whether `signature`, in the form of its algorithm (WebAuthn section 6.5.5), is one of `message`.
  package func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool { key.verifies(signature, of: message) }
}

extension PasskeyAlgorithm {
  /// The kind of key that it needs.
  fileprivate var kind: SPKIKey.Kind {
    switch self {
    case .es256: .p256
    case .edDSA: .ed25519
    case .rs256: .rsa
    }
  }
}
