/// A short code that people type: six digits, uniformly random. Too short for a plain hash, so only its HMAC under a
/// pepper is stored, bound to everything the code is for.
package struct NumericCode: Sendable {
  /// How many digits a code has.
  package static let digitCount = 6

  /// The digits for the mail.
  package let text: Secret<String>

  /// A new code.
  package static func generate() -> NumericCode {
    let number = String(SecureRandom.number(below: 1_000_000))
    return NumericCode(text: Secret(String(repeating: "0", count: digitCount - number.utf8.count) + number))
  }

  /// The code with these digits: exactly six of ASCII, else `nil`.
  package init?(digits text: String) {
    guard text.utf8.count == NumericCode.digitCount,
      text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    self.text = Secret(text)
  }

  private init(text: Secret<String>) { self.text = text }

  /// The stored form, 32 bytes.
  /// - Parameter context: everything the code is bound to (tenant, flow, purpose, destination); their lengths are
  ///   authenticated too, so that no two contexts run into each other.
  package func digest(pepper: MACKey, context: [[UInt8]]) -> [UInt8] {
    pepper.code(parts: context + [text.expose { Array($0.utf8) }])
  }
}
