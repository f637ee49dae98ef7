import GatehouseTesting
import Testing

@testable import GatehousePrimitives

@Suite struct P256Tests {
  let key: P256PrivateKey
  let message = "what is signed".bytes

  init() throws { key = try P256PrivateKey.generate() }

  @Test("a signature has 64 bytes and verifies, for this key and message only")
  func signing() throws {
    // DER drops leading zeroes; enough signatures that some have them.
    for _ in 0..<300 {
      let signature = try key.sign(message)
      #expect(signature.count == 64)
      #expect(key.publicKey.verifies(signature, of: message[...]))
    }
    let signature = try key.sign(message)
    #expect(!key.publicKey.verifies(signature, of: message.dropLast()))
    #expect(!(try P256PrivateKey.generate()).publicKey.verifies(signature, of: message[...]))
  }

  @Test("many threads sign and verify with one key")
  func threads() async {
    let all = await withTaskGroup(of: Bool.self) { group in
      for index in 0..<32 {
        group.addTask {
          let message = [UInt8(index)]
          return (0..<20).allSatisfy { _ in
            guard let signature = try? key.sign(message) else { return false }
            return key.publicKey.verifies(signature, of: message[...])
          }
        }
      }
      return await group.reduce(true) { $0 && $1 }
    }
    #expect(all)
  }

  @Test("T066 r and s must be in 1..<n, in exactly 64 bytes, not in DER")
  func malformedSignatures() throws {
    let signature = try key.sign(message)
    let (r, s) = (Array(signature[..<32]), Array(signature[32...]))
    let zero = [UInt8](repeating: 0, count: 32)
    let order = ECDSASignature.order
    let above = order.dropLast() + [order[31] + 1]
    let ones = [UInt8](repeating: 255, count: 32)
    let bad: [[UInt8]] = [
      zero + s, r + zero, zero + zero, order + s, r + order, above + s, r + above, ones + ones, [],
      Array(signature.dropLast()), signature + [0], [0] + signature, try #require(ECDSASignature.der(raw: signature)),
    ]
    for candidate in bad { #expect(!key.publicKey.verifies(candidate, of: message[...])) }
    // The curve refuses such numbers as well; the form must do so by itself.
    for candidate in bad { #expect(ECDSASignature.der(raw: candidate) == nil) }
    // The control: one less than the order is refused by the curve, not by the form.
    #expect(ECDSASignature.der(raw: (order.dropLast() + [order[31] - 1]) + s) != nil)
    #expect(key.publicKey.verifies(signature, of: message[...]))
  }

  @Test("every changed bit of a signature is noticed")
  func bitFlips() throws {
    let signature = try key.sign(message)
    for bit in 0..<512 {
      var changed = signature
      changed[bit / 8] ^= 1 << (bit % 8)
      #expect(!key.publicKey.verifies(changed, of: message[...]))
    }
  }

  @Test("raw and DER forms are each other's inverse")
  func forms() throws {
    var generator = SeededGenerator()
    for leading in 0..<32 {
      var raw = generator.bytes(64)
      for index in 0..<leading { raw[index] = 0 }
      raw[31] |= 1
      raw[32] &= 0x7F
      raw[0] &= 0x7F
      let der = try #require(ECDSASignature.der(raw: raw))
      #expect(ECDSASignature.raw(der: der[...]) == raw)
    }
  }

  @Test("a key survives PKCS #8 and still signs for the same public key")
  func pkcs8() throws {
    let again = try P256PrivateKey(pkcs8: try key.pkcs8())
    #expect(again.publicKey.x == key.publicKey.x && again.publicKey.y == key.publicKey.y)
    #expect(key.publicKey.verifies(try again.sign(message), of: message[...]))
  }

  @Test("broken, cut, lengthened and foreign private keys are refused")
  func badPKCS8() throws {
    let der = try key.pkcs8().expose { $0 }
    let p384 =
      "MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDDZQ0d-o7BHnbyazhRwl_f6XAs3MHIS2VV5pXKbpD8dZu73XpmBQJGu0sUHibOjKI2hZANiAAS80crGWxiS31QPHnv7IpgEFrm29KBLePSI2MJLzL7caO1JzQ5PgWRGCCSZYmoYmVxDGPqA2CzLw7auvoSa2cshkTm3UPfju-CuA5u7XlPKU3rsOpUNEfKToNxBgc5BDeM"
    let k256 =
      "MIGEAgEAMBAGByqGSM49AgEGBSuBBAAKBG0wawIBAQQgwiFvl3D5p2ahKfsfpSCQQloK1015fW8MpV_rYTiB5NKhRANCAASRBOIM6IydS83UDhHHQjcsGGn6bOeN-HL-3gXDp5eQH7VCAXBRP3GTdjNm9bLUtqhxs0JSrhN3W04YdkGg_yD7"
    var mismatched = der
    mismatched[der.count - 1] ^= 1
    let bad: [[UInt8]] = [
      [], [0x30], Array(der.dropLast()), der + [0], mismatched, try #require(Base64URL.decode(p384)),
      try #require(Base64URL.decode(k256)),
    ]
    for candidate in bad {
      #expect(throws: CryptoError.invalidKey) { try P256PrivateKey(pkcs8: Secret(candidate)) }
    }
  }

  @Test("a point off the curve, at infinity or of another size is not a public key")
  func badPoints() throws {
    let (x, y) = (key.publicKey.x, key.publicKey.y)
    var off = y
    off[31] ^= 1
    let zero = [UInt8](repeating: 0, count: 32)
    for (x, y) in [(x, off), (zero, zero), (x, Array(y.dropLast())), (x, y + [0]), ([], [])] {
      #expect(throws: CryptoError.invalidKey) { try P256PublicKey(x: x, y: y) }
    }
    #expect(throws: Never.self) { try P256PublicKey(x: x, y: y) }
  }

  @Test("T075 a public JWK has its public members and no other")
  func jwk() throws {
    let kid = PublicJWK.thumbprint(key.publicKey)
    let value = try JSONEncoding.value(PublicJWK(key.publicKey, kid: kid))
    let names = try #require(value.object).members.map(\.key)
    #expect(names == ["kty", "crv", "x", "y", "kid", "use", "alg"])
    let again = try #require(VerificationKey(jwk: value))
    #expect(again.kid == kid && kid.utf8.count == 43 && again.algorithm == .es256)
    #expect(again.verifies(try key.sign(message), of: message[...]))
  }

  @Test("the id of a new key never begins with a hyphen, as one thumbprint in 64 does")
  func typable() throws {
    let first = try (0..<700).map { _ in PublicJWK.thumbprint(try PublicJWK.generateKey().publicKey).prefix(1) }
    #expect(!first.contains("-"))
    // Others of the alphabet do occur, and what is not asked for has hyphens: the chance of none among so many is 1 in
    // 60 000.
    let plain = try (0..<700).map { _ in PublicJWK.thumbprint(try P256PrivateKey.generate().publicKey).prefix(1) }
    #expect(first.contains("_") && plain.contains("-"))
  }
}
