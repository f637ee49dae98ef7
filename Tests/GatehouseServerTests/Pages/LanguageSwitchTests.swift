import Testing

@testable import GatehouseServer

@Suite("The switch of a page's language")
struct LanguageSwitchTests {
  private func page(_ fields: [FormField], _ name: String = "Acme") -> String {
    let brand = Brand(name: name, style: PageStyle(), languages: [.english, .spanish])
    let screen = Screen("Sign in to \(name)", [.form(Form(fields: fields, button: "Go"))])
    let answer = PageFrame(brand: brand, words: .english, root: "../").answer(
      screen, .init(path: "sign-in", languages: "sign-in?f=x"))
    return String(decoding: answer.body?.bytes ?? [], as: UTF8.self)
  }

  private let email = FormField(name: "email", label: "Email", kind: .email)

  @Test("where something can be typed, it sends the form along")
  func typed() {
    #expect(page([email]).contains("<button form=\"form\" name=\"lang\" value=\"es\" lang=\"es\">Español</button>"))
  }

  @Test("where nothing can be typed, it is a link")
  func plain() {
    #expect(page([]).contains("<a href=\"sign-in?f=x&amp;lang=es\" lang=\"es\" hreflang=\"es\">Español</a>"))
  }

  @Test("it is not the button that Enter presses")
  func enter() throws {
    let html = page([email])
    let first = try #require(html.firstRange(of: "<button form=\"form\" class=\"first\"")?.lowerBound)
    let choice = try #require(html.firstRange(of: "name=\"lang\"")?.lowerBound)
    #expect(first < choice)
  }

  @Test("a short name of an app is on one line, and a long one may break", arguments: [(16, true), (17, false)])
  func names(_ count: Int, _ isJoined: Bool) {
    let name = "a " + String(repeating: "b", count: count - 2)
    #expect(page([email], name).contains("Sign in to a\u{A0}b") == isJoined)
  }
}
