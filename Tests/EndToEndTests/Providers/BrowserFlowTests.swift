import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("To a provider and back in a browser")
struct BrowserFlowTests {
  private static let verifier = String(repeating: "v", count: 43)
  private static let challenge = Base64URL.encode(SHA256.digest(verifier))

  /// One browser with its cookies.
  final class Tab: Sendable {
    let client: TestClient
    private let cookie = LockBox<String?>(nil)

    init(_ client: TestClient) { self.client = client }

    func send(
      _ method: String, _ path: String, _ body: String? = nil, token: String? = nil, headers: [String: String] = [:]
    ) async throws -> TestClient.Answer {
      var headers = headers
      if let cookie = cookie.withLock({ $0 }) { headers["Cookie"] = "other=1; " + cookie }
      let answer = try await client.send(method, path, body, token: token, headers: headers)
      if let set = answer.headers["set-cookie"] { cookie.withLock { $0 = String(set.prefix { $0 != ";" }) } }
      return answer
    }

    var held: String? { cookie.withLock { $0 } }
  }

  private func start(_ tab: Tab, target: String = ProvidedApps.back, prompt: String? = nil) async throws
    -> TestClient.Answer
  {
    var body: JSONObject = ["continue": .string(target), "code_challenge": .string(Self.challenge)]
    if let prompt { body["prompt"] = .string(prompt) }
    return try await tab.send(
      "POST", "/v1/sign-in/google/start", String(decoding: JSONValue.object(body).bytes, as: UTF8.self))
  }

  @Test("T200 browsers that one address sends to providers are counted, by the API and by the pages together")
  func counted() async throws {
    let free = { (_: App, text: String) in text.replacing("sign_in_per_ip: 100/15m, ", with: "") }
    try await ProvidedApps.run(policy: free) { provided in
      let tab = Tab(provided.apps.vibes)
      for number in 0..<600 {
        let started = try await start(tab)
        try #require(started.status == 200, "\(number): \(started.text)")
      }
      let refused = try await start(tab)
      #expect(refused.status == 429 && refused.code == "rate_limited" && refused.retryAfter != nil, "\(refused.text)")
      let pages = FormClient(provided.apps, .vibes)
      let told = try await pages.send(pages.open("sign-in"), intent: "provider:google")
      #expect(told.status == 429, "\(told.status)")
      provided.apps.server.clock.advance(seconds: 3_600)
      #expect(try await start(tab).status == 200)
    }
  }

