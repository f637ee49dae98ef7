/// Signed JSON Web Tokens (RFC 7519) in the compact form of RFC 7515, read with the care of RFC 8725: the key decides
/// the algorithm, never the token; one `typ` for each use; nothing a token says is fetched or obeyed before its
/// signature holds.
package enum JWT {
  /// A token longer than this is not looked at, in bytes.
  package static let maximumSize = 8 * 1024

  /// A token with these claims.
  /// - Parameters:
  ///   - claims: a JSON object, as bytes; signed as they are.
  ///   - type: the header's `typ`, for example `at+jwt` (RFC 9068).
  ///   - kid: names the key in the key set.
  package static func sign(
    claims: [UInt8], type: String, kid: String, key: P256PrivateKey
  ) throws(CryptoError) -> String {
    var header = JSONWriter(capacity: 128)
    header.beginObject()
    header.key("alg")
    header.string(Algorithm.es256.rawValue)
    header.key("typ")
    header.string(type)
    header.key("kid")
    header.string(kid)
    header.endObject()
    let dot = UInt8(ascii: ".")
    var token = Base64URL.encodedBytes(header.bytes) + [dot] + Base64URL.encodedBytes(claims)
    token += [dot] + Base64URL.encodedBytes(try key.sign(token))
    return String(decoding: token, as: UTF8.self)
  }

  /// Checks a token and gives its claims. The caller still compares `iss`, `aud` and what else the use demands.
  /// - Parameters:
  ///   - type: the one `typ` this use accepts.
  ///   - keys: the only keys tried; the token's `kid` picks one by its bytes.
  ///   - now: Unix time in seconds.
  ///   - leeway: seconds of clock difference to forgive, 60 at most.
  ///   - memory: where tokens whose signature holds are remembered, for uses where the same one comes often.
  /// - Throws: `JWTError`; all but `expired` mean the same to a caller: not signed in.
  package static func verify(
    _ token: String, type: TokenType, keys: VerificationKeys, now: Int64, leeway: Int64 = 0,
    memory: VerifiedTokenCache? = nil
  ) throws(JWTError) -> VerifiedToken {
    try verify(Array(token.utf8), type: type, keys: keys, now: now, leeway: leeway, memory: memory)
  }

  /// Verifies the bytes of a token.
  package static func verify(
    _ token: [UInt8], type: TokenType, keys: VerificationKeys, now: Int64, leeway: Int64 = 0,
    memory: VerifiedTokenCache? = nil
  ) throws(JWTError) -> VerifiedToken {
    // GUARD: jwt: size
    guard token.count <= maximumSize else { throw .tooLarge }
    let digest = memory.map { _ in SHA256.digest(keys.identity + type.identity + token) }
    let claims: JSONValue
    if let memory, let digest, let known = memory.claims(of: digest) {
      claims = known
    } else {
      claims = try signedClaims(token, type, keys)
      if let memory, let digest { memory.remember(digest, claims) }
    }
    return try VerifiedToken(claims: claims, type: type, now: now, leeway: min(max(leeway, 0), 60))
  }

  /// The claims of a token of this type that one of these keys signed: what depends on nothing else.
  private static func signedClaims(
    _ token: [UInt8], _ type: TokenType, _ keys: VerificationKeys
  ) throws(JWTError) -> JSONValue {
    let parts = token.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 3 else { throw .malformed }
    let header = try header(parts[0])
    // GUARD: jwt: type
    guard type.accepts(header["typ"]) else { throw .wrongType }
    guard let key = type.key(header["kid"], among: keys) else { throw .unknownKey }
    guard case .string(let algorithm) = header["alg"],
      algorithm.utf8.elementsEqual(key.algorithm.rawValue.utf8)  // GUARD: jwt: one algorithm for a key
    else {
      throw .wrongAlgorithm
    }
    guard let signature = Base64URL.decode(parts[2]) else { throw .malformed }
    // GUARD: jwt: signature
    guard key.verifies(signature, of: token[..<(parts[2].startIndex - 1)]) else { throw .badSignature }
    guard let body = Base64URL.decode(parts[1]), let claims = object(body) else { throw .malformed }
    return claims
  }

  /// The header, which must be an object without extensions we would have to understand (RFC 7515 section 4.1.11,
  /// RFC 7797). Members that point at keys (`jku`, `x5u`, `jwk`, `x5c`) are not even looked at.
  private static func header(_ part: ArraySlice<UInt8>) throws(JWTError) -> JSONValue {
    guard let bytes = Base64URL.decode(part), let header = object(bytes) else { throw .malformed }
    // GUARD: jwt: extensions
    guard header["crit"] == nil && header["b64"] == nil else { throw .malformed }
    return header
  }

  private static func object(_ bytes: [UInt8]) -> JSONValue? {
    guard let value = try? JSONParser.parse(bytes, limits: JSONParser.Limits(size: maximumSize, depth: 16)),
      case .object = value
    else { return nil }
    return value
  }
}

