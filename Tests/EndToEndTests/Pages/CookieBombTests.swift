import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import GatehouseServer

@Suite("What links to the pages make a browser keep")
struct CookieBombTests {
  /// Tenants of one host.
  private static let tenants = ["one", "two", "three", "four"]

  /// A link of an app with everything as long as it may be.
  private static func link(_ character: Character = "s") -> String {
    Opening.page(
      App.messai.web,
      [
        "state": String(repeating: character, count: 512), "ui_locales": "es", "prompt": "login",
        "login_hint": String(repeating: "p", count: 242) + "@example.com",
      ])
  }

  private static func run(_ body: (TestServer) async throws -> Void) async throws {
    let text = App.messai.withWeb(try TestLists.policy("messai"))
    let policies = tenants.map { ($0, text.replacing("\ntenant: messai\n", with: "\ntenant: \($0)\n")) }
    let server = try await TestServer.start(policies: Dictionary(policies) { one, _ in one })
    do {
      try await body(server)
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  /// A browser that holds what others hold, for requests to another tenant.
  private func browser(_ server: TestServer, _ tenant: String, _ cookies: [String: String]) -> FormClient {
    let browser = FormClient(server, tenant)
    for (name, value) in cookies { browser.set(name, value) }
    return browser
  }

  private static func bytes(_ cookies: [String: String]) -> Int {
    cookies.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count + 3 }
  }

  @Test(
    "T196 no link makes the cookie of the flows larger than 600 bytes", arguments: ["s", "\"", "\\"] as [Character])
  func one(_ character: Character) async throws {
    try await Self.run { server in
      let client = FormClient(server, "one")
      let page = try await client.open(Self.link(character))
      try #require(page.path == "sign-in" && page.status == 200, "\(page.status) \(page.text)")
      #expect(client.cookies.keys.sorted() == ["gh.flow"])
      #expect(Self.bytes(client.cookies) <= FlowKey.largest)
    }
  }

  @Test(
    "T196 what an app's link says is in the page's own address, which has a bound",
    arguments: ["s", "\""] as [Character])
  func address(_ character: Character) async throws {
    try await Self.run { server in
      let page = try await FormClient(server, "one").open(Self.link(character))
      let flow = try #require(page.address.firstMatch(of: /[?&]f=([^&]+)/)).output.1
      #expect(flow.utf8.count <= Flow.largest, "\(flow.utf8.count)")
    }
  }

  @Test("T196 links to the pages of four tenants, forty from apps and as many from mails, leave two kilobytes")
  func many() async throws {
    try await Self.run { server in
      var held: [String: String] = [:]
      for round in 0..<10 {
        for tenant in Self.tenants {
          let client = browser(server, tenant, held)
          #expect(try await client.open(Self.link()).status == 200, "\(round) \(tenant)")
          for (page, kind) in Self.kinds {
            _ = try await client.open("\(page)?token=\(kind)\(Base64URL.encode(SecureRandom.bytes(32)))")
          }
          held = client.cookies
        }
      }
      #expect(Self.bytes(held) < 2_048, "\(Self.bytes(held))")
    }
  }

  private static let kinds = [
    "verify-email": "gh_ev_", "reset-password": "gh_pr_", "confirm-email": "gh_ec_", "undo-email": "gh_eu_",
  ]

  @Test(
    "T196 what has not the form of a token of the page is in no flow",
    arguments: [
      String(repeating: "a", count: 4_000),
      "nonsense", String(repeating: "a", count: 128), "gh_ev_", "gh_ev_" + String(repeating: "A", count: 42),
      "gh_ev_" + String(repeating: "A", count: 44), "gh_pr_" + String(repeating: "A", count: 43),
    ])
  func token(_ text: String) async throws {
    try await ThreeApps.share { apps async throws in
      let client = FormClient(apps, .messai)
      let page = try await client.open("verify-email?token=\(text)")
      #expect(page.status == 400 && page.address.utf8.count < 1_000, "\(page.address)")
      #expect(client.cookies.keys.sorted() == ["gh.flow"])
    }
  }

  @Test("T196 forty links with a state of 512 bytes leave a browser that signs up")
  func chromium() async throws {
    try await Self.run { server in
      let app = App.messai
      func root(_ tenant: String) -> String { "\(server.url)/t/\(tenant)/ui/" }
      let links = (0..<40).map { Browser.Step.open(root(Self.tenants[$0 % 4]) + Self.link()) }
      let typed = app.typed().sorted { $0.key < $1.key }
      let visit = try Browser(width: 390).visit(
        links, [.open(root("two") + Opening.page(app.web, ["screen": "sign-up"])), .look],
        typed.map { .type($0.value, into: Pick.field($0.key)) }, [.leave(Pick.main)])
      #expect(visit.views[0].page == "sign-up", "\(visit.views[0].url) \(visit.views[0].text)")
      #expect(visit.locations.contains { $0.hasPrefix(app.web + "?code=") }, "\(visit.locations)")
      #expect(!visit.complaints.contains { $0.contains("431") })
    }
  }

  // MARK: Healing

  /// What a server of the release before left in a browser.
  private static let left = Dictionary(
    uniqueKeysWithValues: ["one", "two", "three", "four", "five"].map {
      ("gh.\($0).flow", String(repeating: "A", count: 3_700))
    })

  @Test("T198 a browser whose cookies are too large is told so on a page that removes ours, and is well again")
  func heals() async throws {
    try await Self.run { server in
      let root = server.url + "/t/one/ui/"
      let visit = try Browser(width: 390).visit([
        .open(root + "verify-email"), .hold(Self.left, at: root), .open(root + "sign-in"), .look, .reload, .look,
      ])
      #expect(visit.views.map { $0.all("heading").first?.name } == ["Load this page again", "Sign in to messAI"])
    }
  }

  @Test(
    "T198 over either version of HTTP the answer removes what a former server set, and leaves who is signed in",
    arguments: ["--http1.1", "--http2-prior-knowledge"])
  func removes(_ version: String) async throws {
    try await Self.run { server in
      let cookies =
        ["gh-one=gh_bs_x"] + Self.left.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      let answer = try Self.curl(
        version, "\(server.url)/t/one/ui/sign-in?x=1", ["Cookie: " + cookies.joined(separator: "; ")])
      #expect(answer.contains(" 431") && answer.contains("<h1>Load this page again</h1>"), "\(answer.prefix(2_000))")
      let removed = answer.matches(of: /set-cookie: ([^=]+)=; [^\r]*Max-Age=0/.ignoresCase()).map {
        String($0.output.1)
      }
      #expect(Set(removed).isSuperset(of: Self.left.keys + ["gh.flow"]), "\(removed)")
      #expect(!removed.contains("gh-one"))
    }
  }

  @Test(
    "T198 a head that is too large is a problem document anywhere else", arguments: ["/t/one/v1/policy", "/", "/ui2"])
  func elsewhere(_ path: String) async throws {
    try await Self.run { server in
      let answer = try Self.curl(
        "--http1.1", server.url + path, ["Cookie: a=" + String(repeating: "A", count: 17_000)])
      #expect(answer.contains(" 431") && answer.contains("header_fields_too_large"), "\(answer.prefix(500))")
      #expect(!answer.lowercased().contains("set-cookie"))
    }
  }

  private static func curl(_ version: String, _ url: String, _ fields: [String]) throws -> String {
    let curl = Process()
    let output = Pipe()
    curl.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
    curl.arguments = ["-s", "-i", version, url] + fields.flatMap { ["-H", $0] }
    curl.standardOutput = output
    try curl.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    curl.waitUntilExit()
    return text
  }
}
