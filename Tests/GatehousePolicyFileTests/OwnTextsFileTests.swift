import GatehousePolicy
import Testing

@testable import GatehousePolicyFile

@Suite("A tenant's own words for pages and mails in a policy file")
struct OwnTextsFileTests {
  /// A file with a text for each part of each page and mail.
  static let whole: String = {
    let pages = Messages.Page.allCases.map { page in
      "    \(page.rawValue):\n" + page.parts.map { line($0, page.rawValue) }.joined()
    }
    let mails = Messages.Mail.allCases.map { mail in
      "    \(mail.rawValue):\n" + TextPart.allCases.map { line($0, mail.rawValue) }.joined()
    }
    return "messages:\n  pages:\n" + pages.joined() + "  mails:\n" + mails.joined()
  }()

  private static func line(_ part: TextPart, _ name: String) -> String {
    "      \(part.rawValue): {en: \"\(name) \(part.rawValue) of {app}\"}\n"
  }

  @Test("every part of every page and mail is a key, and the name of the app is filled in")
  func all() throws {
    let messages = try read(ReadingTests.base + Self.whole).policy.messages
    for page in Messages.Page.allCases {
      for part in page.parts {
        let text = messages.text(part, of: page, in: "en-GB", app: "Acme")
        #expect(text == "\(page.rawValue) \(part.rawValue) of Acme")
      }
    }
    for mail in Messages.Mail.allCases {
      for part in TextPart.allCases {
        let text = messages.text(part, of: mail, in: "en", app: "Acme")
        #expect(text == "\(mail.rawValue) \(part.rawValue) of Acme")
      }
    }
  }

  private func canonical(_ text: String) throws -> String {
    String(decoding: try read(ReadingTests.base + text).policy.canonicalJSON, as: UTF8.self)
  }

  @Test("the canonical form has the words that are stated, and says nothing where there are none")
  func canonical() throws {
    #expect(try !canonical("").contains("pages"))
    let json = try canonical("messages: {pages: {sign_in: {lead: {en: Hello}}}}\n")
    #expect(json.contains(#""pages":{"sign_in":{"lead":{"en":"Hello"}}}"#), "\(json)")
    #expect(!json.contains("mails"))
  }

  @Test(
    "a page shows the words of its own language alone",
    arguments: [
      ("es", "Hola"), ("es-AR", "Hola"), ("en", nil), ("fr", nil), ("pt", "Olá"),
    ] as [(String, String?)])
  func language(_ language: String, _ text: String?) throws {
    let file = "messages: {pages: {sign_in: {lead: {es: Hola, pt-BR: Olá}}}}\n"
    let messages = try read(ReadingTests.base + file).policy.messages
    #expect(messages.text(.lead, of: .signIn, in: language, app: "Acme") == text)
  }

  @Test(
    "an unknown page, part or mark, and a text of several lines are refused with what is allowed",
    arguments: [
      ("{pages: {sign_inn: {lead: {en: x}}}}", "did you mean \"sign_in\"?"),
      ("{pages: {sign_in: {leed: {en: x}}}}", "did you mean \"lead\"?"),
      ("{pages: {sign_in: {subject: {en: x}}}}", "subject"),
      ("{pages: {devices: {button: {en: x}}}}", "button"),
      ("{mails: {verify: {lead: {en: x}}}}", "verify_email"),
      ("{mails: {verify_email: {lead: {en: \"Hi {name}\"}}}}", "{app} is the only mark in braces"),
      ("{pages: {sign_in: {heading: {en: \"{{app}}\"}}}}", "{app} is the only mark in braces"),
      ("{pages: {sign_in: {heading: {en: \"one\\ntwo\"}}}}", "one line"),
      ("{pages: {sign_in: {heading: {en: \"\\u202Egnp\"}}}}", "U+202E"),
      ("{pages: {sign_in: {heading: {en: \"\(String(repeating: "x", count: 121))\"}}}}", "120"),
      ("{pages: {sign_in: {heading: Welcome}}}", "heading"), ("{pages: {sign_in: {heading: {}}}}", "heading"),
    ])
  func refused(text: String, told: String) {
    let found = findings(ReadingTests.base + "messages: \(text)\n")
    #expect(found.contains(told), "\(found)")
  }

  @Test(
    "a part without a text in a language of the app is a finding", arguments: ["pages: {sign_in", "mails: {new_device"])
  func missing(_ place: String) {
    let base = ReadingTests.base.replacing("app: {name: Acme}", with: "app: {name: Acme, locales: [en, es]}")
    let text = base + "messages: {\(place): {heading: {en: Welcome}}}}\n"
    let report = PolicyCheck.check(Array(text.utf8), name: "acme.yaml", using: SmallLists(), now: date("2026-11-20"))
    #expect(report.text().contains("heading has no text in es"), "\(report.text())")
  }

  @Test("other words are a neutral change, told by their place")
  func neutral() throws {
    let old = try read(ReadingTests.base + "messages: {pages: {sign_in: {lead: {en: Hello}}}}\n")
    let new = try read(ReadingTests.base + "messages: {pages: {sign_in: {lead: {en: Hi}}}}\n")
    let changes = PolicyFile.diff(old, new)
    #expect(changes.map(\.subject) == ["messages.pages.sign_in.lead"] && changes.allSatisfy { $0.relation == .neutral })
  }
}
