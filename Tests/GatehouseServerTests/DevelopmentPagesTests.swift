import GatehouseAdminWire
import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseOutbound
@testable import GatehouseServer
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("The pages of development, what they show")
struct DevelopmentPagesTests {
  private static func run(
    _ names: [String] = ["messai", "dd-ride", "vibes"], at clock: TestClock = TestClock(), smtp: String? = nil,
    _ body: (TestServer, TestClient) async throws -> Void
  ) async throws {
    let policies = try Dictionary(uniqueKeysWithValues: names.map { ($0, try TestLists.policy($0)) })
    let server = try await TestServer.start(policies: policies, clock: clock, smtp: smtp, showsDevelopment: true)
    do {
      try await body(server, TestClient(server.url))
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  private static let form =
    #"{"email":"willie@ksu.edu","password":"Wildcat1","profile":{"name":"Willie","phoneNumber":"785-555-0123"}}"#

  @Test("each app is there with a line of its policy, and a link to each of its pages")
  func apps() async throws {
    // Before the day on which messAI's passwords become stricter.
    try await Self.run(at: TestClock(Date(timeIntervalSince1970: 1_795_253_400))) { _, client async throws in
      let page = try await client.get("/").text
      #expect(page.contains("<h1>Three apps, one server</h1>"))
      for line in ["Only @ksu.edu", "Stricter passwords from 2027-03-01", "Needs Spotify"] {
        #expect(page.contains("<p class=\"soft\">\(line)</p>"), "\(line)")
      }
      for name in ["messai", "dd-ride", "vibes"] {
        for path in ["ui/sign-up", "ui/sign-in", "ui/account", "v1/policy"] {
          #expect(page.contains("href=\"/t/\(name)/\(path)\""), "\(name) \(path)")
        }
        #expect(try await client.get("/t/\(name)/v1/policy").status == 200)
      }
      #expect(page.contains("href=\"/dev/mail\""))
    }
  }

  @Test("the heading counts", arguments: [(0, "No app yet"), (1, "One app"), (12, "Twelve apps"), (13, "13 apps")])
  func heading(_ count: Int, _ words: String) {
    #expect(AppList.title(count) == words + (count == 0 ? "" : ", one server"))
  }

  @Test("a server without an app says how to make one")
  func noApp() async throws {
    try await Self.run([]) { _, client async throws in
      let page = try await client.get("/").text
      #expect(page.contains("<h1>No app yet</h1>") && page.contains("gatehouse tenant create notes"))
    }
  }

  @Test("where files are watched, it names one that is there, and the folder for a new one")
  func files() {
    let files = Development.PolicyFiles(directory: "policies/", names: ["a.yaml", "b.yaml"])
    func page(_ files: Development.PolicyFiles?) -> String {
      let answer = AppList(tenants: [], unserved: [:], files: files, now: Date(timeIntervalSince1970: 0)).answer
      return String(decoding: answer.body?.bytes ?? [], as: UTF8.self)
    }
    #expect(page(files).contains("Edit <code>policies/a.yaml</code> and reload."))
    #expect(page(files).contains("gatehouse policy init notes &gt; policies/notes.yaml"))
    #expect(!page(nil).contains("Edit "))
    let lost = Development.PolicyFiles(directory: "policies", names: [], lost: "<no>")
    #expect(page(lost).contains("The folder policies cannot be read") && page(lost).contains("&lt;no&gt;"))
  }

  @Test("an applied policy shows on the next load")
  func edit() async throws {
    try await Self.run { server, client async throws in
      let text = try TestLists.policy("dd-ride")
      #expect(try await client.get("/").text.contains("<h2>DD Ride</h2>"))
      let edited = text.replacing("name: DD Ride\n", with: "name: Wildcat Rides\n")
      try #require(edited != text)
      _ = try await server.apply(edited, to: "dd-ride")
      #expect(try await eventually { try await client.get("/").text.contains("<h2>Wildcat Rides</h2>") })
    }
  }

  @Test("what a policy says is escaped")
  func escaping() async throws {
    let policy = try TestLists.policy("messai").replacing("name: messAI\n", with: "name: \"<b>'&\"\n")
    let server = try await TestServer.start(policies: ["messai": policy], showsDevelopment: true)
    let page = try await TestClient(server.url).get("/").text
    await server.stop()
    #expect(page.contains("<h2>&lt;b&gt;&#39;&amp;</h2>") && !page.contains("<b>"))
  }

  @Test("an app with a logo is known by it")
  func logo() async throws {
    try await Self.run(["dd-ride"]) { server, client in
      #expect(try await client.get("/").text.contains("aria-hidden=\"true\">D</span>"))
      let drawing = Array("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 8\"/>".utf8)
      _ = try await SetLogo.run(
        .init(tenant: "dd-ride", base64url: Base64URL.encode(drawing)), server.asOperator)
      func address() async throws -> String? {
        let page = try await client.get("/").text
        return page.firstMatch(of: /<img class="logo" src="([^"]+)"/).map { String($0.1) }
      }
      #expect(try await eventually { try await address() != nil })
      let file = try await client.get(try #require(try await address()))
      #expect(file.status == 200 && file.body == drawing)
    }
  }

  @Test("an app that is switched off says so, and links to none of its pages")
  func disabled() async throws {
    try await Self.run { server, client async throws in
      _ = try await SetTenant.run(.init(tenant: "vibes", enabled: false), server.asOperator)
      #expect(try await eventually { try await client.get("/").text.contains("Switched off") })
      #expect(try await client.get("/").text.contains("/t/vibes/") == false)
    }
  }

  @Test("a mail that was sent here is shown with its code, and its link leads to this server")
  func mail() async throws {
    try await Self.run { server, client async throws in
      #expect(try await client.get("/dev/mail").text.contains("No mail yet"))
      _ = try await client.post("/t/dd-ride/v1/sign-up", Self.form)
      let mail = try #require(try await server.latestMail(to: "willie@ksu.edu"))
      let page = try await client.get("/dev/mail").text
      let (code, link) = (try #require(mail.code), try #require(mail.link).replacing("&", with: "&amp;"))
      #expect(page.contains("<span class=\"code\">\(code)</span>"))
      #expect(page.contains("<a href=\"\(link)\">\(link)</a>"))
      #expect(page.contains("To willie@ksu.edu") && page.contains("<h2>\(mail.subject)</h2>"))
    }
  }

  @Test("where mails go to a mail server, it says where they go")
  func sent() async throws {
    try await Self.run(smtp: "smtp://127.0.0.1:1") { _, client async throws in
      #expect(try await client.get("/dev/mail").text.contains("Mails go to 127.0.0.1:1. None is kept here."))
    }
  }

  @Test("their headers are those of every page")
  func headers() async throws {
    try await Self.run { _, client async throws in
      for path in ["/", "/dev/mail"] {
        let answer = try await client.get(path)
        let policy = answer.headers["content-security-policy"] ?? ""
        for part in ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"] {
          #expect(policy.contains(part), "\(path) \(part)")
        }
        #expect(!policy.contains("unsafe") && !policy.contains("script-src"))
        #expect(answer.headers["content-type"] == "text/html; charset=utf-8")
        #expect(answer.headers["cache-control"] == "no-store" && answer.headers["referrer-policy"] == "no-referrer")
        #expect(answer.headers["x-frame-options"] == "DENY" && answer.headers["x-content-type-options"] == "nosniff")
        #expect(answer.headers["access-control-allow-origin"] == nil)
        #expect(answer.headers["cross-origin-resource-policy"] == "same-origin")
        #expect(!answer.text.contains("<script") && !answer.text.contains(" style="))
      }
    }
  }
}
