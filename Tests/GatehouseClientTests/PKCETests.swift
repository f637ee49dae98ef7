import Foundation
import Testing

@testable import GatehouseClient

@Suite("C18 Proof keys")
struct PKCETests {
  @Test("the challenge of RFC 7636, appendix B")
  func appendixB() {
    let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    #expect(PKCE.challenge(of: verifier) == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }

  @Test("a verifier has 43 unreserved characters, and no two are alike")
  func verifiers() {
    let all = (0..<1000).map { _ in PKCE.secret() }
    #expect(Set(all).count == all.count)
    #expect(all.allSatisfy { $0.utf8.count == 43 && $0.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil })
  }

  /// The digest of all digests was made by Python's hashlib.
  @Test("digests of every length around the ends of blocks")
  func lengths() {
    let all = (0...200).flatMap { length -> [UInt8] in
      SHA256.digest((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ length) })
    }
    #expect(hexadecimal(SHA256.digest(all)) == "d5760d9b4894acd0a41c6054a87efb92951a1e1f9e8b1327e26fe110d1a8bc9c")
  }

  @Test(
    "digests of FIPS 180-4's examples",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func examples(message: String, digest: String) {
    #expect(hexadecimal(SHA256.digest(message.utf8)) == digest)
  }

  private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
