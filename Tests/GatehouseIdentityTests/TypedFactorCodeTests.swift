import Foundation
import GatehousePrimitives
import Testing

@testable import GatehouseIdentity

@Suite("Codes of factors, as people type them")
struct TypedFactorCodeTests {
  private let seed = Secret(Array("12345678901234567890".utf8))
  /// The end of step 1, whose code is 287082 (RFC 4226, appendix D).
  private let now = Date(timeIntervalSince1970: 59)

  @Test(
    "a code is read with blanks and hyphens between its digits, and with digits of other scripts",
    arguments: ["287082", "287 082", "287-082", " 2 8 7 0 8 2 ", "２８７０８２", "٢٨٧٠٨٢", "287\u{2011}082", "755224"])
  func read(typed: String) { #expect(TOTP.matchingStep(typed, seed: seed, at: now) == (typed == "755224" ? 0 : 1)) }

  @Test("another text matches nothing", arguments: ["", "28708", "2870822", "28708a2", "359152", "287.082"])
  func refused(typed: String) { #expect(TOTP.matchingStep(typed, seed: seed, at: now) == nil) }

  @Test(
    "a recovery code is read in any case, with any separators and with look-alikes",
    arguments: [
      "0123-4567-89AB-CDEF-GHJK-MNPQ", "0123456789abcdefghjkmnpq", "O123 4567 89ab cdef ghjk mnpq",
      " oi23–4567–89AB–CDEF–GHJK–MNPQ\n", "OL23-4567-89AB\n-CDEF-GHJK-MNPQ", "０１２３-4567-89ＡＢ-ＣＤＥＦ-GHJK-mnpq",
      "\u{200B}0123-4567-89AB-CDEF-GHJK-MNPQ",
    ])
  func recovery(typed: String) throws {
    let code = try #require(RecoveryCode(characters: "0123456789ABCDEFGHJKMNPQ"))
    #expect(RecoveryCode(typed: typed)?.bytes == code.bytes)
  }

  @Test("what is shown can be typed")
  func shown() {
    let code = RecoveryCode.make()
    #expect(RecoveryCode(typed: code.shown)?.bytes == code.bytes)
  }

  @Test(
    "another text is no recovery code",
    arguments: [
      "", "0123-4567-89AB-CDEF-GHJK-MNP", "0123-4567-89AB-CDEF-GHJK-MNPQR", "U123-4567-89AB-CDEF-GHJK-MNPQ",
      "0123/4567/89AB/CDEF/GHJK/MNPQ", String(repeating: "-", count: 1024) + "0123456789ABCDEFGHJKMNPQ",
    ])
  func none(typed: String) { #expect(RecoveryCode(typed: typed) == nil) }
}
