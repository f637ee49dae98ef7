import Foundation
import GatehouseIdentity
import GatehousePolicy
import Testing

@testable import GatehouseOutbound

@Suite("Letters")
struct MailTemplatesTests {
  private static let all = MessageKind.allCases.flatMap { kind in Language.allCases.map { (kind, $0.rawValue) } }
  /// A link as a reader of the part follows it.
  private func plain(_ part: String) -> String { part.replacing("&amp;", with: "&") }
  private let order = MessageOrder.sample(.verifyEmail, language: "en", brand: kState)

  @Test("every kind in every language names the app, shows link and code, and leaves no placeholder", arguments: all)
  func everyKind(kind: MessageKind, language: String) throws {
    let order = MessageOrder.sample(kind, language: language, brand: kState)
    let words = MailWords.of(Language(bestOf: [language]))
    let mail = try MailTemplates().render(order, tenant: "dd-ride")
    for part in [mail.text, mail.html] {
      #expect(!part.contains("{{") && !part.contains("}}"))
      #expect(part.contains("DD Ride") && part.contains("help@ddride.example"))
      for due in [order.link, order.code].compactMap(\.self) { #expect(plain(part).contains(due)) }
      if order.linkMinutes == 1440 { #expect(part.contains(words.duration(minutes: 1440))) }
      if order.codeMinutes == 10 { #expect(part.contains(words.duration(minutes: 10))) }
      if let address = order.newEmail { #expect(part.contains(address)) }
    }
    #expect(mail.subject.contains("DD Ride") && !mail.subject.contains("\n"))
    #expect(mail.html.contains("<html lang=\"\(language)\" dir=\"\(words.language.direction.rawValue)\">"))
    let bytes = try MIMEMessage(message(subject: mail.subject, text: mail.text, html: mail.html)).bytes
    let stored = try #require(StoredMail(bytes))
    #expect(stored.link == order.link && stored.code == order.code && stored.text == mail.text)
  }

  @Test("a mail with a code has it in its subject, and in the text that lists show beside that", arguments: all)
  func codeFirst(kind: MessageKind, language: String) throws {
    let order = MessageOrder.sample(kind, language: language, brand: kState)
    let mail = try MailTemplates().render(order, tenant: "dd-ride")
    let shown = try #require(mail.html.firstMatch(of: /<body[^>]*>\s*<div style="display:none[^>]*>([^<]*)<\/div>/))
    #expect(mail.subject.contains("123456") == (order.code != nil), "\(mail.subject)")
    #expect(shown.output.1.contains("123456") == (order.code != nil), "\(shown.output.1)")
  }

  @Test("a notice leads to the place to act, and says of no link that it expires", arguments: all)
  func place(kind: MessageKind, language: String) throws {
    guard let place = kind.place, kind.carries == nil else { return }
    let mail = try MailTemplates().render(.sample(kind, language: language, brand: kState), tenant: "dd-ride")
    #expect(mail.html.contains("href=\"https://auth.example.com/t/example/ui/\(place.page)\""), "\(mail.html)")
    let expires = MailWords.of(Language(bestOf: [language])).linkExpires.prefix { $0 != "{" }
    #expect(!expires.isEmpty && !mail.text.contains(expires))
  }

  @Test("the languages differ", arguments: MessageKind.allCases)
  func languagesDiffer(kind: MessageKind) throws {
    let mails = try Language.allCases.map {
      try MailTemplates().render(.sample(kind, language: $0.rawValue, brand: kState), tenant: "dd-ride")
    }
    #expect(Set(mails.map(\.subject)).count == mails.count && Set(mails.map(\.text)).count == mails.count)
  }

  @Test("nothing is loaded from anywhere and nothing runs", arguments: all)
  func nothingRemote(kind: MessageKind, language: String) throws {
    let html = try MailTemplates().render(.sample(kind, language: language, brand: kState), tenant: "x").html
    for remote in ["src=", "<img", "<script", "@import", "url(", "<link", "<iframe", "<form", " on"]
    where html.contains(remote) {
      #expect(remote == " on" && !html.contains(" onclick"), "\(remote)")
    }
    #expect(html.contains("prefers-color-scheme: dark") && html.contains("#512888"))
  }

  @Test(
    "an unknown language is English, and a region falls back to its language",
    arguments: [
      ("fr", "Confirm"), ("es-MX", "Confirma"), ("ES", "Confirma"), ("de-CH", "Bestätigen"), ("ar-EG", "أكّد"),
      ("", "Confirm"), ("../..", "Confirm"),
    ])
  func fallback(language: String, word: String) throws {
    var order = order
    order.language = language
    #expect(try MailTemplates().render(order, tenant: "x").text.hasPrefix(word + " "))
  }

  @Test("without a link there is no button, without a code no code")
  func oneOfTwo() throws {
    var onlyCode = order
    (onlyCode.link, onlyCode.linkMinutes) = (nil, nil)
    let code = try MailTemplates().render(onlyCode, tenant: "x")
    #expect(!code.html.contains("<a ") && code.text.contains("123456") && code.text.contains("Your code:"))
    var onlyLink = order
    (onlyLink.code, onlyLink.codeMinutes) = (nil, nil)
    let link = try MailTemplates().render(onlyLink, tenant: "x")
    #expect(!link.text.contains("code") && link.html.contains("<a "))
  }

  @Test(
    "a mail without what it is for is refused",
    arguments: [
      MessageKind.verifyEmail, .resetPassword, .setPassword, .changeEmailConfirm, .reauthenticate,
    ])
  func nothingToDo(kind: MessageKind) {
    var order = MessageOrder.sample(kind, language: "en", brand: kState)
    (order.link, order.code) = (nil, nil)
    #expect(throws: MailRenderError.nothingToDo(kind)) { try MailTemplates().render(order, tenant: "x") }
  }

  @Test(
    "a link that is not an http(s) URL is refused",
    arguments: [
      "javascript:alert(1)", "data:text/html,x", "//evil.example", "https://a b", "https://a\"onclick=", "https://a\nb",
      "ftp://a",
      "https://é.example",
    ])
  func badLink(link: String) {
    var order = order
    order.link = link
    #expect(throws: MailRenderError.link(.verifyEmail)) { try MailTemplates().render(order, tenant: "x") }
  }

  @Test("a code of other characters is refused", arguments: ["", "123", "12 34 56", "<b>1</b>", "12\n3456"])
  func badCode(code: String) {
    var order = order
    order.code = code
    #expect(throws: MailRenderError.code(.verifyEmail)) { try MailTemplates().render(order, tenant: "x") }
  }

  @Test("values are escaped in HTML and kept in text")
  func escaping() throws {
    var order = order
    order.brand.appName = "<b>\"Tom\" & 'Jerry'</b>"
    let mail = try MailTemplates().render(order, tenant: "x")
    #expect(
      !mail.html.contains("<b>") && mail.html.contains("&lt;b&gt;&quot;Tom&quot; &amp; &#39;Jerry&#39;&lt;/b&gt;"))
    #expect(mail.text.contains("<b>\"Tom\" & 'Jerry'</b>"))
  }

  @Test(
    "a stranger's name or device can not bring a link, a line or a subject of its own",
    arguments: [
      "You won: https://evil.example", "evil.example", "A\r\nB: see evil.example",
    ])
  func spam(text: String) throws {
    var order = MessageOrder.sample(.newDevice, language: "en", brand: kState)
    (order.toName, order.device) = (text, text)
    let mail = try MailTemplates().render(order, tenant: "x")
    #expect(!mail.text.contains("evil") && !mail.html.contains("evil") && mail.text.contains("Hello,"))
  }

  @Test(
    "lengths of time are in words",
    arguments: [
      (1, "1 minute"), (10, "10 minutes"), (60, "1 hour"), (90, "90 minutes"), (1440, "24 hours"), (2880, "2 days"),
      (10_080, "7 days"), (0, "1 minute"), (-5, "1 minute"), (Int.max, "\(Int.max) minutes"),
    ])
  func durations(minutes: Int, text: String) {
    #expect(MailWords.english.duration(minutes: minutes) == text)
  }

  @Test("printing an order, a mail or a message shows neither link nor code nor address")
  func redaction() throws {
    let mail = try MailTemplates().render(order, tenant: "x")
    let whole = message(subject: mail.subject, text: mail.text, html: mail.html)
    for value in [order, mail, whole] as [Any] {
      var dumped = ""
      dump(value, to: &dumped)
      for printed in ["\(value)", String(reflecting: value), dumped] {
        #expect(!printed.contains("123456") && !printed.contains("gh_sample") && !printed.contains("willie"))
      }
    }
  }

  @Test("an order survives its stay in the outbox")
  func codable() throws {
    let data = try JSONEncoder().encode(order)
    #expect(try JSONDecoder().decode(MessageOrder.self, from: data) == order)
  }
}
