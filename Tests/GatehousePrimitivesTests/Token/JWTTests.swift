import Testing

@testable import GatehousePrimitives

/// A key, its set, and tokens made with any header and claims.
struct TokenBench: Sendable {
  let key: P256PrivateKey
  let keys: VerificationKeys
  static let now: Int64 = 1_800_000_000
  static let header = #"{"alg":"ES256","typ":"at+jwt","kid":"k1"}"#
  static let claims = #"{"iss":"i","iat":1799999990,"exp":1800000900}"#

  init() throws {
    key = try P256PrivateKey.generate()
    keys = VerificationKeys([VerificationKey(kid: "k1", key.publicKey)])
  }

  /// A token whose signature is right, whatever it says.
  func token(header: String = header, claims: String = claims) throws -> String {
    let input = Base64URL.encode(header.bytes) + "." + Base64URL.encode(claims.bytes)
    return input + "." + Base64URL.encode(try key.sign(input.bytes))
  }

  @discardableResult
  func verify(_ token: String, type: TokenType = .exactly("at+jwt"), leeway: Int64 = 0) throws -> VerifiedToken {
    try JWT.verify(token, type: type, keys: keys, now: TokenBench.now, leeway: leeway)
  }

  func refusal(of token: String, leeway: Int64 = 0) -> JWTError? {
    do {
      try verify(token, leeway: leeway)
      return nil
    } catch { return error as? JWTError }
  }
}

@Suite struct JWTTests {
  let bench: TokenBench
  init() throws { bench = try TokenBench() }

  @Test("a token we signed verifies and gives its claims")
  func roundTrip() throws {
    let token = try JWT.sign(claims: TokenBench.claims.bytes, type: "at+jwt", kid: "k1", key: bench.key)
    let verified = try bench.verify(token)
    #expect(verified.claims["iss"] == .string("i"))
    #expect(verified.expiresAt == 1_800_000_900 && verified.issuedAt == 1_799_999_990)
    // The control for every refusal below.
    #expect(bench.refusal(of: try bench.token()) == nil)
  }

