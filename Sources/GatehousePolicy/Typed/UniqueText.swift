/// The key that values of a field share where they are the same name: UsernameCaseMapped of RFC 8265, section 3.3, and
/// UsernameCasePreserved where case counts. Where RFC 8265 refuses a character that shows nothing, the key leaves it
/// out, so that a value with it is no second one.
enum UniqueText {
  /// Nil for a text that shows nothing: it is no value.
  static func key(_ text: String, ignoringCase: Bool, ignoringMarks: Bool) -> String? {
    let name = text.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? text : mapped(text)
    let key = ignoringCase ? folded(name, ignoringMarks: ignoringMarks) : Text.nfc(name)
    return key.isEmpty ? nil : key
  }

  private static func folded(_ name: String, ignoringMarks: Bool) -> String {
    // GUARD: letters: unique without marks
    ignoringMarks ? Text.foldedWithoutMarks(name) : Text.folded(name)
  }

  /// Half and full width are one, blanks in a row are one U+0020, and what else shows nothing is left out.
  private static func mapped(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in TypedText.trimmed(text).unicodeScalars {
      // GUARD: unique: what is not seen makes no second name
      guard scalar.isBlank || !scalar.isInvisible else { continue }
      if !scalar.isBlank {
        scalars.append(usualWidth(of: scalar))
      } else if scalars.last != " " {
        scalars.append(" ")
      }
    }
    return String(scalars)
  }

  /// The decomposition of types `<wide>` and `<narrow>` in UnicodeData.
  private static func usualWidth(of scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard (0xFF01...0xFFEE).contains(scalar.value) else { return scalar }
    for (range, first) in shifted where range.contains(scalar.value) {
      return Unicode.Scalar(first + scalar.value - range.lowerBound) ?? scalar
    }
    return listed[scalar] ?? scalar
  }

  /// Ranges in which the other width stands in the same order, and its first code point.
  private static let shifted: [(ClosedRange<UInt32>, UInt32)] = [
    (0xFF01...0xFF5E, 0x21), (0xFF5F...0xFF60, 0x2985), (0xFFA1...0xFFBE, 0x3131), (0xFFC2...0xFFC7, 0x314F),
    (0xFFCA...0xFFCF, 0x3155), (0xFFD2...0xFFD7, 0x315B), (0xFFDA...0xFFDC, 0x3161), (0xFFE9...0xFFEC, 0x2190),
  ]

  private static let listed: [Unicode.Scalar: Unicode.Scalar] = {
    let katakana =
      "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテト" + "ナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u{3099}\u{309A}"
    var others = Array(zip(UInt32(0xFF61)..., katakana.unicodeScalars))
    others += Array(zip(UInt32(0xFFE0)..., "¢£¬¯¦¥₩".unicodeScalars))
    others += [(0xFFE8, "│"), (0xFFED, "■"), (0xFFEE, "○")]
    return Dictionary(
      uniqueKeysWithValues: others.compactMap { value, usual in Unicode.Scalar(value).map { ($0, usual) } })
  }()
}
