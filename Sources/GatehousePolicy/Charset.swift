/// A set of characters written as `a-zA-Z0-9_.`: single code points and ranges; a `-` that stands first or last is
/// itself. The word `letters` is the set of Latin letters and marks.
public struct Charset: Sendable, Hashable {
  /// The set as written.
  public let text: String
  /// In the order written; they may overlap.
  public let ranges: [ClosedRange<UInt32>]

  /// The word for `latinLetters`.
  public static let letters = "letters"

  /// Whether the set is that of Latin letters and marks. Text of it begins with a letter; it is unique, and compared
  /// with reserved words, without marks.
  public var isLetters: Bool { text.utf8.elementsEqual(Charset.letters.utf8) }

  /// Nil when empty, when a range runs backwards, or when it names a control character.
  public init?(_ text: String) {
    if text.utf8.elementsEqual(Charset.letters.utf8) {
      self.text = text
      ranges = Charset.latinLetters + [Charset.marks.low, Charset.marks.high]
      return
    }
    let scalars = Array(text.unicodeScalars.map(\.value))
    guard !scalars.isEmpty, scalars.count <= 256 else { return nil }
    var ranges: [ClosedRange<UInt32>] = []
    var index = 0
    while index < scalars.count {
      let low = scalars[index]
      guard low >= 0x20, low != 0x7F else { return nil }
      if index + 2 < scalars.count, scalars[index + 1] == 0x2D {
        let high = scalars[index + 2]
        guard low <= high else { return nil }
        ranges.append(low...high)
        index += 3
      } else {
        ranges.append(low...low)
        index += 1
      }
    }
    self.text = text
    self.ranges = ranges
  }

  /// Whether a code point is in the set.
  public func contains(_ scalar: Unicode.Scalar) -> Bool {
    for range in ranges where range.contains(scalar.value) { return true }
    return false
  }

  /// Whether every code point of `text` (in NFC) is in the set. True for the empty text; not for one of letters that
  /// begins with a mark, which would be shown on the character before it.
  public func holds(_ text: String) -> Bool {
    if isLetters, let first = text.unicodeScalars.first, Charset.isMark(first) { return false }
    return text.unicodeScalars.allSatisfy(contains)
  }

  /// Whether a code point is a combining mark of U+0300 to U+036F.
  static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    marks.low.contains(scalar.value) || marks.high.contains(scalar.value)
  }
}
