import GatehouseIdentity
import GatehousePolicy
import Testing

@testable import GatehouseOutbound

@Suite("The words of mails, in every language")
struct MailWordsTests {
  private static let others = MessageKind.allCases.flatMap { kind in
    Language.allCases.filter { $0 != .english }.map { (kind, $0) }
  }

  /// The texts of a letter, each with its place.
  private func texts(_ kind: MessageKind, _ words: MailWords) -> [String: String] {
    let letter = words.letter(kind)
    return [
      "subject": letter.subject, "heading": letter.heading, "lead": letter.lead.joined(separator: "\n"),
      "button": letter.button, "closing": letter.closing.joined(separator: "\n"),
    ]
  }

  private func texts(_ words: MailWords) -> [String: String] {
    [
      "greeting": words.greeting, "hint": words.linkHint, "link": words.linkExpires, "subject": words.codeSubject,
      "alone": words.codeAlone, "too": words.codeToo, "code": words.codeExpires, "warning": words.codeWarning,
      "footer": words.footer.joined(separator: "\n"), "terms": words.terms, "privacy": words.privacy,
    ]
  }

  private func placeholders(_ text: String) throws -> Set<MailPlaceholder> {
    try MailTemplate(text, file: "test").shown
  }

  private func compare(_ own: [String: String], _ english: [String: String]) throws {
    for (place, text) in own {
      let theirs = try #require(english[place])
      #expect(!text.isEmpty && text != theirs, "\(place)")
      #expect(try placeholders(text) == placeholders(theirs), "\(place): \(text)")
    }
  }

  @Test("a letter says in each language what it says in English, of the same values", arguments: others)
  func letters(kind: MessageKind, language: Language) throws {
    try compare(texts(kind, .of(language)), texts(kind, .english))
  }

  @Test("so does what is around it", arguments: Language.allCases.filter { $0 != .english })
  func frames(language: Language) throws { try compare(texts(.of(language)), texts(.english)) }

  @Test("lengths of time have the form that the language has for their number")
  func durations() {
    let words = [1, 2, 5, 20, 60, 120, 1440, 2880, 11 * 1440].map { MailWords.arabic.duration(minutes: $0) }
    #expect(
      words == [
        "دقيقة واحدة", "دقيقتين", "5 دقائق", "20 دقيقة", "ساعة واحدة", "ساعتين", "24 ساعة", "يومين", "11 يومًا",
      ])
    #expect(
      [1, 2, 60, 2880].map { MailWords.german.duration(minutes: $0) } == [
        "1 Minute", "2 Minuten", "1 Stunde", "2 Tage",
      ])
  }

  @Test(
    "a mail in Arabic runs from right to left, with its link and its code as they are", arguments: MessageKind.allCases)
  func direction(kind: MessageKind) throws {
    let order = MessageOrder.sample(kind, language: "ar-EG", brand: kState)
    let mail = try MailTemplates().render(order, tenant: "x")
    #expect(
      mail.html.contains("<main class=\"card\" dir=\"rtl\"") && mail.html.contains("<footer class=\"foot\" dir=\"rtl\"")
    )
    if order.code != nil { #expect(mail.html.contains("<p class=\"code\" dir=\"ltr\"")) }
    if order.link != nil { #expect(mail.html.matches(of: /<a class="text" href="[^"]*" dir="ltr"/).count == 1) }
    for text in [mail.subject, mail.text] {
      for name in text.matches(of: /(.)DD Ride/) { #expect(name.output.1 == "\u{2068}", "\(text)") }
      #expect(text.count { $0 == "\u{2068}" } == text.count { $0 == "\u{2069}" })
    }
    let english = try MailTemplates().render(.sample(kind, language: "en", brand: kState), tenant: "x")
    #expect(!english.html.contains("dir=\"rtl\"") && !english.html.contains("\u{2068}"))
  }
}
