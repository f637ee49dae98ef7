import Foundation
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("The pages behind the links of mails")
struct PageTests {
  /// The path below the tenant, with its query, of a mail's link.
  private func path(_ link: String?) throws -> String {
    let link = try #require(link)
    return String(link[try #require(link.range(of: "/ui/")).lowerBound...])
  }

  private func cookie(_ answer: TestClient.Answer) throws -> String {
    String(try #require(answer.headers["set-cookie"]?.split(separator: ";").first))
  }

  private func proofs(_ answer: TestClient.Answer) throws -> String { try LinkPage.proofs(of: answer.text) }

  /// The page to which the link of a mail leads, and the cookie that the browser keeps of it.
  private func opened(_ app: TestClient, _ path: String, _ cookies: String = "") async throws -> (
    page: TestClient.Answer, cookie: String
  ) {
    let opened = try await app.send("GET", path, headers: cookies.isEmpty ? [:] : ["Cookie": cookies])
    let cookie = try cookies.isEmpty ? cookie(opened) : cookies
    let next = try #require(opened.headers["location"])
    return (try await app.send("GET", "/ui/" + next, headers: ["Cookie": cookie]), cookie)
  }

  private let form = ["Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"]

  @Test("T037 T038 opening a link consumes nothing; the token leaves the address bar; the button verifies")
  func verify() async throws {
    try await ThreeApps.share { apps in
      let rider = try await apps.rider()
      let path = try path(try await apps.server.latestMail(to: "willie@ksu.edu")?.link)
      for _ in 0..<3 {
        let opened = try await apps.ride.get(path)
        #expect(opened.status == 303)
        #expect(opened.headers["location"]?.hasPrefix("verify-email?f=") == true)
        #expect(opened.headers["location"]?.contains("gh_ev_") == false)
        #expect(opened.headers["referrer-policy"] == "no-referrer" && opened.headers["cache-control"] == "no-store")
      }
      let (page, cookie) = try await opened(apps.ride, path)
      #expect(page.status == 200 && page.text.contains("Verify my email"))
      #expect(page.headers["content-security-policy"]?.contains("default-src 'none'") == true)
      #expect(try await apps.ride.get("/v1/me", token: rider.accessToken).json["access"] == .string("limited"))
      let body = try proofs(page) + "&password=Wildcat1"
      let done = try await apps.ride.send(
        "POST", "/ui/verify-email", body, headers: form.merging(["Cookie": cookie]) { $1 })
      #expect(done.status == 303 && done.headers["location"] == "verify-email?done=1&lang=en")
      let told = try await apps.ride.send("GET", "/ui/verify-email?done=1", headers: ["Cookie": cookie])
      #expect(told.status == 200 && told.text.contains("verified") && !told.text.contains("<form"))
      #expect(try await apps.ride.get("/v1/me", token: rider.accessToken).json["access"] == .string("full"))
      let again = try await apps.ride.send(
        "POST", "/ui/verify-email", body, headers: form.merging(["Cookie": cookie]) { $1 })
      #expect(again.status == 400 && again.text.contains("already used"))
    }
  }

  /// The page of the mail that verifies the rider's address.
  private func verifyPage(_ apps: ThreeApps) async throws -> LinkPage {
    try await LinkPage(opening: try await apps.server.latestMail(to: "willie@ksu.edu")?.link)
  }

  @Test("a page says that all is done to every reader alike, and does nothing")
  func doneIsBlind() async throws {
    try await ThreeApps.share { apps in
      let rider = try await apps.rider()
      for page in ["verify-email", "confirm-email", "undo-email", "reset-password"] {
        #expect(try await apps.ride.get("/ui/\(page)?done=1").status == 200, "\(page)")
      }
      #expect(try await apps.ride.get("/ui/verify-email?done=2").status == 400)
      #expect(try await apps.ride.get("/v1/me", token: rider.accessToken).json["access"] == .string("limited"))
    }
  }

  @Test("a form without a password comes back as a form")
  func empty() async throws {
    try await ThreeApps.share { apps in
      _ = try await apps.rider()
      let answer = try await verifyPage(apps).press()
      #expect(answer.status == 422 && answer.text.contains("Type the password."))
      #expect(answer.text.contains(#"<div class="trouble" role="alert" tabindex="-1" autofocus>"#))
      #expect(answer.headers["cache-control"] == "no-cache, private")
    }
  }

  /// A policy whose app a page can open.
  @Sendable private static func opening(_ text: String) -> String {
    guard !text.contains("open_app:") else { return text }
    return text.replacing("app: {name: DD Ride,", with: "app: {name: DD Ride, open_app: https://ddride.example/open,")
  }

  @Test("a link that was used, and one that is broken, lead back to the app")
  func wayBack() async throws {
    try await ThreeApps.run(policy: { Self.opening($1) }) { apps in
      _ = try await apps.rider()
      let page = try await verifyPage(apps)
      #expect(try await page.confirm("Wildcat1").status == 200)
      let used = try await page.confirm("Wildcat1")
      let broken = try await apps.ride.get("/ui/verify-email?token=%3C")
      for answer in [used, broken] {
        #expect(answer.status == 400 && answer.text.contains(#"<a class="button" href=""#))
      }
    }
  }

  /// A browser that signed in at the pages: its cookies.
  private func signedIn(_ apps: ThreeApps) async throws -> String {
    let page = try await apps.ride.get("/ui/sign-in")
    let flow = try cookie(page)
    let answer = try await apps.ride.send(
      "POST", "/ui/sign-in", try proofs(page) + "&email=willie%40ksu.edu&password=Wildcat1",
      headers: form.merging(["Cookie": flow]) { $1 })
    #expect(answer.status == 303, "\(answer.text)")
    // One field may stand for all cookies that were set.
    let set = try #require(answer.headers["set-cookie"])
    let session = try #require(set.firstRange(of: /gh-dd-ride=[^;]+/))
    return "\(flow); \(set[session])"
  }

  @Test("T132 a browser that is signed in to the account needs no password, and goes on to its account")
  func recognised() async throws {
    try await ThreeApps.share { apps in
      let rider = try await apps.rider()
      let link = try path(try await apps.server.latestMail(to: "willie@ksu.edu")?.link)
      let (page, cookies) = try await opened(apps.ride, link, try await signedIn(apps))
      #expect(page.status == 200 && !page.text.contains(#"type="password""#))
      let done = try await apps.ride.send(
        "POST", "/ui/verify-email", try proofs(page), headers: form.merging(["Cookie": cookies]) { $1 })
      #expect(done.status == 303)
      #expect(try await apps.ride.get("/v1/me", token: rider.accessToken).json["access"] == .string("full"))
      let told = try await apps.ride.send("GET", "/ui/verify-email?done=1", headers: ["Cookie": cookies])
      #expect(told.text.contains(#"<a class="button" href="sign-in?f="#) && told.text.contains(">Continue</a>"))
    }
  }

  @Test("T132 a browser that is signed in to another account needs the password")
  func otherAccount() async throws {
    try await ThreeApps.share { apps in
      _ = try await apps.rider()
      let cookies = try await signedIn(apps)
      _ = try await apps.signUp(.ride, "kim")
      let link = try path(try await apps.server.latestMail(to: App.ride.email("kim"))?.link)
      let page = try await opened(apps.ride, link, cookies).page
      #expect(page.status == 200 && page.text.contains(#"autocomplete="current-password""#))
    }
  }

  @Test("T117 a form without its proof, without its cookie or from elsewhere does nothing")
  func forged() async throws {
    try await ThreeApps.share { apps in
      let rider = try await apps.rider()
      let path = try path(try await apps.server.latestMail(to: "willie@ksu.edu")?.link)
      let (page, cookie) = try await opened(apps.ride, path)
      let body = try proofs(page)
      let flow = try LinkPage.hidden("f", of: page.text)
      let attempts: [(String, [String: String])] = [
        ("", ["Cookie": cookie]), ("csrf=wrong&f=\(flow)", ["Cookie": cookie]), (body, [:]),
        (body, ["Cookie": cookie, "Sec-Fetch-Site": "none"]),
        (body, ["Cookie": cookie, "Sec-Fetch-Site": "cross-site"]),
        (body, ["Cookie": cookie, "Origin": "https://evil.example"]),
      ]
      for (text, headers) in attempts {
        let refused = try await apps.ride.send(
          "POST", "/ui/verify-email", text, headers: form.merging(headers) { $1 })
        #expect(refused.status == 403, "\(text) \(headers)")
      }
      #expect(try await apps.ride.get("/v1/me", token: rider.accessToken).json["access"] == .string("limited"))
    }
  }

  @Test("a new password is set on the page, by the rules of the policy")
  func reset() async throws {
    try await ThreeApps.run(policy: { $1.replacing("repeat: false", with: "repeat: true") }) { apps in
      _ = try await apps.rider()
      apps.server.clock.advance(seconds: 1)
      _ = try await apps.ride.post("/v1/password-reset", #"{"email":"willie@ksu.edu"}"#)
      let path = try path(try await apps.server.latestMail(to: "willie@ksu.edu")?.link)
      let (page, cookie) = try await opened(apps.ride, path)
      let headers = form.merging(["Cookie": cookie]) { $1 }
      #expect(page.text.contains("At least 8 characters"))
      let proofs = try proofs(page)
      let unlike = try await apps.ride.send(
        "POST", "/ui/reset-password", "\(proofs)&password=Bobcat99&again=Bobcat98", headers: headers)
      #expect(unlike.status == 422 && unlike.text.contains("The two passwords are different."))
      let weak = try await apps.ride.send(
        "POST", "/ui/reset-password", "\(proofs)&password=bob&again=bob", headers: headers)
      #expect(weak.status == 422 && weak.text.contains("At least one uppercase letter"))
      let done = try await apps.ride.send(
        "POST", "/ui/reset-password", "\(proofs)&password=Bobcat99&again=Bobcat99", headers: headers)
      #expect(done.status == 303)
      #expect(
        try await apps.ride.post("/v1/sign-in", #"{"email":"willie@ksu.edu","password":"Bobcat99"}"#).status == 200)
    }
  }

  @Test("a page escapes every value from outside")
  func escaping() async throws {
    try await ThreeApps.share { apps in
      let page = try await apps.ride.get("/ui/verify-email?token=%3Cscript%3E")
      #expect(page.status == 400 && !page.text.contains("<script"))
      #expect(try await apps.ride.get("/ui/nowhere").status == 404)
    }
  }
}
