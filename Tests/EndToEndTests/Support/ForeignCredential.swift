import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// One credential of one tenant, shown to one operation: at the other tenant it must be worth nothing, at home it
/// works.
struct ForeignCredential: Sendable {
  /// `POST /v1/token`, as the route table has it.
  let route: String
  /// What is shown: `refresh token`.
  let kind: String
  /// What it answers at home.
  let home: Int
  /// What to send, for a person of the northern tenant.
  let request: @Sendable (Neighbours, Neighbours.Person) async throws -> Sent
  /// Whether an answer of the other tenant gives nothing away and did nothing.
  let isRefused: @Sendable (TestClient.Answer, Neighbours.Person) -> Bool

  struct Sent: Sendable {
    var path: String
    /// The path at the southern tenant, where it is another one.
    var abroadPath: String?
    var body: String?
    /// The body at the southern tenant, where it is another one.
    var abroadBody: String?
    var token: String?
    var headers: [String: String] = [:]
    /// At the southern tenant the stranger's own token stands in the place of the victim's.
    var asStranger = false
  }

  init(
    _ route: String, _ kind: String, home: Int,
    isRefused: @escaping @Sendable (TestClient.Answer, Neighbours.Person) -> Bool = ForeignCredential.refusal,
    _ request: @escaping @Sendable (Neighbours, Neighbours.Person) async throws -> Sent
  ) {
    self.route = route
    self.kind = kind
    self.home = home
    self.request = request
    self.isRefused = isRefused
  }

  /// Refused for what was shown, not for its form, and nothing is said of the person.
  static let refusal: @Sendable (TestClient.Answer, Neighbours.Person) -> Bool = { answer, user in
    [400, 401, 403, 404].contains(answer.status) && answer.code != "malformed_request" && isSilent(answer, user)
  }

  static func isSilent(_ answer: TestClient.Answer, _ user: Neighbours.Person) -> Bool {
    !answer.text.contains(user.email) && !answer.text.contains(user.id)
  }

  private var method: String { String(route.prefix { $0 != " " }) }

  /// Shows it to the southern tenant, then at home; says what went wrong.
  func findings(_ neighbours: Neighbours, _ user: Neighbours.Person) async throws -> [String] {
    let sent = try await request(neighbours, user)
    let abroad = try await neighbours.south.send(
      method, sent.abroadPath ?? sent.path, sent.abroadBody ?? sent.body,
      token: sent.asStranger ? neighbours.stranger.access : sent.token,
      headers: sent.headers)
    var findings: [String] = []
    if !isRefused(abroad, user) {
      findings.append("\(route), \(kind): \(abroad.status) \(abroad.code ?? "") at another tenant")
    }
    let there = try await neighbours.north.send(method, sent.path, sent.body, token: sent.token, headers: sent.headers)
    if there.status != home { findings.append("\(route), \(kind): \(there.status) \(there.code ?? "") at home") }
    return findings
  }

  /// Operations to which nothing is shown that another tenant gave out: an address or a password to judge.
  static let showNothing: Set<String> = [
    "POST /v1/explain", "POST /v1/password-check", "POST /v1/sign-up", "POST /v1/password-reset",
    "POST /v1/sign-in/{provider}/start", "POST /v1/passkeys/sign-in/start", "POST /v1/passkeys/sign-up/start",
    // Another tenant's challenges and keys: `AttestTests`.
    "POST /v1/attest/challenge", "POST /v1/attest/keys",
    // A provider's token is made for client ids, which two tenants may have in common.
    "POST /v1/sign-in/{provider}",
  ]

  static let all: [ForeignCredential] = accessTokens + ids + mailed + others + provided + factors

  private static func signedIn(_ route: String, home: Int, body: String? = nil) -> ForeignCredential {
    let path = String(route.split(separator: " ")[1])
    return ForeignCredential(route, "access token", home: home) { _, user in
      Sent(path: path, body: body, token: user.access)
    }
  }

