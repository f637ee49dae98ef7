@testable import GatehousePrimitives

extension FuzzTarget {
  /// Whole tokens: only the one that was signed is accepted.
  static let token = FuzzTarget(name: "token") { bytes in
    let bench = TokenBench.shared
    for type in [TokenType.exactly("at+jwt"), .providerIDToken] {
      let verified = try? JWT.verify(bytes, type: type, keys: bench.keys, now: TokenBench.now, leeway: 60)
      if verified != nil, bytes != bench.signed { return "a token without a valid signature is accepted" }
    }
    return nil
  }

  /// Claims under a good signature: accepted only as an object whose times hold.
  static let claims = FuzzTarget(name: "claims") { bytes in
    guard bytes.count < 4096 else { return nil }
    let bench = TokenBench.shared
    guard let token = try? JWT.sign(claims: bytes, type: "at+jwt", kid: "own", key: bench.key) else {
      return "not signed"
    }
    guard
      let verified = try? JWT.verify(token, type: .exactly("at+jwt"), keys: bench.keys, now: TokenBench.now)
    else { return nil }
    guard case .object = verified.claims else { return "claims that are no object" }
    return verified.expiresAt > TokenBench.now && verified.issuedAt <= TokenBench.now ? nil : "out of its time"
  }

  /// Key sets of identity providers: the keys that are taken from one can be used without a trap.
  static let keySet = FuzzTarget(name: "key-set") { bytes in
    guard let value = try? JSONParser.parse(bytes) else { return nil }
    for case let jwk in [value] + (value["keys"]?.array ?? []).prefix(64) {
      guard let key = VerificationKey(jwk: jwk) else { continue }
      if key.verifies([UInt8](repeating: 1, count: 64), of: [1, 2, 3][...]) { return "verifies an unsigned text" }
    }
    _ = VerificationKeys(jwks: value)[""]
    return nil
  }
}

/// Keys and a token for the targets. The private half of the token's key was thrown away.
private struct TokenBench: Sendable {
  static let shared = TokenBench()
  static let now: Int64 = 1_700_000_001

  let key: P256PrivateKey
  let keys: VerificationKeys
  let signed: [UInt8]

  private init() {
    guard let key = try? P256PrivateKey.generate(),
      let signed = try? JWT.sign(
        claims: Array(#"{"iss":"a","iat":1700000000,"exp":1700003600}"#.utf8), type: "at+jwt", kid: "other", key: key)
    else { fatalError("no key can be made") }
    self.key = key
    self.signed = Array(signed.utf8)
    keys = VerificationKeys([VerificationKey(kid: "own", key.publicKey), VerificationKey(kid: "other", key.publicKey)])
  }
}