  @Test("the ES256 example of RFC 7515 A.3 verifies")
  func rfc7515() throws {
    let key = try P256PublicKey(
      x: try #require(Base64URL.decode("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU")),
      y: try #require(Base64URL.decode("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0")))
    let input =
      "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
    let signature = "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
    #expect(key.verifies(try #require(Base64URL.decode(signature)), of: input.bytes[...]))
    #expect(!key.verifies(try #require(Base64URL.decode(signature)), of: input.bytes.dropLast()))
  }

  @Test("a token that is remembered is still judged by its time, its type and today's keys")
  func memory() throws {
    let memory = VerifiedTokenCache()
    let other = try TokenBench()
    let sameName = VerificationKeys([VerificationKey(kid: "k1", other.key.publicKey)])
    func verify(
      _ token: String, _ type: TokenType = .exactly("at+jwt"), keys: VerificationKeys, now: Int64 = TokenBench.now
    ) throws -> VerifiedToken {
      try JWT.verify(token, type: type, keys: keys, now: now, memory: memory)
    }
    let token = try bench.token()
    for _ in 0..<3 {
      #expect(try verify(token, keys: bench.keys).claims["iss"] == .string("i"))
      #expect(throws: JWTError.wrongType) { try verify(token, .exactly("id"), keys: bench.keys) }
      #expect(throws: JWTError.badSignature) { try verify(token, keys: sameName) }
      #expect(throws: JWTError.unknownKey) { try verify(token, keys: VerificationKeys([])) }
      #expect(throws: JWTError.expired) { try verify(token, keys: bench.keys, now: 1_800_000_900) }
      #expect(throws: JWTError.notYetValid) { try verify(token, keys: bench.keys, now: 1_799_999_980) }
      let forged = token.dropLast(8) + (token.hasSuffix("AAAAAAAA") ? "QQQQQQQQ" : "AAAAAAAA")
      #expect(throws: JWTError.self) { try verify(String(forged), keys: bench.keys) }
    }
  }

  @Test("the memory is bounded, and entries in use stay longest")
  func forgetting() {
    let memory = VerifiedTokenCache(limit: 4)
    let digests = (0..<20).map { [UInt8($0)] }
    for digest in digests {
      memory.remember(digest, .null)
      #expect(memory.claims(of: digests[0]) != nil)
    }
    let kept = digests.filter { memory.claims(of: $0) != nil }
    #expect(kept.count <= 8 && kept.contains([19]))
  }

  @Test("an RS256 token of an identity provider verifies with the key of its key set")
  func rs256() throws {
    let n =
      "8OFWxkHA37jdLS2qEG-pAN07_beOVJS14Z0i-j4x2Md96l9ouPMyKGtW23s0rkkvNhcBNf3ESvRq6fbW2qeKSFnyTn9RTtXyVLhrQ95oUd0yU_9pPpCBxio1z2Atr8OeyRTyh70O57hiDWPagl5hmqxfQLWLny9JuEM27LE-BScRlhk_UA2s-JGzEvF0gW3LlrKBsYh1cI5G3fEURuHAAi55PqKQqFUsxTKWve-jeckwznk0uYJ_7XpEVNY1Vk1ebq8BQRlTRf-LMehccdItPQGSx4IVkfk_-dRiJjIhswe7sKp-FsAAyrcPO3MbcysNLx1VZZo5ZNjb7lvlY86VBQ"
    let token =
      "eyJhbGciOiJSUzI1NiIsImtpZCI6ImcxIiwidHlwIjoiSldUIn0.eyJpc3MiOiJodHRwczovL2FjY291bnRzLmV4YW1wbGUiLCJpYXQiOjE3MDAwMDAwMDAsImV4cCI6MTcwMDAwMzYwMH0.o_XHiSL388Fxk6ha54jAZYg-sng409T0gvhcdmRs3vEeOQnDsThOMtiwCBFKB2BVi9l1FVqkleBkemKRuAGFoS39f46wywALTSu1Em1sPDyYrF0Sw6yP48d7-mmbx3WkhpKzw3Q1iCasHVs3NtVkcq8ISzZwoK-ltkNutAExy4-L0B3R0AKPnRGypehuPU43thqUDNMvTXCEtHLkBATVwUjR5vy5FJ1OPmDpzVIoKNJw8d5jwcxScL8DEVZZxEe2T5N8oHOho4jrAho1j984mIJ5l4lBSYUgKRLWCbuf6gX0nVizvr_IfLRUGCXjPtbITHtGqFAclZlqtjZjSo07JA"
    let set =
      #"{"keys":[{"kty":"oct","k":"AA","kid":"g1"},{"kty":"RSA","kid":"g1","n":"\#(n)","e":"AQAB","use":"sig"}]}"#
    let keys = VerificationKeys(jwks: try JSONParser.parse(set.bytes))
    let verified = try JWT.verify(token, type: .providerIDToken, keys: keys, now: 1_700_000_001)
    #expect(verified.claims["iss"] == .string("https://accounts.example"))
    #expect(throws: JWTError.wrongType) {
      try JWT.verify(token, type: .exactly("at+jwt"), keys: keys, now: 1_700_000_001)
    }
    let changed = token.replacingLast("A", with: "Q")
    #expect(throws: (any Error).self) {
      try JWT.verify(changed, type: .providerIDToken, keys: keys, now: 1_700_000_001)
    }
  }

  @Test("T076 an RSA key under 2048 bits, or with an odd exponent's opposite, is not used")
  func weakRSA() throws {
    let n =
      "13DIm4KKzKWHSXXdm3TdM8-nIBPjcj_ga-sUdm_EGd0tBqVUvKyaT6nDe4zfx50t6G5DDj2jTOd6iGwUCW5KD4JrG9eq8m4drWD-t5S0lB2Xyv84m8s6p6XgW9LThQHGTRSxPdNooVaCbgrNEBub_F1t_wKknG8J-bNLHzrcsoc"
    let modulus = try #require(Base64URL.decode(n))
    #expect(throws: CryptoError.weakKey) { try RSAPublicKey(modulus: modulus, exponent: [1, 0, 1]) }
    let zeroes = [UInt8](repeating: 0, count: 200)
    #expect(throws: CryptoError.weakKey) { try RSAPublicKey(modulus: zeroes + modulus, exponent: [1, 0, 1]) }
    let large = [UInt8](repeating: 0xFF, count: 256)
    for exponent: [UInt8] in [[], [0], [1], [2], [1, 0, 0, 0, 1]] {
      #expect(throws: CryptoError.invalidKey) { try RSAPublicKey(modulus: large, exponent: exponent) }
    }
    #expect(throws: CryptoError.invalidKey) {
      try RSAPublicKey(modulus: large + large + large + large + [1], exponent: [3])
    }
  }

  @Test(
    "T061 T063 an algorithm other than the key's is refused",
    arguments: [
      #""none""#, #""None""#, #""nOnE""#, #""""#, #"["ES256"]"#, "null", "1", #""es256""#, #""ES256 ""#, #""ES384""#,
      #""RS256""#, #""HS256""#, #"{"a":"ES256"}"#,
    ])
  func algorithm(alg: String) throws {
    let token = try bench.token(header: #"{"alg":\#(alg),"typ":"at+jwt","kid":"k1"}"#)
    #expect(bench.refusal(of: token) == .wrongAlgorithm)
    let unsigned = token.bytes.prefix { _ in true }.split(separator: UInt8(ascii: "."))
    let without = String(decoding: unsigned[0] + [0x2E] + unsigned[1] + [0x2E], as: UTF8.self)
    #expect(bench.refusal(of: without) == .wrongAlgorithm)
  }

  @Test("T061 a header without algorithm is refused")
  func noAlgorithm() throws {
    #expect(bench.refusal(of: try bench.token(header: #"{"typ":"at+jwt","kid":"k1"}"#)) == .wrongAlgorithm)
  }

  @Test("T062 HMAC under anything made of the public key is refused")
  func hmacConfusion() throws {
    let (x, y) = (bench.key.publicKey.x, bench.key.publicKey.y)
    let jwk = try JSONEncoding.encode(PublicJWK(bench.key.publicKey, kid: "k1"))
    let spki = try #require(Hex.decode("3059301306072a8648ce3d020106082a8648ce3d030107034200")) + [4] + x + y
    let pem = "-----BEGIN PUBLIC KEY-----\n" + Base64URL.encode(spki) + "\n-----END PUBLIC KEY-----\n"
    for secret in [pem.bytes, spki, jwk, x, [4] + x + y, []] {
      for algorithm in ["HS256", "ES256"] {
        let header = #"{"alg":"\#(algorithm)","typ":"at+jwt","kid":"k1"}"#
        let input = Base64URL.encode(header.bytes) + "." + Base64URL.encode(TokenBench.claims.bytes)
        let token = input + "." + Base64URL.encode(HMACSHA256.code(input.bytes, key: secret))
        #expect(bench.refusal(of: token) == (algorithm == "HS256" ? .wrongAlgorithm : .badSignature))
      }
    }
  }

  @Test(
    "T064 a key id that is not in the set is refused, whatever it is",
    arguments: [
      #""k2""#, #""../../dev/null""#, #""' OR 1=1--""#, "1", "null", #"["k1"]"#, #""""#, #""K1""#, #""k1 ""#,
      #""k\u0031\u0301""#, "\"" + String(repeating: "k", count: 4000) + "\"",
    ])
  func unknownKey(kid: String) throws {
    let token = try bench.token(header: #"{"alg":"ES256","typ":"at+jwt","kid":\#(kid)}"#)
    #expect(bench.refusal(of: token) == .unknownKey)
  }

  @Test("T064 a missing key id, and one of 10 KB, are refused")
  func missingKey() throws {
    #expect(bench.refusal(of: try bench.token(header: #"{"alg":"ES256","typ":"at+jwt"}"#)) == .unknownKey)
    let long = #"{"alg":"ES256","typ":"at+jwt","kid":"\#(String(repeating: "k", count: 10240))"}"#
    #expect(bench.refusal(of: try bench.token(header: long)) == .tooLarge)
  }

  @Test("T064 a provider that has one key need not name it; one that has two has to")
  func onlyKey() throws {
    let (key, other) = (try P256PrivateKey.generate(), try P256PrivateKey.generate())
    let header = Base64URL.encode(Array(#"{"alg":"ES256"}"#.utf8))
    let claims = Base64URL.encode(Array(#"{"iat":1000,"exp":2000}"#.utf8))
    let token = "\(header).\(claims).\(Base64URL.encode(try key.sign(Array("\(header).\(claims)".utf8))))"
    func verify(_ type: TokenType, _ keys: VerificationKey...) throws -> VerifiedToken {
      try JWT.verify(token, type: type, keys: VerificationKeys(keys), now: 1500)
    }
    let (mine, theirs) = (VerificationKey(kid: "a", key.publicKey), VerificationKey(kid: "b", other.publicKey))
    #expect(try verify(.providerIDToken, mine).claims["iat"] == .integer(1000))
    #expect(throws: JWTError.unknownKey) { try verify(.providerIDToken, mine, theirs) }
    #expect(throws: JWTError.badSignature) { try verify(.providerIDToken, theirs) }
    #expect(throws: JWTError.unknownKey) { try verify(.providerIDToken) }
  }

  @Test("T065 keys that a token brings or points at do not count", arguments: ["jku", "x5u", "jwk", "x5c"])
  func foreignKeys(name: String) throws {
    let stranger = try TokenBench()
    let jwk = String(
      decoding: try JSONEncoding.encode(PublicJWK(stranger.key.publicKey, kid: "k1")), as: UTF8.self)
    let value = ["jwk": jwk, "x5c": #"["AAAA"]"#][name] ?? #""http://127.0.0.1:1/keys""#
    let header = #"{"alg":"ES256","typ":"at+jwt","kid":"k1","\#(name)":\#(value)}"#
    #expect(bench.refusal(of: try stranger.token(header: header)) == .badSignature)
    #expect(bench.refusal(of: try bench.token(header: header)) == nil)
  }

  @Test("T066 a signature of another length or form is refused")
  func signatureForms() throws {
    let token = try bench.token()
    let cut = try #require(token.lastIndex(of: "."))
    let signature = try #require(Base64URL.decode(String(token[token.index(after: cut)...])))
    let zero = [UInt8](repeating: 0, count: 32)
    for bad: [UInt8] in [
      [], Array(signature.dropLast()), signature + [0], zero + signature[32...], signature[..<32] + zero,
      try #require(ECDSASignature.der(raw: signature)),
    ] {
      #expect(bench.refusal(of: String(token[...cut]) + Base64URL.encode(bad)) == .badSignature)
    }
  }

  @Test(
    "T067 extensions, repeated names and other header forms are refused",
    arguments: [
      #"{"alg":"ES256","typ":"at+jwt","kid":"k1","crit":["exp"]}"#,
      #"{"alg":"ES256","typ":"at+jwt","kid":"k1","crit":[]}"#,
      #"{"alg":"ES256","typ":"at+jwt","kid":"k1","b64":false}"#,
      #"{"alg":"ES256","typ":"at+jwt","kid":"k1","b64":true}"#,
      #"{"alg":"none","alg":"ES256","typ":"at+jwt","kid":"k1"}"#,
      #"{"alg":"ES256","typ":"at+jwt","kid":"k1","k\u0069d":"k1"}"#,
      #"{"alg":"ES256","typ":"at+jwt","kid":"k1"} "x""#, #"["ES256"]"#, "", "null", "{",
    ])
  func header(header: String) throws {
    #expect(bench.refusal(of: try bench.token(header: header)) == .malformed)
  }

  @Test(
    "T067 repeated claims and claims that are not an object are refused",
    arguments: [
      #"{"iat":1799999990,"exp":1800000900,"sub":"a","sub":"b"}"#, "[]", "1", "",
      #"{"iat":1799999990,"exp":1800000900}{}"#,
      #"{"iat":1799999990,"exp":1800000900,"sub":"\ud800"}"#,
    ])
  func claims(claims: String) throws {
    #expect(bench.refusal(of: try bench.token(claims: claims)) == .malformed)
  }

  @Test("T067 other serialisations, padding, junk and trailing bytes are refused")
  func shapes() throws {
    let token = try bench.token()
    let parts = token.split(separator: ".").map(String.init)
    let json = #"{"protected":"\#(parts[0])","payload":"\#(parts[1])","signature":"\#(parts[2])"}"#
    let bad = [
      "", ".", "..", "...", parts[0], parts[0] + "." + parts[1], token + ".", "." + token, token + ".a.b", json,
      token + "=", token + "\n", " " + token, token + "A", token + "\0", parts[0] + "=." + parts[1] + "." + parts[2],
      parts[0] + "." + parts[1] + "=." + parts[2], "Bearer " + token, token.replacingLast(".", with: ".\n"),
    ]
    for candidate in bad {
      let refusal = bench.refusal(of: candidate)
      #expect(refusal == .malformed || refusal == .badSignature, "\(candidate)")
    }
  }

  @Test("T067 the last character of a part can not be another one with the same bytes")
  func canonicalTail() throws {
    let token = try bench.token()
    // 64 bytes are 86 characters: the last one carries two bits, so three others decode alike when read carelessly.
    let last = try #require(token.last)
    let others = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".filter { $0 != last }
    for other in others { #expect(bench.refusal(of: String(token.dropLast()) + String(other)) != nil) }
  }

  @Test(
    "T068 each use accepts one type only",
    arguments: ["at+jwt", "JWT", "logout+jwt", "reset+jwt", "client-authentication+jwt"])
  func types(typ: String) throws {
    let token = try bench.token(header: #"{"alg":"ES256","typ":"\#(typ)","kid":"k1"}"#)
    for accepted in ["at+jwt", "JWT", "logout+jwt", "reset+jwt", "client-authentication+jwt", "AT+JWT", ""] {
      if accepted == typ {
        #expect(throws: Never.self) { try bench.verify(token, type: .exactly(accepted)) }
      } else {
        #expect(throws: JWTError.wrongType) { try bench.verify(token, type: .exactly(accepted)) }
      }
    }
  }

  @Test("T068 a missing type, or one that is not a string, is refused", arguments: ["", #","typ":null"#, #","typ":1"#])
  func missingType(member: String) throws {
    let token = try bench.token(header: #"{"alg":"ES256","kid":"k1"\#(member)}"#)
    #expect(bench.refusal(of: token) == .wrongType)
  }

  @Test(
    "T069 times that are not integers in range are refused",
    arguments: [
      "null", #""1800000900""#, "1800000900.0", "1800000900.5", "1.8e9", "1e400", "-1", "9223372036854775807",
      "9223372036854775808", "253402300800", "[1800000900]", "true", "{}",
    ])
  func times(value: String) throws {
    let others = ["exp": "1800000900", "iat": "1799999990", "nbf": "1799999990"]
    for name in others.keys {
      let members = others.map { "\"\($0)\":" + ($0 == name ? value : $1) }.joined(separator: ",")
      #expect(bench.refusal(of: try bench.token(claims: "{\(members)}")) == .malformed)
    }
  }

  @Test("T069 missing times and the words NaN and Infinity are refused")
  func missingTimes() throws {
    for claims in [#"{"iat":1799999990}"#, #"{"exp":1800000900}"#, "{}", #"{"iat":1799999990,"exp":NaN}"#] {
      #expect(bench.refusal(of: try bench.token(claims: claims)) == .malformed)
    }
  }

  @Test(
    "T069 times are compared with now to the second, with at most 60 seconds of leeway",
    arguments: [
      (#""iat":1799999990,"exp":1800000001"#, 0, nil), (#""iat":1799999990,"exp":1800000000"#, 0, JWTError.expired),
      (#""iat":1799999990,"exp":1799999941"#, 60, nil), (#""iat":1799999990,"exp":1799999940"#, 60, .expired),
      (#""iat":1799999990,"exp":1799999940"#, Int64.max, .expired), (#""iat":1799999990,"exp":0"#, 60, .expired),
      (#""iat":1800000000,"exp":1800000900"#, 0, nil), (#""iat":1800000001,"exp":1800000900"#, 0, .notYetValid),
      (#""iat":1800000060,"exp":1800000900"#, 60, nil), (#""iat":1800000061,"exp":1800000900"#, 60, .notYetValid),
      (#""nbf":1800000001,"iat":0,"exp":1800000900"#, 0, .notYetValid),
      (#""nbf":1800000000,"iat":0,"exp":253402300799"#, 0, nil),
      (#""iat":1799999990,"exp":1799999999"#, Int64.min, .expired),
    ] as [(String, Int64, JWTError?)])
  func clock(members: String, leeway: Int64, refusal: JWTError?) throws {
    #expect(bench.refusal(of: try bench.token(claims: "{\(members)}"), leeway: leeway) == refusal)
  }

  @Test("T069 a clock of any value traps nothing", arguments: [Int64.min, -1, 0, Int64.max])
  func anyClock(now: Int64) throws {
    let token = try bench.token()
    #expect(throws: JWTError.self) {
      try JWT.verify(token, type: .exactly("at+jwt"), keys: bench.keys, now: now, leeway: 60)
    }
  }

  @Test("T071 a token over 8 KB, or of a million dots, is refused by its size")
  func size() throws {
    #expect(bench.refusal(of: String(repeating: ".", count: 1_000_000)) == .tooLarge)
    #expect(bench.refusal(of: String(repeating: ".", count: 8192)) == .malformed)
    #expect(bench.refusal(of: String(repeating: "a", count: 8193)) == .tooLarge)
  }

  @Test("every changed character of a token is noticed")
  func characterChanges() throws {
    let token = Array(try bench.token().utf8)
    for index in token.indices {
      var changed = token
      changed[index] = changed[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      #expect(bench.refusal(of: String(decoding: changed, as: UTF8.self)) != nil)
    }
  }
}

extension String {
  func replacingLast(_ character: Character, with replacement: String) -> String {
    guard let index = lastIndex(of: character) else { return self }
    return self[..<index] + replacement + self[self.index(after: index)...]
  }
}
