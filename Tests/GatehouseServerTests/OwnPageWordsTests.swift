import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePolicyFile
import GatehouseTesting
import Testing

@testable import GatehouseServer

@Suite("A tenant's own words on pages")
struct OwnPageWordsTests {
  private static func marked(_ app: String) throws -> Policy {
    var policy = try PolicyFile.read(TestLists.policy(app), name: app).get().policy
    for page in Messages.Page.allCases {
      for part in page.parts { policy.messages.pages[page, default: [:]][part] = ["en": mark(part, page)] }
    }
    return policy
  }

  private static func mark(_ part: TextPart, _ page: Messages.Page) -> String { "<\(page.rawValue) \(part.rawValue)>" }

  /// Screens that a preview shows in another state: with a code that was typed, of an account without a password, and
  /// behind a link.
  private static let others: Set<Messages.Page> = [
    .newPassword, .setPassword, .verifyEmailLink, .resetPasswordLink, .confirmEmailLink, .undoEmailLink,
  ]

  @Test("each part of each page that a preview shows is worded by the policy, and escaped")
  func shown() async throws {
    var all = ""
    for app in ["messai", "dd-ride", "vibes"] {
      let policy = try Self.marked(app)
      let profile = Dictionary(policy.profile.fields.map { ($0.name, Samples.value($0)) }) { $1 }
      let outcomes = try await PagePreview(
        policy, email: Samples.email(policy), profile: profile, at: Date(timeIntervalSince1970: 1_795_253_400)
      ).outcomes()
      for case .shown(let pages) in outcomes {
        for page in pages where page.language == "en" { all += page.html }
      }
    }
    var unseen: [String] = []
    for page in Messages.Page.allCases where !Self.others.contains(page) {
      for part in page.parts {
        let text = Self.mark(part, page).replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        if !all.contains(text) { unseen.append(text) }
      }
    }
    #expect(unseen == [])
    #expect(!all.contains("<sign_in"))
  }

  private func worded(_ messages: Messages, _ language: String = "en") throws -> Screen {
    let policy = Policy(
      tenant: "acme", app: App(name: "Acme", locales: ["en", "es"]), identifiers: Identifiers(),
      password: PasswordPolicy(rules: []), messages: messages)
    let name = try #require(screen.name)
    return screen.worded(by: try #require(OwnWords(policy, in: language).words(name)))
  }

  private func html(_ screen: Screen) -> String {
    let hidden = Form.Hidden(token: "", flow: "", key: "")
    return screen.heading + screen.html(hidden, at: "x", HostedWords.english.frame.forms).text
  }

  private let screen = Screen(
    "Ours", of: .changeEmail, lead: "Our lead",
    [
      Pieces.text("Your address is pat@example.com."), .form(Form(button: "Other", style: .plain)),
      .form(Form(fields: [FormField(name: "email", label: "Email", kind: .email)], button: "Our button")),
      .form(Form(button: "Second", style: .secondary)),
    ])

  @Test("own words stand in the place of ours, and what tells an address stays")
  func replaced() throws {
    var messages = Messages()
    messages.pages[.changeEmail] = [
      .heading: ["en": "Theirs at {app}"], .lead: ["en": "Their lead"], .button: ["en": "Their button"],
    ]
    let text = html(try worded(messages))
    for part in ["Theirs at Acme", "Their lead", "pat@example.com", "Their button", "Second", "Other"] {
      #expect(text.contains(part), "\(part)")
    }
    for part in ["Ours", "Our lead", "Our button"] { #expect(!text.contains(part), "\(part)") }
  }

  @Test("a page in another language, and a page that has no words, keep ours")
  func kept() throws {
    var messages = Messages()
    messages.pages[.changeEmail] = [.heading: ["en": "Theirs"]]
    messages.pages[.signIn] = [.lead: ["en": "Hello"]]
    #expect(html(try worded(messages, "es")) == html(screen))
    messages.pages[.changeEmail] = nil
    #expect(html(try worded(messages)) == html(screen))
  }

  @Test("every mail that there is can be worded, and no other")
  func mails() {
    // An operator's test of the mail settings is no mail of the tenant's.
    let kinds = MessageKind.allCases.filter { $0 != .test }
    #expect(Set(Messages.Mail.allCases.map(\.rawValue)) == Set(kinds.map(\.rawValue)))
  }

  @Test("every page behind a link has its own name")
  func links() { #expect(Set(LinkPage.allCases.map(\.name)).count == LinkPage.allCases.count) }
}