/// Why a token was not accepted. For logs and tests; a client learns at most that it is expired.
package enum JWTError: Error, Equatable, Sendable {
  /// Over `JWT.maximumSize`.
  case tooLarge
  /// Not three parts of clean base64url with objects that say nothing twice, or a time claim that is no sane integer.
  case malformed
  case wrongType
  case unknownKey
  case wrongAlgorithm
  case badSignature
  /// Signed by us, but its time is over.
  case expired
  /// `nbf` or `iat` lie in the future.
  case notYetValid
}

/// The `typ` that one use of tokens accepts (RFC 8725 section 3.11).
package enum TokenType: Sendable {
  /// Exactly this text, compared as bytes.
  case exactly(String)
  /// `JWT` or none, as the id tokens of identity providers have it (OpenID Connect Core section 2).
  case providerIDToken

  /// The key that a token names. A provider with one key need not name it (OpenID Connect Core section 10.1).
  func key(_ kid: JSONValue?, among keys: VerificationKeys) -> VerificationKey? {
    switch (self, kid) {
    case (_, .string(let kid)): keys[kid]
    case (.providerIDToken, nil), (.providerIDToken, .null): keys.only
    default: nil
    }
  }

  /// Bytes of its own for each type, the last of which is zero.
  var identity: [UInt8] {
    switch self {
    case .exactly(let text): [1] + text.utf8 + [0]
    case .providerIDToken: [2, 0]
    }
  }

  func accepts(_ typ: JSONValue?) -> Bool {
    switch (self, typ) {
    case (.exactly(let expected), .string(let text)): text.utf8.elementsEqual(expected.utf8)
    case (.providerIDToken, nil), (.providerIDToken, .null): true
    // A media type has no case, and `application/` may be written (RFC 7515 section 4.1.9).
    case (.providerIDToken, .string(let text)): ["jwt", "application/jwt"].contains(text.lowercased())
    default: false
    }
  }

  /// The time of a claim. Our own tokens have whole seconds; a provider's may have a fraction (RFC 7519 section 2).
  func time(_ claim: JSONValue?) -> Int64? {
    switch self {
    case .exactly: claim?.integer
    case .providerIDToken: claim?.wholeNumber
    }
  }

  /// Whether a claim is left out.
  func isAbsent(_ claim: JSONValue?) -> Bool {
    switch (self, claim) {
    case (_, nil), (.providerIDToken, .null): true
    case (.providerIDToken, .string(let text)): text.isEmpty
    default: false
    }
  }
}

/// A token whose signature, type and times hold.
package struct VerifiedToken: Sendable {
  /// Every claim, an object.
  package let claims: JSONValue
  /// `exp` and `iat`, Unix seconds.
  package let expiresAt, issuedAt: Int64

  /// Year 9999: later times, like negative ones, are mistakes or attacks.
  private static let latest: Int64 = 253_402_300_799

  init(claims: JSONValue, type: TokenType, now: Int64, leeway: Int64) throws(JWTError) {
    func time(_ name: String) -> Int64? {
      type.time(claims[name]).flatMap { (0...VerifiedToken.latest).contains($0) ? $0 : nil }
    }
    guard let expiresAt = time("exp"), let issuedAt = time("iat") else { throw .malformed }
    var notBefore = issuedAt
    if !type.isAbsent(claims["nbf"]) {
      guard let stated = time("nbf") else { throw .malformed }
      notBefore = max(notBefore, stated)
    }
    let now = min(max(now, 0), VerifiedToken.latest)
    // GUARD: jwt: not before its time
    guard notBefore <= now + leeway else { throw .notYetValid }
    // GUARD: jwt: expiry
    guard now < expiresAt + leeway else { throw .expired }
    self.claims = claims
    self.expiresAt = expiresAt
    self.issuedAt = issuedAt
  }
}
