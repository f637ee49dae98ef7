extension TypedText {
  /// The text as one line that has no `Flaw`: blanks and line ends in a row are one U+0020, and characters that no
  /// value may hold are left out. Nil where nothing is left to see.
  package static func line(_ text: String) -> String? {
    var kept = String.UnicodeScalarView()
    var marks = 0
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case _ where scalar.isBlank:
        if kept.last != " " { kept.append(" ") }
        marks = 0
        continue
      case .nonspacingMark, .enclosingMark: marks += 1
      case .format: break
      default: marks = 0
      }
      if marks <= Flaw.mostMarks, Flaw.of(String(scalar), multiline: false) == nil { kept.append(scalar) }
    }
    let line = trimmed(String(kept))
    return isShown(line) ? line : nil
  }
}
