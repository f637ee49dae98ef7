import GatehousePolicy

/// A value as it is written into a file: plain where that is safe, in quotes where the file has quotes or it needs
/// them.
enum WrittenScalar {
  private static let reserved: Set<String> = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]

  /// - Parameter quote: The quote that the file uses in this place, `"` or `'`; nil: none.
  static func text(_ text: String, quote: Unicode.Scalar?) -> String {
    if quote == "'", text.unicodeScalars.allSatisfy({ $0 != "'" && $0.value >= 0x20 }) { return "'\(text)'" }
    return quote == nil && isSafePlain(text) ? text : JSONText.string(text).text()
  }

  /// Whether each reader of YAML takes the text, written without quotes, for this text and nothing else.
  static func isSafePlain(_ text: String) -> Bool {
    guard let first = text.utf8.first, isLetter(first), !reserved.contains(text.lowercased()) else { return false }
    return text.utf8.allSatisfy { isLetter($0) || isDigit($0) || "+-./@".utf8.contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || byte == 0x5F
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

extension EditableText {
  /// The quote that a value or key is written in; nil where it has none.
  func quote(at range: SourceRange) -> Unicode.Scalar? {
    scalar(at: range.start).flatMap { $0 == "\"" || $0 == "'" ? $0 : nil }
  }
}
