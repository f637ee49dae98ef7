import Foundation
import GatehouseIdentity
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import GatehouseOutbound

@Suite("A tenant's own letters")
struct MailOverridesTests {
  /// A directory with these files, for the length of `body`.
  private func with(_ files: [String: String], _ body: (String) throws -> Void) throws {
    let directory = try TestFolder.make("letters")
    try FileManager.default.createDirectory(atPath: "\(directory)/dd-ride", withIntermediateDirectories: true)
    for (name, text) in files { try Data(text.utf8).write(to: URL(fileURLWithPath: "\(directory)/dd-ride/\(name)")) }
    try body(directory)
  }

  private func problems(_ files: [String: String]) throws -> [String] {
    var found: [String] = []
    try with(files) { directory in
      do throws(MailTemplateProblems) {
        _ = try MailTemplates(directory: directory)
      } catch {
        found = error.all.map { $0.description.replacingOccurrences(of: directory + "/", with: "") }
      }
    }
    return found
  }

  private func render(
    _ files: [String: String], language: String = "en", tenant: String = "dd-ride",
    change: (inout MessageOrder) -> Void = { _ in }
  ) throws -> RenderedMail {
    var order = MessageOrder.sample(.verifyEmail, language: language, brand: kState)
    change(&order)
    var mail = RenderedMail(subject: "", text: "", html: "")
    try with(files) { directory in mail = try MailTemplates(directory: directory).render(order, tenant: tenant) }
    return mail
  }

  private let english = [
    "verify_email.en.subject.txt": "Welcome to {{app_name}}\n",
    "verify_email.en.txt": "Hi {{ name }}\n{{#code}}\nCode {{code}} for {{code_expires}}\n{{/code}}\n{{link}}\n",
    "verify_email.en.html": "<p>Hi {{name}}: {{code}} <a href=\"{{link}}\">go</a>{{^device}}!{{/device}}</p>",
  ]

  @Test("a tenant's files win, with their values put in")
  func override() throws {
    let mail = try render(english) { $0.toName = "O'Neil" }
    #expect(mail.subject == "Welcome to DD Ride")
    let link = "https://auth.example.com/t/example/ui/verify-email?lang=en&token=gh_sample"
    #expect(mail.text == "Hi O'Neil\nCode 123456 for 10 minutes\n\(link)\n")
    #expect(mail.html == "<p>Hi O&#39;Neil: 123456 <a href=\"\(link.replacing("&", with: "&amp;"))\">go</a></p>")
  }

  @Test("a section without its value is left out, lines and all")
  func section() throws {
    let mail = try render(english) {
      ($0.code, $0.device) = (nil, nil)
      $0.link = "https://a.example/"
    }
    #expect(mail.text == "Hi Willie Wildcat\nhttps://a.example/\n")
    #expect(mail.html.contains("!</p>"))
  }

  @Test("another tenant and another kind keep the built-in letter")
  func others() throws {
    #expect(try render(english, tenant: "vibes").subject == "123456 is your DD Ride code")
    #expect(try render(english) { $0.kind = .resetPassword }.subject == "123456 is your DD Ride code")
  }

  @Test("the language, then its base, then English, then the built-in")
  func languages() throws {
    var files = english
    #expect(try render(files, language: "es-MX").subject == "Welcome to DD Ride")
    files["verify_email.es.txt"] = "es {{code}} {{code_expires}}"
    files["verify_email.es.html"] = "es {{code}}"
    let mail = try render(files, language: "es-MX")
    #expect(mail.text == "es 123456 10 minutos")
    #expect(mail.subject == "123456 es tu código de DD Ride")
    files["verify_email.es-mx.txt"] = "mx {{code}}"
    files["verify_email.es-mx.html"] = "mx {{code}}"
    #expect(try render(files, language: "es-MX").text == "mx 123456")
    #expect(try render(files, language: "es").text.hasPrefix("es "))
  }

  @Test(
    "a problem names its file and line",
    arguments: [
      ("a\n{{cod}}\n", "dd-ride/verify_email.en.txt:2: unknown placeholder {{cod}}; placeholders are: app_name, "),
      ("{{code}}\n\n{{code", "dd-ride/verify_email.en.txt:3: {{ without }} on the same line"),
      ("{{code}}\n{{#link}}\nx", "dd-ride/verify_email.en.txt:2: {{#link}} is never closed"),
      ("{{code}}{{/link}}", "dd-ride/verify_email.en.txt:1: {{/link}} closes nothing that is open here"),
      (
        "{{#code}}\n{{#link}}{{/code}}{{/link}}",
        "dd-ride/verify_email.en.txt:2: {{/code}} closes nothing that is open here"
      ),
      ("no link\n", "dd-ride/verify_email.en.txt: shows neither {{link}} nor {{code}}"),
      ("{{code}}\u{0}", "dd-ride/verify_email.en.txt: is not UTF-8 text"),
      ("{{}}", "dd-ride/verify_email.en.txt:1: unknown placeholder {{}}"),
    ])
  func broken(text: String, problem: String) throws {
    let found = try problems(["verify_email.en.txt": text, "verify_email.en.html": "{{code}}"])
    #expect(found.count == 1 && found.first?.hasPrefix(problem) == true, "\(found)")
  }

  @Test(
    "a file of another name is a problem",
    arguments: [
      ("verify-email.en.txt", "verify-email is not a kind of mail; kinds are: verify_email, "),
      ("verify_email.txt", "is not named {kind}.{language}.subject.txt, .txt or .html"),
      ("verify_email.en.htm", "is not named {kind}.{language}.subject.txt, .txt or .html"),
      ("verify_email.EN.txt", "EN is not a lower-case language tag such as en or es-mx"),
      ("verify_email.en.subject.txt", "verify_email.en.txt: is missing: text and HTML come together"),
      ("verify_email.en.txt", "verify_email.en.html: is missing: text and HTML come together"),
    ])
  func names(name: String, problem: String) throws {
    let found = try problems([name: "{{code}}"])
    #expect(found.count == 1 && found.first?.contains(problem) == true, "\(found)")
  }

  @Test("all problems are told at once")
  func allAtOnce() throws {
    let found = try problems([
      "verify_email.en.txt": "{{x}}", "verify_email.en.html": "{{y}}", "nothing.en.txt": "", ".hidden": "{{z}}",
    ])
    #expect(found.count == 3)
  }

  @Test("a letter that would show neither the link nor the code it was given is not sent")
  func notShown() throws {
    let files = ["verify_email.en.txt": "{{link}}", "verify_email.en.html": "{{link}}{{code}}"]
    #expect(throws: MailRenderError.self) { try render(files) { $0.link = nil } }
    #expect(try render(files).text.hasPrefix("https://"))
  }

  @Test("a directory that is not there is a problem")
  func noDirectory() {
    #expect(throws: MailTemplateProblems.self) { try MailTemplates(directory: "/nonexistent/mail") }
  }
}
