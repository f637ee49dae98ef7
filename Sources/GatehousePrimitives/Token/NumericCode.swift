/// A short code that people type: six digits, uniformly random. Too short for a plain hash, so only its HMAC under a
/// pepper is stored, bound to everything the code is for.
package struct NumericCode: Sendable {
  private static let digitCount = 6

  /// The digits for the mail.
  package let text: Secret<String>

  /// A new code.
  package static func generate() -> NumericCode {
    let number = String(SecureRandom.number(below: 1_000_000))
    return NumericCode(text: Secret(String(repeating: "0", count: digitCount - number.utf8.count) + number))
  }

  /// The code that a user typed: exactly six ASCII digits after spaces and hyphens are taken out, else `nil`.
  package init?(typed text: String) {
    guard text.utf8.count <= 16 else { return nil }
    let digits = text.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "-") }
    guard digits.count == NumericCode.digitCount,
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    self.text = Secret(String(decoding: digits, as: UTF8.self))
  }

  private init(text: Secret<String>) { self.text = text }

  /// The stored form, 32 bytes.
  /// - Parameter context: everything the code is bound to (tenant, flow, purpose, destination); their lengths are
  ///   authenticated too, so that no two contexts run into each other.
  package func digest(pepper: MACKey, context: [[UInt8]]) -> [UInt8] {
    pepper.code(parts: context + [text.expose { Array($0.utf8) }])
  }
}
