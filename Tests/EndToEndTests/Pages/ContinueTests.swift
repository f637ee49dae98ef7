import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("From the hosted pages back to the app")
struct ContinueTests {
  private let app = App.messai

  /// What stands behind the web address.
  private static let suffixes = [
    "/", "/more", "x", "?a=b", "#part", "%20", " ", "\n", "%00", "\u{0}", "\u{0301}", ".evil.example", ",", "\\",
  ]
  private static let prefixes = [" ", "\t", "x", "/", "//", "https://evil.example/", "javascript:"]
  /// Parts of the web address, and what stands in their place.
  private static let changes: [(part: String, other: String)] = [
    // Case.
    ("/back", "/Back"),
    // The parts of an address.
    ("https://", "http://"), ("https://", "//"), ("https://", "https:///"), ("https://", "https:"),
    ("https://", "https://user@"), ("https://", "https://evil.example@"), ("https://", "https://evil.example/"),
    ("/back", ":80/back"), ("/back", ":8443/back"), ("/back", "./back"), ("/back", ".evil.example/back"),
    ("/back", "/./back"), ("/back", "/x/../back"), ("/back", "//back"), ("/back", ""), ("/back", "/"), ("k", ""),
    // Encodings.
    ("/back", "%2Fback"), ("back", "%62ack"), (".", "%2E"), ("/back", "\\back"), ("//", "\\\\"), (".", "\u{3002}"),
    ("a", "\u{0430}"),
  ]
  /// Other things altogether.
  private static let others = [
    "", "/", "account", "data:text/html,x", "messai://signed-in/", "messai:signed-in",
    "messai://signed-in?code=mine", "messai://signed-in.evil.example", "messai://evil.example", "messai://Signed-in",
  ]

  /// Addresses that resemble the two that the policy lists.
  private static var likenesses: [String] {
    let web = App.messai.web
    var all = others
    all += suffixes.map { "\(web)\($0)" }
    all += prefixes.map { "\($0)\(web)" }
    all += changes.map { web.replacing($0.part, with: $0.other) }
    return all
  }

  @Test("H07 an address that only resembles one of the policy ends on a page, and in no redirect")
  func mutants() async throws {
    #expect(Set(Self.likenesses).count >= 40 && !Self.likenesses.contains(app.web))
    try await ThreeApps.run(policy: { $0.withWeb($1) }) { apps in
      for target in Self.likenesses {
        let browser = FormClient(apps, app)
        let page = try await browser.open(Opening.page(target))
        let name = target.debugDescription
        #expect(page.status == 400 && page.outside == nil, "\(name) \(page.status) \(page.outside ?? "")")
        #expect(page.text.contains("<html") && !page.text.contains("<form"), "\(name)")
        #expect(!page.text.contains("evil.example"), "\(name)")
      }
      // Scheme, host and port have many spellings (RFC 3986 section 6.2).
      let spelled = [("https", "HTTPS"), ("app.", "App."), ("/back", ":443/back")].map {
        app.web.replacing($0, with: $1)
      }
      for target in [app.web, app.scheme] + spelled {
        #expect(try await FormClient(apps, app).open(Opening.page(target)).status == 200, "\(target)")
      }
    }
  }

  @Test("H07 an address that is named twice, or without its state or challenge, is none")
  func incomplete() async throws {
    try await ThreeApps.run(policy: { $0.withWeb($1) }) { apps in
      let good = Opening.page(app.web)
      let again = FormClient.encoded(["continue": app.web])
      let state = "state=\(Opening.state)"
      let bad: [String] = [
        "\(good)&continue=https%3A%2F%2Fevil.example", "\(good)&\(again)",
        good.replacing(state, with: ""), good.replacing(state, with: "state="),
        good.replacing(Opening.challenge, with: "short"), good.replacing("S256", with: "plain"),
        good.replacing("code_challenge_method=S256", with: ""),
        good.replacing(Opening.state, with: String(repeating: "s", count: 513)),
        good.replacing(Opening.state, with: "a%0D%0ALocation%3A%20https%3A%2F%2Fevil.example"),
      ]
      for address in bad {
        let page = try await FormClient(apps, app).open(address)
        #expect(page.status == 400 && page.outside == nil, "\(address) \(page.status)")
      }
    }
  }

  @Test("H07 the target of one browser is not that of another, and the form cannot name one")
  func form() async throws {
    try await ThreeApps.run(policy: { $0.withWeb($1) }) { apps in
      let browser = FormClient(apps, app)
      let page = try await browser.open(Opening.page(app.web, ["screen": "sign-up"]))
      #expect(page.path == "sign-up" && !page.address.contains("continue"), "the address bar keeps nothing of it")
      let done = try await browser.send(
        page, app.typed().merging(["continue": "https://evil.example", "target": "https://evil.example"]) { $1 })
      #expect(done.outside?.hasPrefix(app.web + "?code=") == true, "\(done.status) \(done.outside ?? "")")
    }
  }

  // MARK: The code

  private func signUp(_ apps: ThreeApps, _ local: String = "pat") async throws -> FormClient.Page {
    let page = try await FormClient(apps, app).signUp(app, local, to: app.web)
    try #require(page.outside?.hasPrefix(app.web + "?") == true, "\(page.status) \(page.text)")
    return page
  }

