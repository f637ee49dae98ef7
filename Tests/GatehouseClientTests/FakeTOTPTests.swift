import Foundation
import Testing

@testable import GatehouseClientTesting

@Suite("Codes of the server in memory")
struct FakeTOTPTests {
  /// The last six digits of RFC 6238's own vectors (appendix B).
  @Test(
    "an authenticator app's codes are those of RFC 6238",
    arguments: [
      (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
      (2_000_000_000, "279037"), (20_000_000_000, "353130"),
    ])
  func vectors(seconds: Int, code: String) {
    let step = FakeTOTP.step(at: Date(timeIntervalSince1970: TimeInterval(seconds)))
    #expect(FakeTOTP.code(Array("12345678901234567890".utf8), step: step) == code)
  }

  @Test("SHA-1 is that of FIPS 180-4, over one block and two")
  func digest() {
    func hex(_ text: String) -> String {
      SHA1.digest(Array(text.utf8)).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
    #expect(hex("abc") == "a9993e364706816aba3e25717850c26c9cd0d89d")
    #expect(
      hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") == "84983e441c3bd26ebaae4aa1f95129e5e54670f1")
    #expect(hex(String(repeating: "a", count: 1000)) == "291e9a6c66994949b57ba5e650361e98fc36b1ba")
  }

  @Test("a seed is read from its text, with spaces and without")
  func base32() {
    let seed = FakeTOTP.makeSeed()
    #expect(FakeTOTP.text(Array("12345678901234567890".utf8)) == "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
    #expect(FakeTOTP.seed(FakeTOTP.text(seed)) == seed)
    #expect(FakeTOTP.seed("gezd gnbv gy3t qojq gezd gnbv gy3t qojq") == Array("12345678901234567890".utf8))
    #expect(FakeTOTP.seed("1") == nil)
  }

  @Test("recovery codes are compared without case, separators and look-alikes")
  func recoveryCode() {
    #expect(FakeRecoveryCode.canonical("oI1l-0 abc") == "01110ABC")
    let codes = FakeRecoveryCode.makeSet()
    #expect(Set(codes).count == 10 && codes.allSatisfy { FakeRecoveryCode.canonical($0).count == 24 })
  }
}
