/// Telephone numbers that need no library.
public enum PhoneText {
  /// A US number by its length alone: cleaned as all typed numbers are, and without spaces and `().-`, an optional `+1`
  /// or `1` and exactly ten digits. Letters, extensions and other countries are refused.
  /// - Returns: E.164, `+17855550123`; nil when it is none.
  public static func unitedStates(_ raw: String) -> String? {
    var kept: [UInt8] = []
    kept.reserveCapacity(13)
    for scalar in TypedText.phone(raw).unicodeScalars {
      switch scalar.value {
      case 0x20, 0x28, 0x29, 0x2D, 0x2E: continue
      case 0x30...0x39, 0x2B:
        guard kept.count < 12 else { return nil }
        kept.append(UInt8(scalar.value))
      default: return nil
      }
    }
    let prefix: ArraySlice<UInt8>
    switch kept.count {
    case 12: prefix = [UInt8(ascii: "+"), UInt8(ascii: "1")]
    case 11: prefix = [UInt8(ascii: "1")]
    default: prefix = []
    }
    let national = kept.dropFirst(prefix.count)
    guard kept.starts(with: prefix), national.count == 10, !national.contains(UInt8(ascii: "+")) else { return nil }
    return "+1" + String(decoding: national, as: UTF8.self)
  }

  /// A stored number as people of its country write it: `(785) 555-0123`. Numbers of other countries stay as they are
  /// stored.
  package static func national(_ stored: String) -> String {
    let digits = stored.dropFirst(2)
    guard stored.hasPrefix("+1"), digits.utf8.count == 10, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return stored
    }
    return "(\(digits.prefix(3))) \(digits.dropFirst(3).prefix(3))-\(digits.suffix(4))"
  }

  /// Whether the text is a US number with an extension behind it: `785-532-6011 x123`, `ext. 5`, `;ext=5`, `#5`, `,5`.
  static func hasExtension(_ raw: String) -> Bool {
    let text = TypedText.phone(raw)
    guard text.utf8.count <= 64 else { return false }
    let end = text.unicodeScalars.firstIndex { !"+0123456789 ().-".unicodeScalars.contains($0) }
    guard let end, unitedStates(String(text[..<end])) != nil else { return false }
    let rest = EmailAddress.lowercasedASCII(String(text[end...]))
    return rest.wholeMatch(of: /(?:;?\s*ext(?:n|ension)?|x|#|[,;]+)[.:=#\s]*[0-9]{1,20}#?/) != nil
  }
}
