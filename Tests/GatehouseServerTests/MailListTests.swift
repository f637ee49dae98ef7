import Foundation
import GatehouseIdentity
import GatehouseRuntime
@testable import GatehouseServer
import Testing

@Suite("The list of kept mails")
struct MailListTests {
  private static func page(_ mails: [Development.Mail]?) async -> String {
    let list = MailList(mails: .kept { _ in mails }, own: ["http://localhost:8080/t/a"])
    return String(decoding: await list.answer().body?.bytes ?? [], as: UTF8.self)
  }

  private static func mail(_ text: String, subject: String = "Hello", code: String? = nil) -> Development.Mail {
    Development.Mail(
      to: "a@example.com", subject: subject, time: "2026-11-21T09:30:00Z", text: text, html: "<p>\(text)</p>",
      code: code)
  }

  @Test("no more than a hundred are asked for, and no more are shown")
  func number() async {
    let many = (0..<150).map { Self.mail("text", subject: "Mail \($0)") }
    let page = await Self.page(many)
    #expect(page.components(separatedBy: "<li class=\"mail\">").count == 101)
    #expect(page.contains("Mail 99<") && !page.contains("Mail 100<"))
  }

  @Test("a long text is cut")
  func length() async {
    let page = await Self.page([Self.mail(String(repeating: "x", count: 30_000))])
    #expect(page.contains(String(repeating: "x", count: 20_000) + "…"))
    #expect(!page.contains(String(repeating: "x", count: 20_001)))
  }

  @Test("nothing of a mail is markup")
  func escaping() async {
    let nasty = "<img src=x onerror=alert(1)>"
    let mail = Development.Mail(
      to: nasty, subject: nasty, time: nil, text: "\(nasty)\n\(nasty)", html: nasty, code: nil)
    let page = await Self.page([mail])
    #expect(!page.contains("<img") && page.components(separatedBy: "&lt;img").count == 6)
  }

  @Test("an address of this server is a link")
  func link() async {
    let page = await Self.page([Self.mail("Go to\nhttp://localhost:8080/t/a/ui/verify-email?token=x&y now")])
    #expect(page.contains("<a href=\"http://localhost:8080/t/a/ui/verify-email?token=x&amp;y\">"))
    #expect(page.contains("</a> now"))
  }

  @Test(
    "every other address is text",
    arguments: [
      "http://evil.example/", "http://localhost:8080/t/abc/ui/x", "http://localhost:8080@evil.example/t/a/",
      "javascript:alert(1)", "xhttp://localhost:8080/t/a/ui/x",
    ])
  func foreign(_ address: String) async {
    let page = await Self.page([Self.mail("Go to \(address) now")])
    #expect(page.contains(address) && !page.contains("<a href=\"\(address)"))
  }

  @Test("the newest is unfolded, the others are folded, and the code of each is seen")
  func folds() async {
    let page = await Self.page([Self.mail("one", code: "123456"), Self.mail("two", code: "654321")])
    #expect(page.components(separatedBy: "<details open>").count == 2)
    #expect(page.components(separatedBy: "<details>").count == 2)
    #expect(page.contains("<span class=\"code\">123456</span>") && page.contains("<span class=\"code\">654321</span>"))
  }

  @Test("the HTML of a mail is in a frame of its own, which runs and fetches nothing")
  func html() async throws {
    let mail = Self.mail("one")
    let list = MailList(mails: .kept { _ in [mail] }, own: [])
    let page = await list.answer()
    let text = String(decoding: page.body?.bytes ?? [], as: UTF8.self)
    #expect(text.contains("<iframe sandbox loading=\"lazy\" src=\"/dev/mail/\(mail.name)\""))
    #expect(page.headers.single("content-security-policy")?.contains(" frame-src 'self';") == true)
    let part = try await list.part(mail.name)
    #expect(part.body?.bytes == Array("<p>one</p>".utf8))
    #expect(
      part.headers.single("content-security-policy")
        == "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'")
  }

  @Test("a name that no mail has is none", arguments: ["", "x", "../x"])
  func noPart(_ name: String) async {
    let list = MailList(mails: .kept { _ in [Self.mail("one")] }, own: [])
    await #expect(throws: Refusal.self) { try await list.part(name) }
  }

  @Test("the time is written out")
  func time() async {
    let page = await Self.page([Self.mail("one")])
    #expect(page.contains("<time datetime=\"2026-11-21T09:30:00Z\">2026-11-21 09:30:00 UTC</time>"))
  }

  @Test("mails that cannot be read are no empty list")
  func unreadable() async {
    #expect(await Self.page(nil).contains("The mails cannot be read"))
    #expect(await Self.page([]).contains("No mail yet"))
  }
}
