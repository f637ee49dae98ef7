// The code points that matter in typed text, by Unicode's own properties. Every room asks here.

extension Unicode.Scalar {
  /// Whether it shows nothing: `White_Space`, `Default_Ignorable_Code_Point` (joiners, fillers, variation selectors and
  /// all controls of direction are among them), and the blanks that Unicode calls symbols.
  package var isInvisible: Bool {
    switch value {
    case 0x21...0x7E: false
    // The blank of braille, the null note head, the place of an object that was not pasted.
    case 0x2800, 0x1D159, 0xFFFC: true
    default: properties.isWhitespace || properties.isDefaultIgnorableCodePoint
    }
  }

  /// Whether it shows something where it stands alone. Marks do not: they stand on another character.
  package var isShown: Bool {
    guard !isInvisible, !properties.isNoncharacterCodePoint else { return false }
    switch properties.generalCategory {
    case .control, .format, .surrogate, .nonspacingMark, .enclosingMark, .spacingMark: return false
    default: return true
    }
  }

  /// Whether it is white space in a line, or another blank that takes up room.
  package var isBlank: Bool { properties.isWhitespace || value == 0x2800 }

  /// The value of a decimal digit in any script, 0 to 9.
  var digit: Int? {
    if (0x30...0x39).contains(value) { return Int(value) - 0x30 }
    guard value > 0x7F, properties.numericType == .decimal else { return nil }
    return properties.numericValue.map { Int($0) }
  }

  /// Whether it is a dash (Pd), or a character that keyboards give for one: a hyphen bullet, a minus sign, the long
  /// vowel of Katakana in both widths.
  var isDash: Bool {
    switch value {
    case 0x2043, 0x2212, 0x30FC, 0xFF70: true
    default: properties.generalCategory == .dashPunctuation
    }
  }

  /// Whether it may stand between the digits of one number: a dash, a blank (Zs), or nothing that is seen.
  var joinsDigits: Bool {
    isDash || value == 0x2800 || properties.generalCategory == .spaceSeparator || properties.isDefaultIgnorableCodePoint
  }

  /// Whether it turns the direction of what stands beside it: embeddings, overrides and isolates, with their ends. The
  /// three marks (U+061C, U+200E, U+200F) do not, and stand in honest text.
  var turnsText: Bool { (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value) }

  /// Whether it belongs to the character before it: the form of an emoji or ideograph, the region of a flag.
  var isSelector: Bool { properties.isVariationSelector || (0xE0020...0xE007F).contains(value) }

  /// Whether selectors may stand behind it. Digits of ASCII are emoji by their property and are left out.
  var takesSelectors: Bool {
    value > 0x7F
      && (properties.isEmoji || properties.isIdeographic || (0x1820...0x18AA).contains(value))
  }
}
