/// A text in every language that Gatehouse has words in: one that is left out does not compile. It is made of literals,
/// so that a table of them costs nothing before it is read.
package struct Spoken: Sendable, Equatable {
  package let en, es, de, ar: String

  package init(_ en: String, _ es: String, _ de: String, _ ar: String) {
    (self.en, self.es, self.de, self.ar) = (en, es, de, ar)
  }

  /// The text in a language.
  package subscript(language: Language) -> String {
    switch language {
    case .english: en
    case .spanish: es
    case .german: de
    case .arabic: ar
    }
  }

  /// By language tag.
  var texts: Texts { texts { $1 } }

  /// By language tag, each as `shown` turns it.
  func texts(_ shown: (Language, String) -> String) -> Texts {
    var byLanguage: [String: String] = [:]
    byLanguage.reserveCapacity(Language.allCases.count)
    for language in Language.allCases { byLanguage[language.rawValue] = shown(language, self[language]) }
    return Texts(byLanguage)
  }
}

extension Language {
  /// A text of another language as it stands within a sentence of this one.
  package func embedded(_ text: String) -> String { direction == .rightToLeft ? text.isolated : text }
}

extension String {
  /// The text between marks that keep the order of its signs apart from that of the text around it (Unicode UAX #9):
  /// a name or an address in a sentence that runs the other way.
  package var isolated: String { "\u{2068}\(self)\u{2069}" }
}