  private static let accessTokens: [ForeignCredential] = [
    signedIn("POST /v1/reauthenticate", home: 200, body: #"{"password":"\#(App.password)"}"#),
    // Its account has a password: at home the answer says so.
    signedIn("POST /v1/reauthenticate/code", home: 403, body: "{}"),
    // Who is signed out anyway is signed out: nothing is done, and the session at home is still there to end.
    ForeignCredential(
      "POST /v1/sign-out", "access token", home: 204, isRefused: { $0.status < 500 && isSilent($0, $1) }
    ) { _, user in Sent(path: "/v1/sign-out", body: #"{"scope":"all"}"#, token: user.access) },
    signedIn("GET /v1/me", home: 200), signedIn("GET /v1/me/export", home: 200),
    signedIn("PATCH /v1/me", home: 200, body: #"{"profile":{"name":"Other"}}"#),
    signedIn("DELETE /v1/me", home: 204, body: "{}"),
    signedIn("PUT /v1/me/presence", home: 200, body: #"{"online":false}"#),
    signedIn("GET /v1/me/sessions", home: 200),
    signedIn(
      "PUT /v1/me/sessions/current/push-token", home: 204, body: #"{"push_token":"abc123","platform":"apns"}"#),
    signedIn(
      "POST /v1/me/password", home: 200,
      body: #"{"current_password":"\#(App.password)","password":"\#(App.otherPassword)"}"#),
    signedIn("POST /v1/me/email", home: 202, body: #"{"email":"moved@ksu.edu"}"#),
    ForeignCredential("DELETE /v1/me/sessions/{id}", "access token", home: 204) { _, user in
      Sent(path: "/v1/me/sessions/\(user.session)", token: user.access)
    },
    ForeignCredential("POST /v1/email-verification", "access token", home: 409) { _, user in
      Sent(path: "/v1/email-verification", body: "{}", token: user.access)
    },
    ForeignCredential("GET /v1/users/{id}", "access token", home: 200) { _, user in
      Sent(path: "/v1/users/\(user.id)", token: user.access)
    },
    ForeignCredential("GET /v1/users", "access token", home: 200) { _, user in
      Sent(path: "/v1/users?query=victim", token: user.access)
    },
    ForeignCredential("PATCH /v1/users/{id}", "access token", home: 200) { _, user in
      Sent(path: "/v1/users/\(user.id)", body: #"{"profile":{"classYear":2}}"#, token: user.access)
    },
  ]

  /// What another tenant's ids are worth to an administrator of this one.
  private static let ids: [ForeignCredential] = [
    ForeignCredential("DELETE /v1/me/sessions/{id}", "session id", home: 204) { _, user in
      Sent(path: "/v1/me/sessions/\(user.session)", token: user.access, asStranger: true)
    },
    ForeignCredential("GET /v1/users/{id}", "user id", home: 200) { _, user in
      Sent(path: "/v1/users/\(user.id)", token: user.access, asStranger: true)
    },
    ForeignCredential("PATCH /v1/users/{id}", "user id", home: 200) { _, user in
      Sent(
        path: "/v1/users/\(user.id)", body: #"{"profile":{"classYear":2}}"#, token: user.access, asStranger: true)
    },
    ForeignCredential("GET /v1/users", "user id", home: 200, isRefused: finds(noUser: true)) { _, user in
      Sent(path: "/v1/users?ids=\(user.id)", token: user.access, asStranger: true)
    },
    ForeignCredential("GET /v1/users", "cursor", home: 200, isRefused: finds(noUser: false)) { _, user in
      Sent(
        path: "/v1/users?limit=100&cursor=ffffffff-ffff-7fff-bfff-ffffffffffff", token: user.access,
        asStranger: true)
    },
  ]

  private static func finds(noUser: Bool) -> @Sendable (TestClient.Answer, Neighbours.Person) -> Bool {
    { answer, user in
      answer.status == 200 && isSilent(answer, user) && (answer.json["items"]?.array?.isEmpty ?? false) == noUser
    }
  }

  /// Where a mail goes that was asked for, and what its digits need besides.
  private typealias Asked = (address: String, more: [String])

  /// Asks at home for a mail and shows what it holds, as a link's token or as digits with the address.
  private static func byMail(
    _ route: String, home: Int, password: String? = App.password, digits: Bool,
    _ ask: @escaping @Sendable (Neighbours, Neighbours.Person) async throws -> Asked
  ) -> ForeignCredential {
    ForeignCredential(route, digits ? "mailed code" : "link token", home: home) { neighbours, user in
      let (address, more) = try await ask(neighbours, user)
      var members =
        digits
        ? [#""email":"\#(address)""#, #""code":"\#(try #require(try await neighbours.mail(to: address).code))""#]
          + more
        : [#""token":"\#(try await neighbours.linkToken(to: address))""#]
      if let password { members.append(#""password":"\#(password)""#) }
      return Sent(path: String(route.split(separator: " ")[1]), body: "{\(members.joined(separator: ","))}")
    }
  }

  /// Signs up a user who verifies later.
  @Sendable private static func newcomer(_ neighbours: Neighbours, _ user: Neighbours.Person) async throws -> Asked {
    _ = try await neighbours.north.post("/v1/sign-up", Neighbours.body("new-\(user.email)"))
    return ("new-\(user.email)", [])
  }

  @Sendable private static func reset(_ neighbours: Neighbours, _ user: Neighbours.Person) async throws -> Asked {
    neighbours.server.clock.advance(seconds: 1)  // the newest mail is told by its time
    let asked = try await neighbours.north.post("/v1/password-reset", #"{"email":"\#(user.email)"}"#)
    return (user.email, [#""reset_id":"\#(asked.resetID)""#])
  }

  @Sendable private static func moved(_ neighbours: Neighbours, _ user: Neighbours.Person) async throws -> Asked {
    let address = "moved-\(user.email)"
    _ = try await neighbours.north.post(
      "/v1/me/email", #"{"email":"\#(address)","password":"\#(App.password)"}"#, token: user.access)
    return (address, [])
  }

  /// Confirms another address, and answers the old one, which is told how to undo that.
  @Sendable private static func undo(_ neighbours: Neighbours, _ user: Neighbours.Person) async throws -> Asked {
    let address = try await moved(neighbours, user).address
    neighbours.server.clock.advance(seconds: 1)
    let token = try await neighbours.linkToken(to: address)
    _ = try await neighbours.north.post("/v1/email-change/confirm", #"{"token":"\#(token)"}"#, token: user.access)
    return (user.email, [])
  }

  private static let mailed: [ForeignCredential] =
    [true, false].flatMap { digits in
      [
        byMail("POST /v1/email-verification/confirm", home: 200, digits: digits, newcomer),
        byMail(
          "POST /v1/password-reset/confirm", home: 204, password: App.otherPassword, digits: digits, reset),
        byMail("POST /v1/email-change/confirm", home: 200, digits: digits, moved),
      ]
    } + [byMail("POST /v1/email-change/undo", home: 204, password: nil, digits: false, undo)] + pages

  /// The same links as pages: opened at both tenants in one browser, and pressed there, each in a flow of its own.
  private static let pages: [ForeignCredential] =
    [("verify-email", newcomer), ("reset-password", reset), ("confirm-email", moved), ("undo-email", undo)].flatMap {
      page, ask in
      [
        ForeignCredential("GET /ui/\(page)", "link in a flow", home: 200) { neighbours, user in
          let link = try await LinkInFlow(page, try await ask(neighbours, user).address, neighbours)
          return Sent(path: link.path(link.home), abroadPath: link.path(link.abroad), headers: ["Cookie": link.cookie])
        },
        ForeignCredential("POST /ui/\(page)", "link in a flow", home: 303) { neighbours, user in
          let link = try await LinkInFlow(page, try await ask(neighbours, user).address, neighbours)
          return Sent(
            path: "/ui/\(page)", body: link.body(link.home), abroadBody: link.body(link.abroad),
            headers: [
              "Cookie": link.cookie, "Content-Type": "application/x-www-form-urlencoded",
              "Sec-Fetch-Site": "same-origin",
            ])
        },
      ]
    }

  private static let others: [ForeignCredential] = [
    ForeignCredential("POST /v1/sign-in", "password", home: 200) { _, user in
      Sent(path: "/v1/sign-in", body: #"{"email":"\#(user.email)","password":"\#(App.password)"}"#)
    },
    ForeignCredential("POST /v1/token", "refresh token", home: 200) { _, user in
      Sent(path: "/v1/token", body: #"{"refresh_token":"\#(user.refresh)"}"#)
    },
    // The southern tenant sees its own stranger with a token of the victim's.
    ForeignCredential("POST /v1/reauthenticate", "refresh token", home: 200) { _, user in
      Sent(
        path: "/v1/reauthenticate", body: #"{"password":"\#(App.password)","refresh_token":"\#(user.refresh)"}"#,
        token: user.access, asStranger: true)
    },
    ForeignCredential(
      "POST /v1/sign-out", "refresh token", home: 204, isRefused: { $0.status == 204 && isSilent($0, $1) }
    ) { _, user in Sent(path: "/v1/sign-out", body: #"{"refresh_token":"\#(user.refresh)"}"#) },
  ]

  /// What is shown on the way to a provider and back.
  private static let provided: [ForeignCredential] = [
    ForeignCredential("POST /v1/me/links/{provider}", "access token", home: 200) { _, user in
      Sent(path: "/v1/me/links/google", body: "{}", token: user.access)
    },
    ForeignCredential("POST /v1/me/links/{provider}/complete", "access token", home: 200) { neighbours, user in
      Sent(
        path: "/v1/me/links/google/complete", body: try neighbours.idToken(user), token: user.access)
    },
    ForeignCredential("POST /v1/me/links/{provider}/complete", "state", home: 200) { neighbours, user in
      let begun = try await neighbours.north.post("/v1/me/links/google", "{}", token: user.access)
      let back = try neighbours.wayBack(begun, user)
      return Sent(
        path: "/v1/me/links/google/complete", body: #"{"callback_url":"\#(back)"}"#, token: user.access,
        asStranger: true)
    },
    // At home the person is known, and the policy hands out nothing of this provider's.
    ForeignCredential("POST /v1/me/links/{provider}/token", "access token", home: 404) { neighbours, user in
      _ = try await neighbours.north.post(
        "/v1/me/links/google/complete", try neighbours.idToken(user), token: user.access)
      return Sent(path: "/v1/me/links/google/token", body: "{}", token: user.access)
    },
    ForeignCredential("DELETE /v1/me/links/{provider}", "access token", home: 204) { neighbours, user in
      _ = try await neighbours.north.post(
        "/v1/me/links/google/complete", try neighbours.idToken(user), token: user.access)
      return Sent(path: "/v1/me/links/google", body: "{}", token: user.access)
    },
    ForeignCredential("POST /v1/sign-in/{provider}/complete", "code for the app", home: 200) { neighbours, user in
      let verifier = String(repeating: "v", count: 43)
      let challenge = Base64URL.encode(SHA256.digest(verifier))
      let begun = try await neighbours.north.post(
        "/v1/sign-in/google/start", #"{"continue":"\#(ProvidedApps.back)","code_challenge":"\#(challenge)"}"#)
      let cookie = String(try #require(begun.headers["set-cookie"]).prefix { $0 != ";" })
      let back = try neighbours.wayBack(begun, user)
      let landed = try await neighbours.north.send(
        "GET", "/v1/sign-in/google/callback?" + String(try #require(back.split(separator: "?").last)),
        headers: ["Cookie": cookie])
      let location = try #require(landed.headers["location"])
      let code = try #require(try ProvidedApps.query(location)["code"])
      return Sent(
        path: "/v1/sign-in/google/complete", body: #"{"code":"\#(code)","code_verifier":"\#(verifier)"}"#)
    },
  ]
}

extension Neighbours {
  /// Claims of a person at Google who has this person's address.
  fileprivate func idToken(_ user: Person) throws -> String {
    let token = try providers.token("of-\(user.id)", ["email": .string(user.email)])
    return #"{"id_token":"\#(token)","nonce":"n-1"}"#
  }

  /// Where the provider sends the person back to.
  fileprivate func wayBack(_ begun: TestClient.Answer, _ user: Person) throws -> String {
    let query = try ProvidedApps.query(#require(begun.json["authorization_url"]?.string))
    let code = "code-of-\(user.id)"
    providers.expect(
      code,
      .init(
        user: ProviderUser(issuer: SigningProviders.google, subject: ""), scopes: nil,
        idToken: try providers.token(
          "of-\(user.id)", nonce: try #require(query["nonce"]), ["email": .string(user.email)])))
    return QueryText.address(
      try #require(query["redirect_uri"]), adding: [("code", code), ("state", try #require(query["state"]))])
  }
}

extension App {
  /// `password` as a form sends it.
  fileprivate static let typed = "Kq7%21vmTz9"
}

/// The link of a northern mail, opened by one browser at both tenants.
private struct LinkInFlow {
  let page: String
  /// The key of the browser.
  let cookie: String
  /// The flow of each tenant, as its page carries it.
  let home, abroad: String
  private let proof: String

  init(_ page: String, _ address: String, _ neighbours: Neighbours) async throws {
    let link = "/ui/\(page)?token=\(try await neighbours.linkToken(to: address))"
    let opened = try await neighbours.north.get(link)
    self.page = page
    cookie = String(try #require(opened.headers["set-cookie"]).prefix { $0 != ";" })
    home = try Self.flow(opened)
    abroad = try Self.flow(await neighbours.south.send("GET", link, headers: ["Cookie": cookie]))
    let shown = try await neighbours.north.send("GET", "/ui/\(page)?f=\(home)", headers: ["Cookie": cookie])
    proof = try LinkPage.hidden("csrf", of: shown.text)
  }

  private static func flow(_ answer: TestClient.Answer) throws -> String {
    let location = try #require(answer.headers["location"])
    return String(location[try #require(location.range(of: "?f=")).upperBound...])
  }

  func path(_ flow: String) -> String { "/ui/\(page)?f=\(flow)" }

  func body(_ flow: String) -> String { "csrf=\(proof)&f=\(flow)&password=\(App.typed)&again=\(App.typed)&word=undo" }
}
