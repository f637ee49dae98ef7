import Foundation
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServer
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// A user who signed up at a `ServedWorld`.
struct ServedUser {
  let email: String
  let id: String
  let session: String
  let access: String
  let refresh: String

  static let password = "correct horse battery 7"

  init(_ name: String, at world: ServedWorld) async throws {
    email = "\(name)@example.com"
    let up = try await world.users.post(
      "/v1/sign-up", #"{"email":"\#(email)","password":"\#(Self.password)","profile":{"username":"\#(name)"}}"#)
    id = try #require(up.json["user"]?["id"]?.string, "\(up.text)")
    session = try #require(up.json["session"]?["id"]?.string ?? up.json["session_id"]?.string, "\(up.text)")
    access = try #require(up.json["access_token"]?.string)
    refresh = try #require(up.json["refresh_token"]?.string)
  }
}

/// A request that a row of `Routes` takes, from a person of its own. A new row has its request here.
struct PublicSample: Sendable {
  var path: String
  var body: String?
  var isSignedIn = true
  /// The access token, where it is another session's than that of the sign-up.
  var access: String?
  /// The tenant at which the row takes it.
  var tenant = "vibes"

  typealias Make = @Sendable (ServedWorld, ServedUser) async throws -> PublicSample

  /// By method and path of the row.
  static let all: [String: Make] = anonymous.merging(signedIn) { $1 }.merging(mailed) { $1 }.merging(provided) { $1 }
    .merging(factors) { $1 }.merging(passkeys) { $1 }

  private static func fixed(_ body: String?, at path: String, isSignedIn: Bool = true) -> Make {
    { _, _ in PublicSample(path: path, body: body, isSignedIn: isSignedIn) }
  }

