extension TypedText {
  /// The letters and digits of a code of both kinds, in ASCII: digits by their value in any script, full width as half,
  /// without dashes and blanks. What else the text holds stays, so that it is no code. Nil for what is longer than a
  /// message.
  package static func characters(ofCode text: String) -> String? {
    guard text.utf8.count <= longestSentence else { return nil }
    var ascii = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where !scalar.isInvisible && !scalar.isDash {
      if let digit = scalar.digit {
        ascii.append(contentsOf: String(digit).unicodeScalars)
      } else {
        ascii.append(scalar.halfWidthLetter ?? scalar)
      }
    }
    return String(ascii)
  }
}

extension Unicode.Scalar {
  /// The letter of ASCII that a letter of full width stands for.
  fileprivate var halfWidthLetter: Unicode.Scalar? {
    switch value {
    case 0xFF21...0xFF3A, 0xFF41...0xFF5A: Unicode.Scalar(value - 0xFEE0)
    default: nil
    }
  }
}
