import Testing

@testable import GatehousePolicy

/// The marks around a text that keep its order apart (Unicode UAX #9).
enum Isolation {
  /// Whether each mark that opens has one that closes it.
  static func isWhole(_ text: String) -> Bool {
    var open = 0
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x2066...0x2068: open += 1
      case 0x2069: open -= 1
      default: break
      }
      guard open >= 0 else { return false }
    }
    return open == 0
  }
}

@Suite("The languages that Gatehouse has words in")
struct SpokenTests {
  @Test(
    "a tag finds its language, whole or by its primary part",
    arguments: [
      ("de", .german), ("de-CH", .german), ("DE-at", .german), ("ar", .arabic), ("ar-EG", .arabic),
      ("es-419", .spanish),
      ("en-GB", .english), ("deu", nil), ("d", nil), ("", nil), ("-", nil), ("fr", nil), ("arq", nil),
    ] as [(String, Language?)])
  func tags(tag: String, language: Language?) { #expect(Language(tag: tag) == language) }

  @Test(
    "the first language of a reader that there are words in is the one",
    arguments: [
      (["fr", "de-CH", "en"], .german), (["ar-EG"], .arabic), (["fr"], .english), ([], .english),
      (["es", "de"], .spanish),
    ] as [([String], Language)])
  func best(tags: [String], language: Language) { #expect(Language(bestOf: tags) == language) }

  @Test("each has its own name and a tag of its own", arguments: Language.allCases)
  func names(language: Language) {
    #expect(!language.name.isEmpty && language.rawValue == language.rawValue.lowercased())
    #expect(Set(Language.allCases.map(\.name)).count == Language.allCases.count)
    #expect((language.direction == .rightToLeft) == (language == .arabic))
  }

  @Test(
    "a number takes the form that its language has for it",
    arguments: [
      (0, "zero"), (1, "one"), (2, "two"), (3, "few"), (10, "few"), (11, "many"), (99, "many"), (100, "other"),
      (102, "other"), (103, "few"), (111, "many"), (-1, "other"), (-3, "few"),
    ])
  func plurals(count: Int, arabic: String) {
    #expect(Language.arabic.plural(of: count).rawValue == arabic)
    for language in Language.allCases where language != .arabic {
      #expect(language.plural(of: count) == (count == 1 ? .one : .other))
    }
  }

  @Test("counted words have the number in digits, and the form that is left out is the last one")
  func counted() {
    let days = CountedWords(one: "يوم واحد", two: "يومين", few: "# أيام", many: "# يومًا", other: "# يوم")
    #expect(
      [1, 2, 3, 11, 100].map { days.text($0, in: .arabic) } == ["يوم واحد", "يومين", "3 أيام", "11 يومًا", "100 يوم"])
    #expect(days.text(0, in: .arabic) == "0 يوم" && days.text(2, in: .german) == "2 يوم")
  }

  @Test("names that apps use often have words in each language")
  func labels() {
    for (name, row) in LabelWords.fields.merging(LabelWords.values, uniquingKeysWith: { $1 }) {
      let spoken = row("English")
      for language in Language.allCases { #expect(!spoken[language].isEmpty, "\(name)") }
    }
  }
}
