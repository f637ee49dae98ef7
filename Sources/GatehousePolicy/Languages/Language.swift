/// A language that Gatehouse has words in. Every choice of a language, every page, mail and check is made of this list.
package enum Language: String, Sendable, CaseIterable {
  case english = "en"
  case spanish = "es"
  case german = "de"
  case arabic = "ar"

  /// The way that its lines run, as HTML spells it.
  package enum Direction: String, Sendable {
    case leftToRight = "ltr"
    case rightToLeft = "rtl"
  }

  /// The language of a tag, whole or by its primary part: `es` of `es-MX`. Nil where there are no words in it.
  package init?(tag: String) {
    self.init(rawValue: tag.lowercased().prefix { $0 != "-" }.description)
  }

  /// The first of these tags, best first, that there are words in; otherwise English.
  package init(bestOf tags: [String]) {
    self = tags.lazy.compactMap { Language(tag: $0) }.first ?? .english
  }

  /// The language's own name.
  package var name: String {
    switch self {
    case .english: "English"
    case .spanish: "Español"
    case .german: "Deutsch"
    case .arabic: "العربية"
    }
  }

  /// The way that its lines run.
  package var direction: Direction {
    switch self {
    case .english, .spanish, .german: .leftToRight
    case .arabic: .rightToLeft
    }
  }
}
