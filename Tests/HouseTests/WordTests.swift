import Testing

/// A word has the meaning that docs/glossary.md gives it, and no other, in the places that a row of `WordRule.all`
/// names.
@Suite("Words with one meaning")
struct WordTests {
  static let words = WordRule.all.map(\.word)

  private static func scan(_ word: String) throws -> WordScan {
    try WordScan(try #require(WordRule.all.first { $0.word == word }))
  }

  @Test("no place has a word with another meaning", arguments: words)
  func meaning(_ word: String) throws { #expect(try Self.scan(word).breaches() == []) }

  @Test("every exception still has the word", arguments: words)
  func exceptions(_ word: String) throws { #expect(try Self.scan(word).staleExceptions() == []) }

  @Test("the same look refuses a line with another meaning, and accepts one with the meaning", arguments: words)
  func control(_ word: String) throws {
    let scan = try Self.scan(word)
    #expect(scan.refuses(scan.rule.control.refused))
    #expect(!scan.refuses(scan.rule.control.accepted))
  }

  private static func scan(for pattern: String, in place: WordRule.Place) throws -> WordScan {
    try WordScan(WordRule("a sample", "", refuses: pattern, in: [place], control: ("", "")))
  }

  @Test("code of a document is no prose", arguments: ["```\nnobody\n```", "the user `nobody`"])
  func prose(_ text: String) throws {
    let scan = try Self.scan(for: "nobody", in: .documents)
    #expect(!scan.refuses(text))
    #expect(scan.refuses("nobody reads \(text)"))
  }

  @Test("an address is no comment, and a second line of a docstring no summary")
  func comments() throws {
    let comments = try Self.scan(for: "nobody", in: .comments(""))
    #expect(!comments.refuses(#"let url = "https://nobody.example/nobody""#))
    #expect(comments.refuses("let a = 1  // nobody"))
    let summaries = try Self.scan(for: "^What", in: .summaries(""))
    #expect(!summaries.refuses("/// The value.\n/// What follows."))
    #expect(summaries.refuses("let a = 1\n/// What follows."))
  }
}