  /// The path that the provider sends the browser to, with a code of Google's.
  private func back(
    _ start: TestClient.Answer, _ provided: ProvidedApps, _ subject: String = "g1", _ claims: JSONObject = JSONObject()
  ) async throws -> String {
    let query = try ProvidedApps.query(#require(start.json["authorization_url"]?.string))
    let code = UUID().text
    provided.providers.expect(
      code,
      .init(
        user: ProviderUser(issuer: SigningProviders.google, subject: subject), scopes: nil,
        idToken: try provided.providers.token(subject, nonce: try #require(query["nonce"]), claims)))
    #expect(query["redirect_uri"]?.hasSuffix("/t/vibes/v1/sign-in/google/callback") == true)
    return "/v1/sign-in/google/callback?code=\(code)&state=\(try #require(query["state"]))&scope=email&authuser=0"
  }

  private func complete(_ location: String, _ provided: ProvidedApps, verifier: String = verifier) async throws
    -> TestClient.Answer
  {
    let code = try #require(try ProvidedApps.query(location)["code"])
    return try await provided.apps.vibes.post(
      "/v1/sign-in/google/complete", #"{"code":"\#(code)","code_verifier":"\#(verifier)"}"#)
  }

  @Test("T100 start, provider, callback, app: a session for the app that began, once")
  func signIn() async throws {
    try await ProvidedApps.run(isSecure: true) { provided in
      let tab = Tab(provided.apps.vibes)
      let begun = try await start(tab)
      #expect(begun.status == 200 && begun.json["expires_in"] == .integer(600), "\(begun.text)")
      let cookie = try #require(begun.headers["set-cookie"])
      #expect(cookie.hasPrefix("__Host-gh.vibes.browser=gh_fl_"))
      for attribute in ["; Path=/", "; HttpOnly", "; SameSite=Lax", "; Secure"] { #expect(cookie.contains(attribute)) }
      let landed = try await tab.send("GET", try await back(begun, provided))
      #expect(landed.status == 303, "\(landed.text)")
      #expect(landed.headers["referrer-policy"] == "no-referrer" && landed.headers["cache-control"] == "no-store")
      let location = try #require(landed.headers["location"])
      #expect(location.hasPrefix(ProvidedApps.back + "?code=gh_ac_"))
      // Nothing has happened yet: the app has not asked.
      #expect(try await provided.user(.vibes, "g1@gmail.com") == nil)
      let stolen = try await complete(location, provided, verifier: String(repeating: "w", count: 43))
      #expect(stolen.status == 400 && stolen.code == "code_invalid")
      let done = try await complete(location, provided)
      #expect(done.status == 200, "\(done.text)")
      #expect(done.json.next == ["profile:username", "link:spotify"])
      #expect(try await complete(location, provided).code == "code_invalid")
      #expect(try await provided.google().json.userID == done.json.userID)
    }
  }

  @Test("T193 an app that asks for a new sign-in gets a session with a fresh proof, and none of a sign-in of before")
  func anew() async throws {
    try await ProvidedApps.run(isHonest: true) { provided in
      let tab = Tab(provided.apps.vibes)
      #expect(try await start(tab, prompt: "none").code == "malformed_request")
      let silent = try await start(tab)
      #expect(silent.json["authorization_url"]?.string?.contains("prompt=login") == false, "\(silent.text)")
      let begun = try await start(tab, prompt: "login")
      #expect(begun.json["authorization_url"]?.string?.contains("prompt=login") == true, "\(begun.text)")
      let before = Int64(provided.providers.clock.now.timeIntervalSince1970) - 61
      let old = try await tab.send("GET", back(begun, provided, "g1", ["auth_time": .integer(before)]))
      #expect(old.headers["location"] == ProvidedApps.back + "?error=provider_token_invalid")
      let landed = try await tab.send("GET", back(start(tab, prompt: "login"), provided))
      let session = try await complete(try #require(landed.headers["location"]), provided)
      #expect(try await provided.apps.vibes.get("/v1/me/export", token: session.json.accessToken).status == 200)
    }
  }

  @Test("T100 replay, another browser, another tenant, another provider and another purpose are refused on a page")
  func bound() async throws {
    try await ProvidedApps.run { provided in
      let tab = Tab(provided.apps.vibes)
      let path = try await back(start(tab), provided)
      func expectRefused(_ answer: TestClient.Answer, _ what: String) {
        #expect(answer.status == 400 && answer.headers["content-type"]?.hasPrefix("text/html") == true, "\(what)")
        #expect(answer.headers["location"] == nil, "\(what)")
      }
      expectRefused(try await provided.apps.vibes.get(path), "a browser without the cookie")
      let other = Tab(provided.apps.vibes)
      _ = try await start(other)
      expectRefused(try await other.send("GET", path), "another browser")
      let purpose = path.replacing("/v1/sign-in/google/", with: "/v1/links/google/")
      expectRefused(try await tab.send("GET", purpose), "another purpose")
      let foreign = Tab(provided.apps.messai)
      let cookie = try #require(tab.held)
      expectRefused(
        try await foreign.send(
          "GET", path, headers: ["Cookie": cookie.replacing("gh.vibes.", with: "gh.messai.")]), "another tenant")
      let spotify = try await tab.send("GET", path.replacing("/google/", with: "/spotify/"))
      #expect(spotify.status == 404, "another provider")
      expectRefused(try await tab.send("GET", path.replacing("state=gh_ls_", with: "state=gh_ls_A")), "another state")
      expectRefused(try await tab.send("GET", "/v1/sign-in/google/callback"), "nothing")
      #expect(try await tab.send("HEAD", path).status == 405)
      // None of them used it up.
      #expect(try await tab.send("GET", path).status == 303)
      expectRefused(try await tab.send("GET", path), "replay")
    }
  }

  @Test("T096 T100 errors of the provider, a no, a wrong nonce and another issuer lead back to the app with a word")
  func errors() async throws {
    try await ProvidedApps.run { provided in
      let tab = Tab(provided.apps.vibes)
      func land(_ change: (String) -> String) async throws -> String? {
        let answer = try await tab.send("GET", change(try await back(start(tab), provided)))
        #expect(answer.status == 303, "\(answer.text)")
        return try answer.headers["location"].map { try ProvidedApps.query($0)["error"] ?? "none" }
      }
      #expect(try await land { $0 } == "none")
      #expect(try await land { $0.replacing("code=", with: "error=access_denied&x=") } == "provider_denied")
      #expect(try await land { $0.replacing("code=", with: "error=temporarily&x=") } == "provider_error")
      #expect(try await land { $0.replacing("code=", with: "code=x") } == "provider_token_invalid")
      #expect(try await land { $0 + "&iss=https%3A%2F%2Fevil.example" } == "provider_token_invalid")
      let begun = try await start(tab)
      let address = try #require(begun.json["authorization_url"]?.string)
      let state = try #require(try ProvidedApps.query(address)["state"])
      provided.providers.expect(
        "foreign",
        .init(
          user: ProviderUser(issuer: "", subject: ""), scopes: nil,
          idToken: try provided.providers.token("g1", nonce: "of another flow")))
      let foreign = try await tab.send("GET", "/v1/sign-in/google/callback?code=foreign&state=\(state)")
      #expect(foreign.headers["location"]?.hasSuffix("?error=provider_token_invalid") == true)
    }
  }

  @Test("T084 a provider that posts its answer, from its own site and so without the cookie, is heard by way of a GET")
  func formPost() async throws {
    try await ProvidedApps.run { provided in
      let tab = Tab(provided.apps.vibes)
      let path = try await back(start(tab), provided)
      let query =
        String(try #require(path.split(separator: "?").last))
        + "&user=%7B%22name%22%3A%7B%22firstName%22%3A%22Al%22%7D%7D"
      let posted = try await provided.apps.vibes.send(
        "POST", "/v1/sign-in/google/callback", query, headers: ["Content-Type": "application/x-www-form-urlencoded"])
      let location = try #require(posted.headers["location"])
      #expect(posted.status == 303 && location.hasPrefix("?") && !location.contains("authuser"))
      let landed = try await tab.send("GET", "/v1/sign-in/google/callback" + location)
      #expect(landed.headers["location"]?.hasPrefix(ProvidedApps.back + "?code=") == true)
    }
  }

  /// Addresses that some reader takes for the one that the policy lists, or for one near it.
  private static let mutants: [String] = {
    let back = ProvidedApps.back
    let hosts = [
      "app.vibes.example.", "app.vibes.example:80", "app.vibes.example:0443",
      "app.vibes.example:8443", "app.vibes.example:", "user@app.vibes.example", "app.vibes.example@evil.example",
      "evil.example\\@app.vibes.example", "app.vibes.example\\@evil.example", "app.vibes\u{3002}example",
      "\u{FF41}pp.vibes.example", "app.vibes.example.evil.example", "evil.example#@app.vibes.example",
      "evil.example?@app.vibes.example", "sub.app.vibes.example", "app%2Evibes.example", "[::1]", "127.0.0.1", "",
    ].map { "https://\($0)/back" }
    let tails = [
      "/", "?", "?a=b", "#", "#f", "/..", "/../back", "/.", ";a=b", "%2F", "%00", "\u{0}", " ", "\t", "\n", "\r\n",
      "\u{301}",
    ].map { back + $0 }
    let others = [
      "", " " + back, "\t" + back, "http://app.vibes.example/back",
      "https:app.vibes.example/back", "https:/app.vibes.example/back", "https:\\\\app.vibes.example\\back",
      "//app.vibes.example/back", "//evil.example/", "/back", "https://app.vibes.example/Back",
      "https://app.vibes.example/%62ack", "https://app.vibes.example//back", "https://app.vibes.example/a/../back",
      "https://app.vibes.example", "https://evil.example/", "javascript:alert(1)//" + back, "data:text/html," + back,
      "vibes://back", back + "," + back, back + " " + back,
    ]
    return hosts + tails + others
  }()

  @Test("T100 only the policy's pages begin, only towards addresses it lists, and only by POST")
  func starts() async throws {
    try await ProvidedApps.run { provided in
      let tab = Tab(provided.apps.vibes)
      for target in Self.mutants {
        #expect(try await start(tab, target: target).code == "malformed_request", "\(target)")
      }
      #expect(try await tab.send("GET", "/v1/sign-in/google/start").status == 405)
      let body = #"{"continue":"\#(ProvidedApps.back)","code_challenge":"\#(Self.challenge)"}"#
      for (origin, status) in [
        ("https://evil.example", 403), ("null", 403), ("https://app.vibes.example", 200),
        (provided.apps.server.url, 200),
      ] {
        let answer = try await tab.send("POST", "/v1/sign-in/google/start", body, headers: ["Origin": origin])
        #expect(answer.status == status, "\(origin): \(answer.text)")
        let mayHold = answer.headers["access-control-allow-credentials"] == "true"
        #expect(mayHold == (origin == "https://app.vibes.example"), "\(origin)")
      }
      let short = #"{"continue":"\#(ProvidedApps.back)","code_challenge":"short"}"#
      #expect(try await tab.send("POST", "/v1/sign-in/google/start", short).code == "malformed_request")
      for name in ["spotify", "nobody", "password"] {
        #expect(try await tab.send("POST", "/v1/sign-in/\(name)/start", body).code == "not_found", "\(name)")
      }
      // messAI has no address to continue to; its Apple no client for browsers.
      #expect(try await provided.apps.messai.post("/v1/sign-in/google/start", body).code == "malformed_request")
    }
  }

  @Test("T100 a link that comes back to this server is made for the browser that began, and for no other")
  func link() async throws {
    // The policy has to name the server's own address, which is known only once it runs.
    try await ProvidedApps.run { provided in
      let issuer = provided.apps.server.url + "/t/vibes"
      let text = PolicyText.withoutTests(ProvidedApps.policy(.vibes, try TestLists.policy("vibes"))).replacing(
        "https://auth.example.com/t/vibes/v1/links/spotify/callback", with: issuer + "/v1/links/spotify/callback")
      try await provided.serve(text, at: .vibes)
      let up = try await provided.apps.signUp(.vibes).json
      let tab = Tab(provided.apps.vibes)
      let begun = try await tab.send("POST", "/v1/me/links/spotify", "{}", token: up.accessToken)
      #expect(begun.status == 200, "\(begun.text)")
      provided.providers.expect(
        "c", .init(user: ProviderUser(issuer: "https://accounts.spotify.com", subject: "s"), scopes: nil))
      let path = String(try provided.wayBack(from: begun, code: "c").dropFirst(issuer.count))
      #expect(path.hasPrefix("/v1/links/spotify/callback?"))
      // A victim who was sent the address links nothing to the user who began.
      #expect(try await provided.apps.vibes.get(path).status == 400)
      let other = Tab(provided.apps.vibes)
      _ = try await start(other)
      #expect(try await other.send("GET", path).status == 400)
      // Nor can it be handed over as if an app had been opened.
      let handed = try await provided.apps.vibes.post(
        "/v1/me/links/spotify/complete", #"{"callback_url":"\#(issuer)\#(path)"}"#, token: up.accessToken)
      #expect(handed.code == "code_invalid")
      #expect(try await provided.apps.me(.vibes, up.accessToken).json["access"] == .string("limited"))
      let done = try await tab.send("GET", path)
      #expect(done.status == 200 && done.text.contains("Connected"), "\(done.text)")
      #expect(try await provided.apps.me(.vibes, up.accessToken).json["access"] == .string("full"))
      #expect(try await tab.send("GET", path).status == 400)
      // A session that ended meanwhile links nothing.
      let late = try await tab.send("POST", "/v1/me/links/spotify", "{}", token: up.accessToken)
      #expect(try await provided.apps.vibes.post("/v1/sign-out", "{}", token: up.accessToken).status == 204)
      let gone = String(try provided.wayBack(from: late, code: "c").dropFirst(issuer.count))
      #expect(try await tab.send("GET", gone).status == 401)
    }
  }
}