  private static let anonymous: [String: Make] = [
    "POST /v1/password-check": fixed(#"{"password":"abc"}"#, at: "/v1/password-check", isSignedIn: false),
    "POST /v1/explain": fixed(#"{"password":"abc"}"#, at: "/v1/explain", isSignedIn: false),
    "POST /v1/attest/challenge": { _, _ in
      PublicSample(path: "/v1/attest/challenge", body: "{}", isSignedIn: false, tenant: "attested")
    },
    "POST /v1/attest/keys": { world, _ in
      let given = try await world.client("attested").post("/v1/attest/challenge", "{}")
      let challenge = try #require(given.json["challenge"]?.string, "\(given.text)")
      let device = try TestDevice(app: AttestRootTests.app)
      let attestation = try device.attestation(over: SHA256.digest(challenge), by: world.root, now: Date())
      let body: JSONObject = [
        "key_id": .string(Data(device.keyID).base64EncodedString()), "challenge": .string(challenge),
        "attestation": .string(Data(attestation).base64EncodedString()),
      ]
      return PublicSample(
        path: "/v1/attest/keys", body: String(decoding: JSONValue.object(body).bytes, as: UTF8.self), isSignedIn: false,
        tenant: "attested")
    },
    "POST /v1/sign-up": fixed(
      #"{"email":"new@example.com","password":"\#(ServedUser.password)","profile":{"username":"newcomer"}}"#,
      at: "/v1/sign-up", isSignedIn: false),
    "POST /v1/sign-in": { _, user in
      PublicSample(
        path: "/v1/sign-in", body: #"{"email":"\#(user.email)","password":"\#(ServedUser.password)"}"#,
        isSignedIn: false)
    },
    "POST /v1/token": { _, user in
      PublicSample(path: "/v1/token", body: #"{"refresh_token":"\#(user.refresh)"}"#, isSignedIn: false)
    },
    "POST /v1/password-reset": { _, user in
      PublicSample(path: "/v1/password-reset", body: #"{"email":"\#(user.email)"}"#, isSignedIn: false)
    },
  ]

  private static let signedIn: [String: Make] = [
    "POST /v1/reauthenticate": fixed(#"{"password":"\#(ServedUser.password)"}"#, at: "/v1/reauthenticate"),
    "POST /v1/sign-out": fixed("{}", at: "/v1/sign-out"),
    "GET /v1/me": fixed(nil, at: "/v1/me"), "GET /v1/me/export": fixed(nil, at: "/v1/me/export"),
    "PATCH /v1/me": fixed(#"{"profile":{"username":"other"}}"#, at: "/v1/me"),
    "DELETE /v1/me": fixed("{}", at: "/v1/me"),
    "PUT /v1/me/presence": fixed(#"{"online":false}"#, at: "/v1/me/presence"),
    "GET /v1/me/sessions": fixed(nil, at: "/v1/me/sessions"),
    "DELETE /v1/me/sessions/{id}": { _, user in PublicSample(path: "/v1/me/sessions/\(user.session)") },
    "PUT /v1/me/sessions/current/push-token": fixed(
      #"{"push_token":"abc123","platform":"apns"}"#, at: "/v1/me/sessions/current/push-token"),
    "POST /v1/me/password": fixed(
      #"{"current_password":"\#(ServedUser.password)","password":"another horse 8"}"#, at: "/v1/me/password"),
    "POST /v1/me/email": fixed(#"{"email":"moved@example.com"}"#, at: "/v1/me/email"),
    "POST /v1/email-verification": fixed("{}", at: "/v1/email-verification"),
    "GET /v1/users/{id}": { _, user in PublicSample(path: "/v1/users/\(user.id)") },
    "GET /v1/users": { world, user in
      try await world.makeAdministrator(user)
      return PublicSample(path: "/v1/users?query=person")
    },
    "PATCH /v1/users/{id}": { world, user in
      try await world.makeAdministrator(user)
      return PublicSample(path: "/v1/users/\(user.id)", body: #"{"profile":{"username":"renamed"}}"#)
    },
  ]

  /// What the mail to an address holds the token of a link for.
  private static func mailed(
    _ path: String, _ more: String = "", _ ask: @escaping @Sendable (ServedWorld, ServedUser) async throws -> String
  ) -> Make {
    { world, user in
      let token = try await world.linkToken(to: try await ask(world, user), of: path)
      return PublicSample(path: path, body: #"{"token":"\#(token)"\#(more)}"#)
    }
  }

  private static let mailed: [String: Make] = [
    "POST /v1/email-verification/confirm": mailed("/v1/email-verification/confirm") { $1.email },
    "POST /v1/password-reset/confirm": mailed("/v1/password-reset/confirm", #","password":"another horse 8""#) {
      world, user in
      _ = try await world.users.post("/v1/password-reset", #"{"email":"\#(user.email)"}"#)
      return user.email
    },
    "POST /v1/email-change/confirm": mailed("/v1/email-change/confirm") { try await $0.move($1) },
    "POST /v1/email-change/undo": mailed("/v1/email-change/undo") { world, user in
      // Nothing leads back to an unproven address.
      let path = "/admin/v1/tenants/vibes/users/\(user.email)/verify-email"
      let proven = try await world.admin.post(path, token: world.token)
      try #require(proven.status == 204, "\(proven.text)")
      let token = try await world.linkToken(to: try await world.move(user), of: "/v1/email-change/confirm")
      let moved = try await world.users.post(
        "/v1/email-change/confirm", #"{"token":"\#(token)"}"#, token: user.access)
      try #require(moved.status == 200, "\(moved.text)")
      return user.email
    },
  ]

  /// A request by a session whose authenticator app was just added, of that app's id.
  private static func enrolled(_ body: String?, at path: @escaping @Sendable (String) -> String) -> Make {
    { world, user in
      let app = try await world.enrol(user)
      return PublicSample(path: path(app.id), body: body, access: app.access)
    }
  }

  private static let factors: [String: Make] = [
    "POST /v1/mfa/verify": { world, user in
      let app = try await world.enrol(user)
      let asked = try await world.users.post(
        "/v1/sign-in", #"{"email":"\#(user.email)","password":"\#(ServedUser.password)"}"#)
      let challenge = try #require(asked.json["challenge_id"]?.string, "\(asked.text)")
      return PublicSample(
        path: "/v1/mfa/verify", body: #"{"challenge_id":"\#(challenge)","recovery_code":"\#(app.code)"}"#,
        isSignedIn: false)
    },
    "GET /v1/me/factors": enrolled(nil) { _ in "/v1/me/factors" },
    "POST /v1/me/factors/totp": fixed(#"{"name":"Phone"}"#, at: "/v1/me/factors/totp"),
    "POST /v1/me/factors/totp/confirm": { world, user in
      PublicSample(path: "/v1/me/factors/totp/confirm", body: try await world.beginEnrolment(user))
    },
    "PATCH /v1/me/factors/{id}": enrolled(#"{"name":"Tablet"}"#) { "/v1/me/factors/\($0)" },
    "DELETE /v1/me/factors/{id}": enrolled(nil) { "/v1/me/factors/\($0)" },
    "POST /v1/me/recovery-codes": enrolled("{}") { _ in "/v1/me/recovery-codes" },
  ]

  private static let provided: [String: Make] = [
    "POST /v1/reauthenticate/code": { world, user in
      // The owner of the address arrives by Google: the account has no password from then on.
      let token = try await world.idToken(of: user)
      let arrived = try await world.users.post("/v1/sign-in/google", #"{"id_token":"\#(token)","nonce":"n-1"}"#)
      return PublicSample(
        path: "/v1/reauthenticate/code", body: "{}", access: try #require(arrived.json["access_token"]?.string))
    },
    "POST /v1/sign-in/{provider}": { world, user in
      let token = try await world.idToken(of: user)
      return PublicSample(
        path: "/v1/sign-in/google", body: #"{"id_token":"\#(token)","nonce":"n-1"}"#, isSignedIn: false)
    },
    "POST /v1/sign-in/{provider}/start": fixed(
      ServedWorld.startBody, at: "/v1/sign-in/google/start", isSignedIn: false),
    "POST /v1/sign-in/{provider}/complete": { world, user in
      let code = try await world.comeBackFromGoogle(user)
      return PublicSample(
        path: "/v1/sign-in/google/complete", body: #"{"code":"\#(code)","code_verifier":"\#(ServedWorld.verifier)"}"#,
        isSignedIn: false)
    },
    "POST /v1/me/links/{provider}": fixed(
      #"{"redirect_uri":"\#(ServedWorld.appCallback)"}"#, at: "/v1/me/links/spotify"),
    "POST /v1/me/links/{provider}/complete": { world, user in
      PublicSample(
        path: "/v1/me/links/spotify/complete",
        body: #"{"callback_url":"\#(try await world.consentAtSpotify(user))"}"#)
    },
    "POST /v1/me/links/{provider}/token": { world, user in
      try await world.link(user)
      return PublicSample(path: "/v1/me/links/spotify/token", body: "{}")
    },
    "DELETE /v1/me/links/{provider}": { world, user in
      try await world.link(user)
      return PublicSample(path: "/v1/me/links/spotify", body: "{}")
    },
  ]
}

extension ServedWorld {
  /// The page behind the link of a mail, by the operation that takes the link's token.
  static let pages = [
    "/v1/email-verification/confirm": "verify-email", "/v1/password-reset/confirm": "reset-password",
    "/v1/email-change/confirm": "confirm-email", "/v1/email-change/undo": "undo-email",
  ]
  static let verifier = String(repeating: "v", count: 43)
  static let startBody =
    #"{"continue":"https://app.vibes.example/back","code_challenge":"\#(Base64URL.encode(SHA256.digest(verifier)))"}"#

  /// The body of a first code.
  fileprivate func beginEnrolment(_ user: ServedUser) async throws -> String {
    let begun = try await users.post("/v1/me/factors/totp", #"{"name":"Phone"}"#, token: user.access)
    let seed = try #require(begun.json["secret"]?.string.flatMap { Base32.decode($0) }, "\(begun.text)")
    let code = TOTP.code(seed: Secret(seed), step: TOTP.step(at: Date()))
    return #"{"enrolment_id":"\#(begun.json["enrolment_id"]?.string ?? "")","code":"\#(code)"}"#
  }

  /// Adds an authenticator app: its id, a recovery code, and the access token of the session from then on.
  fileprivate func enrol(_ user: ServedUser) async throws -> (id: String, code: String, access: String) {
    let body = try await beginEnrolment(user)
    let done = try await users.post("/v1/me/factors/totp/confirm", body, token: user.access)
    return (
      try #require(done.json["factor"]?["id"]?.string, "\(done.text)"),
      try #require(done.json["recovery_codes"]?.array?.first?.string),
      try #require(done.json["session"]?["access_token"]?.string)
    )
  }

  fileprivate func makeAdministrator(_ user: ServedUser) async throws {
    let made = try await admin.send(
      "PATCH", "/admin/v1/tenants/vibes/users/\(user.email)", #"{"profile":{"role":"admin"}}"#, token: token)
    try #require(made.status == 200, "\(made.text)")
  }

  /// Asks for another address; the mail to it confirms it.
  fileprivate func move(_ user: ServedUser) async throws -> String {
    let asked = try await users.post(
      "/v1/me/email", #"{"email":"moved-\#(user.email)"}"#, token: user.access)
    try #require(asked.status == 202, "\(asked.text)")
    return "moved-" + user.email
  }

  /// The token of the newest link to this address that leads to the page of an operation.
  fileprivate func linkToken(to address: String, of path: String) async throws -> String {
    while true {
      guard let link = try await mail.next(to: address).mail?.link,
        link.contains("/ui/\(Self.pages[path] ?? path)?")
      else {
        continue
      }
      return String(link.split(separator: "=").last ?? "")
    }
  }

  fileprivate func idToken(of user: ServedUser) async throws -> String {
    let now = Int(Date().timeIntervalSince1970)
    return try await provider.mint([
      "iss": provider.issuer, "aud": Self.client, "sub": "g-\(user.id)", "email": user.email,
      "email_verified": true, "iat": now, "exp": now + 300, "nonce": "n-1",
    ])
  }

  /// Through a browser to Google and back; the code for the app.
  fileprivate func comeBackFromGoogle(_ user: ServedUser) async throws -> String {
    let begun = try await users.post("/v1/sign-in/google/start", Self.startBody)
    let address = try #require(begun.json["authorization_url"]?.string, "\(begun.text)")
    let query = URLComponents(string: address)?.queryItems ?? []
    let callback = try #require(query.first { $0.name == "redirect_uri" }?.value)
    try await provider.register(Self.client, secret: Self.secret, redirectURIs: [callback, Self.appCallback])
    try await provider.signIn(["sub": "b-\(user.id)", "email": "b-\(user.email)", "email_verified": true])
    let back = try #require(try await provider.consent(address))
    let path = String(back[try #require(back.range(of: "/v1/")).lowerBound...])
    let cookie = String(try #require(begun.headers["set-cookie"]).prefix { $0 != ";" })
    let landed = try await users.send("GET", path, headers: ["Cookie": cookie])
    let location = try #require(landed.headers["location"], "\(landed.text)")
    return try #require(URLComponents(string: location)?.queryItems?.first { $0.name == "code" }?.value, "\(location)")
  }

  /// Through Spotify in an app's browser; the address that the app is opened with.
  fileprivate func consentAtSpotify(_ user: ServedUser) async throws -> String {
    try await provider.signIn(["sub": "s-\(user.id)", "email": user.email, "name": "Pat"])
    let begun = try await users.post(
      "/v1/me/links/spotify", #"{"redirect_uri":"\#(Self.appCallback)"}"#, token: user.access)
    let address = try #require(begun.json["authorization_url"]?.string, "\(begun.text)")
    return try #require(try await provider.consent(address))
  }

  fileprivate func link(_ user: ServedUser) async throws {
    let back = try await consentAtSpotify(user)
    let linked = try await users.post(
      "/v1/me/links/spotify/complete", #"{"callback_url":"\#(back)"}"#, token: user.access)
    try #require(linked.status == 200, "\(linked.text)")
  }
}
