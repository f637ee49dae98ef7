@testable import GatehouseIdentity
import GatehousePrimitives
import Testing

@Suite("Code verifiers and challenges")
struct PKCETests {
  @Test("the challenge of a verifier is that of RFC 7636, appendix B")
  func challenge() throws {
    let verifier = try #require(CodeVerifier(rawValue: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
    #expect(verifier.challenge.rawValue == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    #expect(verifier.challenge.holderHash == SHA256.digest("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"))
  }

  @Test(
    "a verifier has 43 to 128 unreserved characters", arguments: [(42, false), (43, true), (128, true), (129, false)])
  func length(_ count: Int, _ isOne: Bool) {
    #expect((CodeVerifier(rawValue: String(repeating: "~", count: count)) != nil) == isOne)
  }

  @Test("a text with another character is no verifier", arguments: ["+", "/", "=", " ", "%", "\u{0}", "é"])
  func characters(_ other: String) {
    #expect(CodeVerifier(rawValue: String(repeating: "v", count: 50) + other) == nil)
  }

  @Test(
    "a text that is not the base64url of 32 bytes is no challenge",
    arguments: [
      "", String(repeating: "A", count: 42), String(repeating: "A", count: 44), String(repeating: "A", count: 42) + "+",
      String(repeating: "A", count: 42) + "B", String(repeating: "A", count: 43) + "=",
    ])
  func noChallenge(_ text: String) {
    #expect(CodeChallenge(rawValue: text) == nil)
  }

  @Test("new verifiers differ, and both texts are read again as they were written")
  func generated() throws {
    let verifier = CodeVerifier.generate()
    #expect(verifier != CodeVerifier.generate())
    #expect(CodeVerifier(rawValue: verifier.rawValue) == verifier)
    #expect(CodeChallenge(rawValue: verifier.challenge.rawValue) == verifier.challenge)
    let read = try StrictDecoder.decode(CodeVerifier.self, from: try JSONEncoding.encode(verifier))
    #expect(read == verifier)
  }
}
