import Testing

@testable import GatehousePrimitives

private func hex(_ text: String) throws -> [UInt8] { try #require(Hex.decode(text)) }

@Suite struct VectorTests {
  @Test(
    "SHA-256 gives the digests of FIPS 180-4",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func sha256(text: String, digest: String) {
    #expect(Hex.encode(SHA256.digest(text)) == digest)
  }

  @Test(
    "HMAC gives the codes of RFC 4231",
    arguments: [
      (
        String(repeating: "0b", count: 20), "4869205468657265",
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      ),
      (
        "4a656665", "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
      (
        String(repeating: "aa", count: 20), String(repeating: "dd", count: 50),
        "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
      ),
      (
        String(repeating: "aa", count: 131), Hex.encode("Test Using Larger Than Block-Size Key - Hash Key First".bytes),
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
      ),
    ])
  func hmac(key: String, message: String, code: String) throws {
    #expect(Hex.encode(HMACSHA256.code(try hex(message), key: try hex(key))) == code)
  }

  @Test("HMAC takes an empty key and an empty message")
  func emptyHMAC() {
    let code = "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"
    #expect(Hex.encode(HMACSHA256.code([], key: [])) == code)
    // OpenSSL would reuse the key of before if it were handed none.
    _ = HMACSHA256.code([], key: [1])
    #expect(Hex.encode(HMACSHA256.code([], key: [])) == code)
  }

  @Test("HKDF gives the keys of RFC 5869, cases 1 and 3")
  func hkdf() throws {
    let secret = [UInt8](repeating: 0x0B, count: 22)
    let first = HKDF.derive(
      42, from: secret, salt: try hex("000102030405060708090a0b0c"), info: try hex("f0f1f2f3f4f5f6f7f8f9"))
    #expect(
      first.map(Hex.encode)
        == "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865")
    #expect(
      HKDF.derive(42, from: secret, info: []).map(Hex.encode)
        == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8")
  }

  @Test("HKDF gives nothing outside its lengths", arguments: [-1, 0, 8161, Int.max])
  func hkdfBounds(length: Int) {
    #expect(HKDF.derive(length, from: [1], info: []) == nil)
    #expect(HKDF.derive(8160, from: [1], info: [])?.count == 8160)
  }

  /// Test cases 13 to 16 of the GCM specification (McGrew and Viega), the ones with 256-bit keys and 96-bit nonces.
  static let gcm: [(key: String, nonce: String, plain: String, context: String, cipher: String, tag: String)] = [
    (
      String(repeating: "00", count: 32), String(repeating: "00", count: 12), "", "", "",
      "530f8afbc74536b9a963b4f1c4cb738b"
    ),
    (
      String(repeating: "00", count: 32), String(repeating: "00", count: 12), String(repeating: "00", count: 16), "",
      "cea7403d4d606b6e074ec5d3baf39d18", "d0d1c8a799996bf0265b98b5d48ab919"
    ),
    (
      "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888",
      "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255",
      "",
      "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad",
      "b094dac5d93471bdec1a502270e3cc6c"
    ),
    (
      "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888",
      "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
      "feedfacedeadbeeffeedfacedeadbeefabaddad2",
      "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
      "76fc6ece0f4e1768cddf8853bb2d551b"
    ),
  ]

  @Test("AES-256-GCM gives the published ciphertexts and opens them", arguments: 0..<4)
  func aesGCM(index: Int) throws {
    let vector = VectorTests.gcm[index]
    let (key, nonce, context) = (try hex(vector.key), try hex(vector.nonce), try hex(vector.context))
    let sealed = try AES256GCM.seal(try hex(vector.plain), key: key, nonce: nonce, authenticating: context)
    #expect(Hex.encode(sealed) == vector.cipher + vector.tag)
    #expect(
      Hex.encode(try AES256GCM.open(sealed[...], key: key, nonce: nonce, authenticating: context)) == vector.plain)
  }

  /// Made with the reference implementation of argon2 (the vectors of RFC 9106 use four lanes and a secret, which
  /// libsodium does not have).
  @Test(
    "argon2id gives what the reference implementation gives",
    arguments: [
      (
        "password", "somesaltsomesalt", UInt32(2), UInt32(4096),
        "1f99999fc42c145c27b4f92d75b8c636da81f830c9fa78b1abde2e240668a889"
      ),
      (
        "password", "somesaltsomesalt", 2, 19456, "2b5dc4054886ec957ef59c73b661c54dd6fb274590b278f657c6d96aac8fa6d1"
      ),
      ("", "0123456789abcdef", 3, 64, "eee0c3e1cd990aba0feae995553c7e504e13cbacd728b265a28e585fb8914824"),
    ])
  func argon2id(password: String, salt: String, passes: UInt32, memory: UInt32, hash: String) {
    var work: UInt64 = 0
    let computed = Argon2id.compute(
      password.bytes, salt: salt.bytes, cost: PasswordCost(memory: memory, passes: passes), length: 32, counting: &work)
    #expect(computed.map(Hex.encode) == hash)
  }

  @Test("argon2id gives 64 bytes for a password with NUL and other bytes")
  func longArgon2id() {
    var work: UInt64 = 0
    let computed = Argon2id.compute(
      "pässwörd\0x".bytes, salt: [UInt8](repeating: 255, count: 16), cost: PasswordCost(memory: 1024, passes: 1),
      length: 64, counting: &work)
    #expect(
      computed.map(Hex.encode)
        == "1a1d11b269815a5002c04f0491986930e124866e5fe970b3755f74c08ab96d39de516805e9d53006f09a705bc9284e9bfd6af202f404dc764213bdf7f8408432"
    )
  }
}
