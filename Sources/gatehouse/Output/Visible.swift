/// Makes text from outside safe to show: no byte of it can move the cursor, change colours, hide or reorder what stands
/// beside it.
enum Visible {
  /// One line: controls, line ends, format characters (bidirectional overrides, zero width) and private codes as
  /// `\u{…}`.
  static func line(_ text: some StringProtocol) -> String {
    var shown = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
        shown += scalar == "\n" ? "\\n" : scalar == "\t" ? "\\t" : "\\u{\(String(scalar.value, radix: 16))}"
      default:
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  /// How many columns a terminal gives this text.
  static func width(_ text: some StringProtocol) -> Int {
    text.reduce(0) { $0 + width($1) }
  }

  /// The text cut to `limit` columns, with an ellipsis where something was lost.
  static func cut(_ text: String, to limit: Int) -> String {
    guard width(text) > limit else { return text }
    var kept = ""
    var used = 0
    for character in text {
      let next = width(character)
      if used + next > limit - 1 { break }
      kept.append(character)
      used += next
    }
    return kept + "…"
  }

  private static func width(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if first.properties.generalCategory == .nonspacingMark || first.properties.generalCategory == .enclosingMark {
      return 0
    }
    if first.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}") { return 2 }
    return wide.contains { $0.contains(first.value) } ? 2 : 1
  }

  /// Blocks of East Asian width W or F (Unicode Standard Annex 11), coarse.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD,
  ]
}

/// Counted things in messages.
enum Words {
  /// `1 test`, `2 tests`.
  static func count(_ number: Int, _ thing: String) -> String { "\(number) \(thing)\(number == 1 ? "" : "s")" }
}
