import Foundation

/// Functions of text for rules, the same on every platform and in every locale.
enum Text {
  static func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }

  /// Normalization Form C.
  static func nfc(_ text: String) -> String {
    isASCII(text) ? text : text.precomposedStringWithCanonicalMapping
  }

  /// Unicode code points; of text in NFC.
  static func length(_ text: String) -> Int {
    isASCII(text) ? text.utf8.count : text.unicodeScalars.count
  }

  /// For comparison without case: lower, upper and again lower case by Unicode's full mappings, each in NFC, so that
  /// `ẞ`, `ß`, `SS` and `ss` are one. No locale takes part.
  static func folded(_ text: String) -> String {
    if isASCII(text) { return EmailAddress.lowercasedASCII(text) }
    return nfc(nfc(nfc(nfc(text).lowercased()).uppercased()).lowercased())
  }

  /// The text as `folded`, and without combining marks: `Zoë`, `ZOE` and `zoe` are one. Letters whose stroke or hook is
  /// not a mark (`ø`, `ł`) do not change.
  static func foldedWithoutMarks(_ text: String) -> String {
    let folded = folded(text)
    if isASCII(folded) { return folded }
    let scalars = folded.decomposedStringWithCanonicalMapping.unicodeScalars.filter { !Charset.isMark($0) }
    return nfc(String(String.UnicodeScalarView(scalars)))
  }

  /// Whether `needle` occurs in `hay`, byte for byte; both folded.
  static func contains(_ hay: String, _ needle: String) -> Bool {
    let hay = Array(hay.utf8)
    let needle = Array(needle.utf8)
    guard !needle.isEmpty, needle.count <= hay.count else { return false }
    return (0...(hay.count - needle.count)).contains { start in
      hay[start..<(start + needle.count)].elementsEqual(needle)
    }
  }

  /// Runs of letters, marks and digits.
  static func words(_ text: String) -> [String] {
    // Of ASCII only letters and digits are in words; looking each up by its category costs more than all else here.
    if isASCII(text) { return text.utf8.split { !isASCIIWordByte($0) }.map { String(Substring($0)) } }
    return text.unicodeScalars.split { scalar in
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
        .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
        false
      default: true
      }
    }.map(String.init)
  }

  private static func isASCIIWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }

  /// Whether two strings are the same bytes. `==` of String also takes canonically equivalent ones for equal.
  static func same(_ a: String, _ b: String) -> Bool { a.utf8.count == b.utf8.count && a.utf8.elementsEqual(b.utf8) }
}