  private func redeem(_ client: TestClient, _ code: String?, verifier: String = Opening.verifier) async throws
    -> TestClient.Answer
  {
    try await client.post("/v1/token", #"{"code":"\#(code ?? "")","code_verifier":"\#(verifier)"}"#)
  }

  @Test("H08 the code is a session of the app's own, once; state and issuer come along, and no token does")
  func once() async throws {
    try await ThreeApps.run(policy: { $0.withWeb($1) }) { apps in
      let page = try await signUp(apps)
      #expect(page.handed["state"] == Opening.state && page.handed["iss"] == apps.server.url + "/t/messai")
      #expect(Set(page.handed.keys) == ["code", "state", "iss"])
      let done = try await redeem(apps.messai, page.handed["code"])
      #expect(done.status == 200, "\(done.text)")
      let me = try await apps.messai.get("/v1/me", token: done.json.accessToken)
      #expect(me.status == 200)
      let again = try await redeem(apps.messai, page.handed["code"])
      #expect(again.code == "code_invalid")
    }
  }

  @Test(
    "H08 the code needs the verifier of the app that began",
    arguments: [
      String(repeating: "w", count: 43), "", Opening.challenge, String(repeating: "v", count: 42),
      String(repeating: "v", count: 44),
    ])
  func verifier(_ wrong: String) async throws {
    try await ThreeApps.run(policy: { $0.withWeb($1) }) { apps in
      let page = try await signUp(apps)
      #expect(try await redeem(apps.messai, page.handed["code"], verifier: wrong).status >= 400)
    }
  }

  @Test("H08 the code is good for a minute, at its own tenant, while the browser's session lives")
  func limits() async throws {
    try await ThreeApps.run(policy: { $0.withWeb($1) }) { apps in
      let foreign = try await signUp(apps, "foreign")
      #expect(try await redeem(apps.vibes, foreign.handed["code"]).code == "code_invalid")
      #expect(try await redeem(apps.messai, foreign.handed["code"]).status == 200, "that did not use it up")
      let quick = try await signUp(apps, "quick")
      apps.server.clock.advance(seconds: 59)
      #expect(try await redeem(apps.messai, quick.handed["code"]).status == 200)
      let late = try await signUp(apps, "late")
      apps.server.clock.advance(seconds: 61)
      #expect(try await redeem(apps.messai, late.handed["code"]).code == "code_invalid")
      let over = FormClient(apps, app)
      let page = try await over.signUp(app, "over", to: app.web)
      _ = try await over.send("sign-out", [:])
      #expect(try await redeem(apps.messai, page.handed["code"]).code == "code_invalid")
    }
  }

  @Test("H08 one browser has five codes at a time: the oldest gives way")
  func many() async throws {
    try await ThreeApps.run(policy: { $0.withWeb($1) }) { apps in
      let browser = FormClient(apps, app)
      var codes = [try #require(try await browser.signUp(app, to: app.web).handed["code"])]
      for _ in 0..<5 {
        // The moment of each differs, as it does for people.
        apps.server.clock.advance(seconds: 1)
        let page = try await browser.open(Opening.page(app.web))
        codes.append(try #require(try await browser.send(page, intent: "proceed").handed["code"], "\(page.text)"))
      }
      #expect(try await redeem(apps.messai, codes.first).code == "code_invalid")
      for code in codes.dropFirst() { #expect(try await redeem(apps.messai, code).status == 200) }
    }
  }

  @Test("H08 a person who changes their mind goes back without a code")
  func givesUp() async throws {
    try await ThreeApps.run(policy: { $0.withWeb($1) }) { apps in
      let browser = FormClient(apps, app)
      let page = try await browser.open(Opening.page(app.web))
      let gone = try await browser.send(page, intent: "give-up")
      #expect(gone.handed["error"] == "access_denied" && gone.handed["state"] == Opening.state)
      #expect(gone.handed["code"] == nil && gone.outside?.hasPrefix(app.web + "?") == true)
    }
  }

  // MARK: In a browser

  @Test("H09 the way back to a web address and to a scheme passes form-action; another one is blocked")
  func formAction() async throws {
    try await ThreeApps.run(policy: { $0.withWeb($1) }) { apps in
      let root = apps.server.url + "/t/messai/ui/"
      func steps(_ target: String, _ local: String) -> [Browser.Step] {
        let start: [Browser.Step] = [.open(root + Opening.page(target, ["screen": "sign-up"]))]
        return start + app.typed(local).sorted { $0.key < $1.key }.map { .type($0.value, into: Pick.field($0.key)) }
      }
      let web = try Browser().visit(steps(app.web, "web"), [.leave(Pick.main)])
      #expect(web.locations.contains { $0.hasPrefix(app.web + "?code=") }, "\(web.locations)")
      #expect(!web.complaints.contains { $0.contains("form-action") }, "\(web.complaints)")
      let scheme = try Browser().visit(steps(app.scheme, "scheme"), [.press(Pick.main), .look, .leave(Pick.main)])
      #expect(scheme.views[0].page == "continue", "any app may claim a scheme: its user says yes first")
      #expect(scheme.locations.contains { $0.hasPrefix(app.scheme + "?code=") }, "\(scheme.locations)")
      #expect(!scheme.complaints.contains { $0.contains("form-action") }, "\(scheme.complaints)")
      // The page of one flow, with the form of another: the browser keeps to what its page allows.
      let page = try await FormClient(apps, app).open("forgot")
      let allowed = page.answer.headers["content-security-policy"] ?? ""
      #expect(allowed.contains("form-action 'self';") && !allowed.contains("app.messai.example"), "\(allowed)")
      let blocked = """
        data:text/html,<meta http-equiv="Content-Security-Policy" content="form-action 'self'"><main>\
        <form method="get" action="https://evil.example/"><button type="submit">Go</button></form></main>
        """
      let evil = try Browser().visit([.open(blocked), .leave(Pick.main)])
      #expect(evil.complaints.contains { $0.contains("form-action") }, "\(evil.complaints)")
      #expect(!evil.requests.contains { $0.url.hasPrefix("https://evil.example") })
    }
  }
}
