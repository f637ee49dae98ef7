/// Makes text from outside safe to show: no byte of it can move the cursor, change colours, hide or reorder what stands
/// beside it.
enum Visible {
  /// Whether a terminal may act on the character, or show nothing in its place: controls (C0, DEL, C1), line ends,
  /// format characters (bidirectional overrides, zero width) and private codes.
  static func isActive(_ scalar: Unicode.Scalar) -> Bool {
    if (0x20..<0x7F).contains(scalar.value) { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return true
    default: return false
    }
  }

  /// One line: active characters as `\u{…}`.
  static func line(_ text: some StringProtocol) -> String {
    var shown = ""
    for scalar in text.unicodeScalars {
      guard isActive(scalar) else {
        shown.unicodeScalars.append(scalar)
        continue
      }
      shown += scalar == "\n" ? "\\n" : scalar == "\t" ? "\\t" : escape(scalar)
    }
    return shown
  }

  /// Lines for a terminal: active characters as `\u{…}`, but for line ends and tabs, and with `colour` the colours that
  /// this program writes. So the output of a command that does not do this itself is safe as well.
  static func lines(_ text: String, colour: Bool) -> String {
    guard text.unicodeScalars.contains(where: { isActive($0) && $0 != "\n" }) else { return text }
    var shown = ""
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      if colour, scalar == "\u{1B}", let own = colours.first(where: { rest.starts(with: $0.unicodeScalars) }) {
        shown += own
        rest = rest.dropFirst(own.unicodeScalars.count)
        continue
      }
      rest = rest.dropFirst()
      // GUARD: terminal: active characters are shown, not done
      if isActive(scalar), scalar != "\n", scalar != "\t" {
        shown += escape(scalar)
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String { "\\u{\(String(scalar.value, radix: 16))}" }

  /// The colours that texts of this program have. None hides a text.
  private static let colours = ["0", "1", "2", "31", "32", "33", "1;31", "1;33"].map { "\u{1B}[\($0)m" }

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
