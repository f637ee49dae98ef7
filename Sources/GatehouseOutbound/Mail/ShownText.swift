import GatehousePolicy

/// Text from outside, made fit to be shown in a mail: one line, nothing invisible, no room for an attacker's own
/// message. Sign-up mails go to addresses that are not proven yet, so a name such as "You won, see example.com" would
/// turn the server into a sender of spam.
enum ShownText {
  /// `text` on one line without control, format and separator characters, white space collapsed, at most `max`
  /// characters; nil if nothing is left.
  static func line(_ text: String, max: Int) -> String? {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(max * 8) {
      if scalar.breaksLines || scalar.isBlank {
        scalars.append(" ")
      } else if scalar.isShowable {
        scalars.append(scalar)
      }
    }
    let words = String(scalars).split(separator: " ").joined(separator: " ")
    return TypedText.isShown(words) ? String(words.prefix(max)) : nil
  }

  /// A person's name, or nil when it does not look like one: letters, marks, spaces and `'’.,·・-`, at most 60
  /// characters, and nothing like a host name (`J.R. Smith` is a name, `example.com` is not).
  static func userName(_ text: String) -> String? {
    guard let name = line(text, max: 61), name.count <= 60,
      name.unicodeScalars.allSatisfy({ $0.isLetterOrMark || " '’.,·・-".unicodeScalars.contains($0) }),
      !looksLikeHost(name)
    else { return nil }
    return name
  }

  /// A device as its client names it (`Willie's iPhone (Safari 18)`), or nil when it could carry a link. As fit for a
  /// place.
  static func deviceName(_ text: String) -> String? {
    guard let name = line(text, max: 81), name.count <= 80, !looksLikeHost(name),
      name.unicodeScalars.allSatisfy({ $0.isLetterOrMark || $0.isDigit || " '’.,-()+_".unicodeScalars.contains($0) })
    else { return nil }
    return name
  }

  /// Whether a word has a dot with two or more letters on both sides, as mail programs take for a host name.
  private static func looksLikeHost(_ text: String) -> Bool {
    text.split(whereSeparator: { " ,()".contains($0) }).contains { word in
      let labels = word.split(separator: ".", omittingEmptySubsequences: true)
      return zip(labels, labels.dropFirst()).contains { left, right in
        left.count > 1 && right.filter(\.isLetter).count > 1
      }
    }
  }
}

extension Unicode.Scalar {
  /// Whether the character ends a line in some program, or is a control character: C0, DEL, C1 (with NEL), U+2028,
  /// U+2029.
  var breaksLines: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  /// Whether the character can be shown without changing its neighbours (bidirectional overrides, tags and joiners
  /// change them).
  var isShowable: Bool {
    // The form of an emoji is part of it.
    guard !isInvisible || properties.isVariationSelector else { return false }
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .format, .surrogate, .privateUse, .unassigned: return false
    default: return true
    }
  }

  var isLetterOrMark: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
      .spacingMark:
      true
    default: false
    }
  }

  var isDigit: Bool { properties.generalCategory == .decimalNumber }

  /// Whether an internationalised address may hold the character beyond ASCII.
  var isWordLike: Bool { isShowable && !isInvisible }
}
