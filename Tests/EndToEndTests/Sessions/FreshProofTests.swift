import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@testable import GatehouseServer

@Suite("What proves that an account's owner is there")
struct FreshProofTests {
  private static let email = "pat@ksu.edu"
  private static let every = FreshDoor.all.map(\.route)
  private static let factors: @Sendable (App, String) -> String = { PolicyText.with(mfa: PolicyText.mfa, $1) }

  /// An administrator of DD Ride who signs in by Google.
  private func member(_ provided: ProvidedApps, _ claims: [(String, JSONValue)] = []) async throws -> JSONValue {
    _ = try await signIn(provided, claims)
    try await Operator.set(.ride, "pat", ["role": .string("admin"), "chapterId": .string("KAPPA")], provided.apps)
    return try await signIn(provided, claims)
  }

  private func signIn(_ provided: ProvidedApps, _ claims: [(String, JSONValue)] = []) async throws -> JSONValue {
    var all: JSONObject = ["email": .string(Self.email)]
    for (name, value) in claims { all[name] = value }
    let profile = #","profile":{"name":"Pat","phoneNumber":"785-555-0123"}"#
    let answer = try await provided.google(.ride, "g1", all, more: profile)
    try #require(answer.status == 200, "\(answer.text)")
    return answer.json
  }

  private func now(_ provided: ProvidedApps) -> Int64 { Int64(provided.providers.clock.now.timeIntervalSince1970) }

  // MARK: Doors

  @Test("T192 the doors of the table are all that demand a fresh proof")
  func table() {
    let demanding = Routes.all.filter { $0.refusals.contains(.reauthenticationRequired) }
      .map { "\($0.method.rawValue) \($0.path)" }
    #expect(Set(demanding) == Set(Self.every + FreshDoor.others))
  }

  @Test("T192 a sign-in by a provider that does not say who was there opens no door of an account that mail can reach")
  func silent() async throws {
    try await ProvidedApps.run(policy: Self.factors) { provided in
      let me = try await member(provided)
      #expect(try await FreshDoor.closed(provided.apps.ride, me.accessToken) == Self.every)
    }
  }

  @Test("T192 of an account without a proven address a provider's sign-in is proof for five minutes, and no longer")
  func unproven() async throws {
    try await ProvidedApps.run(policy: Self.factors) { provided in
      let me = try await member(provided, [("email_verified", .bool(false))])
      let export = try #require(FreshDoor.all.first { $0.route.hasSuffix("export") })
      #expect(try await export.knock(provided.apps.ride, me.accessToken).status == 200)
      provided.apps.server.clock.advance(seconds: 301)
      let late = try await export.knock(provided.apps.ride, me.accessToken)
      #expect(late.code == "reauthentication_required" && late.json["methods"] == .array([.string("provider")]))
    }
  }

  @Test("T192 a mailed code opens every door, and the token names it")
  func code() async throws {
    try await ProvidedApps.run(policy: Self.factors) { provided in
      let me = try await member(provided)
      let proven = try await prove(provided, me.accessToken, try await mailed(provided, me.accessToken))
      try #require(proven.status == 200, "\(proven.text)")
      let claims = try Token.claims(of: proven.json.accessToken)
      #expect(claims["amr"] == .array([.string("fed"), .string("otp")]))
      #expect(claims["acr"] == .string("aal1"))
      #expect(try await FreshDoor.closed(provided.apps.ride, proven.json.accessToken) == [])
    }
  }

  @Test("T192 a password opens every door")
  func password() async throws {
    try await ProvidedApps.run(policy: Self.factors) { provided in
      let apps = provided.apps
      _ = try await apps.signUp(.ride)
      try await Operator.verify(.ride, "pat", apps)
      try await Operator.set(.ride, "pat", ["role": .string("admin"), "chapterId": .string("KAPPA")], apps)
      let me = try await apps.signIn(.ride).json
      #expect(try await FreshDoor.closed(apps.ride, me.accessToken) == [])
    }
  }

  @Test(
    "T192 a provider that says that its user signed in just now opens every door, by a sign-in and by a fresh proof")
  func active() async throws {
    try await ProvidedApps.run(policy: Self.factors, isHonest: true) { provided in
      let me = try await member(provided)
      provided.apps.server.clock.advance(seconds: 301)
      let closed = try await FreshDoor.all[0].knock(provided.apps.ride, me.accessToken)
      #expect(closed.json["methods"] == .array([.string("provider"), .string("code")]))
      let proven = try await byProvider(provided, me.accessToken)
      #expect(try await FreshDoor.closed(provided.apps.ride, proven.json.accessToken) == [])
    }
  }

  private func byProvider(
    _ provided: ProvidedApps, _ access: String, _ claims: JSONObject = JSONObject()
  ) async throws -> TestClient.Answer {
    let token = try provided.providers.token("g1", claims)
    return try await provided.apps.ride.post(
      "/v1/reauthenticate", #"{"provider":"google","id_token":"\#(token)","nonce":"n-1"}"#, token: access)
  }

  /// What `auth_time` may hold that says nothing of now, by its distance from now.
  private static let lies: [(name: String, value: @Sendable (Int64) -> JSONValue)] = [
    ("missing", { _ in .null }), ("of yesterday", { .integer($0 - 86_400) }),
    ("of before the window", { .integer($0 - 361) }), ("to come", { .integer($0 + 61) }),
    ("text", { .string("\($0)") }), ("true", { _ in .bool(true) }), ("a list", { .array([.integer($0)]) }),
    ("zero", { _ in .integer(0) }), ("the least", { _ in .integer(.min) }), ("the most", { _ in .integer(.max) }),
  ]

  @Test("T193 auth_time that is missing, old, to come or no number opens no door", arguments: lies.map(\.name))
  func lie(name: String) async throws {
    let value = try #require(Self.lies.first { $0.name == name }?.value)
    try await ProvidedApps.run(policy: Self.factors, isHonest: true) { provided in
      let said = value(now(provided))
      let me = try await member(provided, [("auth_time", said)])
      #expect(try await FreshDoor.closed(provided.apps.ride, me.accessToken) == Self.every)
      let refused = try await byProvider(provided, me.accessToken, ["auth_time": said])
      #expect(refused.status == 401 && refused.code == "provider_token_invalid", "\(refused.text)")
    }
  }

  @Test("T193 auth_time within the clocks' difference of the window is taken", arguments: [-360, -300, 0, 60])
  func nearly(seconds: Int64) async throws {
    try await ProvidedApps.run(policy: Self.factors, isHonest: true) { provided in
      let me = try await member(provided)
      provided.apps.server.clock.advance(seconds: 301)
      let said = JSONValue.integer(now(provided) + seconds)
      #expect(try await byProvider(provided, me.accessToken, ["auth_time": said]).status == 200)
    }
  }

  @Test("T193 an ID token of a provider that does not say who was there is no fresh proof, and the code is named")
  func idToken() async throws {
    try await ProvidedApps.run(policy: Self.factors) { provided in
      let me = try await member(provided)
      let refused = try await byProvider(provided, me.accessToken, ["auth_time": .integer(now(provided))])
      #expect(refused.code == "reauthentication_required", "\(refused.text)")
      #expect(refused.json["methods"] == .array([.string("code")]))
    }
  }

  // MARK: The code

  private func ask(_ provided: ProvidedApps, _ access: String) async throws -> TestClient.Answer {
    try await provided.apps.ride.send("POST", "/v1/reauthenticate/code", token: access)
  }

  private func mailed(_ provided: ProvidedApps, _ access: String) async throws -> String {
    provided.apps.server.clock.advance(seconds: 61)
    let asked = try await ask(provided, access)
    try #require(asked.status == 202, "\(asked.text)")
    return try #require(try await provided.apps.server.latestMail(to: Self.email)?.code)
  }

  private func prove(_ provided: ProvidedApps, _ access: String, _ code: String) async throws -> TestClient.Answer {
    try await provided.apps.ride.post("/v1/reauthenticate", #"{"code":"\#(code)"}"#, token: access)
  }

  /// Six digits that are not these.
  private func wrong(_ code: String) -> String { code == "000000" ? "000001" : "000000" }

  @Test("T194 the mail has six digits and no link, whatever the policy mails for other things")
  func digits() async throws {
    try await ProvidedApps.run(policy: { $1.replacing("method: link_and_code", with: "method: link") }) { provided in
      let me = try await member(provided)
      #expect(try await mailed(provided, me.accessToken).count == 6)
      #expect(try await provided.apps.server.latestMail(to: Self.email)?.link == nil)
    }
  }

  static let routes = ["POST /v1/reauthenticate/code"]

  @Test("T121 T194 the trail has the code that was asked for, the wrong one, and the proof with its method")
  func trail() async throws {
    try await ProvidedApps.run(policy: Self.factors) { provided in
      let me = try await member(provided)
      let code = try await mailed(provided, me.accessToken)
      _ = try await prove(provided, me.accessToken, wrong(code))
      _ = try await prove(provided, me.accessToken, code)
      let tenant = try await provided.apps.operatorCall(.ride).tenant.id
      let rows = try await provided.apps.server.services.store.open(tenant).audit(AuditQuery(), limit: 100)
      let told = rows.filter {
        [.reauthenticationRequested, .codeRefused, .reauthenticated].contains($0.event)
      }
      #expect(Set(told.map(\.event)).count == 3 && told.allSatisfy { $0.user?.text == me.userID })
      #expect(told.first { $0.event == .reauthenticated }?.details["method"] == "otp")
    }
  }

  @Test("T194 a code is good once, and of many uses at the same moment one counts")
  func once() async throws {
    try await ProvidedApps.run(policy: Self.factors) { provided in
      let me = try await member(provided)
      let code = try await mailed(provided, me.accessToken)
      let answers = try await atOnce(8) { _ in try await prove(provided, me.accessToken, code) }
      #expect(answers.count { $0.status == 200 } == 1, "\(answers.map(\.code))")
      let later = try await prove(provided, me.accessToken, code)
      #expect(later.code == "code_used" || later.code == "code_invalid", "\(later.text)")
    }
  }

  @Test("T194 five wrong tries end a code, and tries elsewhere end none")
  func tries() async throws {
    try await ProvidedApps.run(policy: Self.factors) { provided in
      let me = try await member(provided)
      let code = try await mailed(provided, me.accessToken)
      for _ in 0..<12 {
        let guess = #"{"email":"\#(Self.email)","code":"\#(wrong(code))"}"#
        #expect(try await provided.apps.ride.post("/v1/email-verification/confirm", guess).status >= 400)
      }
      for _ in 0..<4 { #expect(try await prove(provided, me.accessToken, wrong(code)).code == "code_invalid") }
      #expect(try await prove(provided, me.accessToken, code).status == 200)
      let next = try await mailed(provided, me.accessToken)
      for _ in 0..<5 { #expect(try await prove(provided, me.accessToken, wrong(next)).code == "code_invalid") }
      #expect(try await prove(provided, me.accessToken, next).code == "code_invalid")
    }
  }

  @Test("T194 a code ends with its time")
  func expiry() async throws {
    try await ProvidedApps.run(policy: Self.factors) { provided in
      let me = try await member(provided)
      let code = try await mailed(provided, me.accessToken)
      provided.apps.server.clock.advance(seconds: 600)
      #expect(try await prove(provided, me.accessToken, code).code == "code_expired")
    }
  }

  @Test("T194 another code voids the one before, not sooner than the policy's wait")
  func newer() async throws {
    try await ProvidedApps.run(policy: Self.factors) { provided in
      let me = try await member(provided)
      let code = try await mailed(provided, me.accessToken)
      let early = try await ask(provided, me.accessToken)
      #expect(early.status == 429 && early.code == "cooldown", "\(early.text)")
      let next = try await mailed(provided, me.accessToken)
      if next != code { #expect(try await prove(provided, me.accessToken, code).code == "code_invalid") }
      #expect(try await prove(provided, me.accessToken, next).status == 200)
    }
  }

  @Test("T194 a code is its session's: another one takes it not, and voids it not by asking for its own")
  func session() async throws {
    try await ProvidedApps.run(policy: Self.factors) { provided in
      let me = try await member(provided)
      let other = try await signIn(provided)
      let code = try await mailed(provided, me.accessToken)
      #expect(try await prove(provided, other.accessToken, code).code == "code_invalid")
      let theirs = try await mailed(provided, other.accessToken)
      #expect(try await prove(provided, me.accessToken, code).status == 200)
      #expect(try await prove(provided, other.accessToken, theirs).status == 200)
    }
  }

  @Test("T194 a code goes with its session's end")
  func signedOut() async throws {
    try await ProvidedApps.run(policy: Self.factors) { provided in
      let me = try await member(provided)
      let code = try await mailed(provided, me.accessToken)
      #expect(try await provided.apps.ride.post("/v1/sign-out", "{}", token: me.accessToken).status == 204)
      #expect(try await prove(provided, me.accessToken, code).code == "session_revoked")
      #expect(try await prove(provided, try await signIn(provided).accessToken, code).code == "code_invalid")
    }
  }

  @Test("T194 a code goes with the address that it was mailed to")
  func moved() async throws {
    try await ProvidedApps.run(policy: Self.factors) { provided in
      let ride = provided.apps.ride
      let me = try await member(provided)
      let first = try await mailed(provided, me.accessToken)
      let second = try await signIn(provided)
      let code = try await mailed(provided, second.accessToken)
      #expect(try await prove(provided, me.accessToken, first).status == 200)
      let move = try await ride.post("/v1/me/email", #"{"email":"new@ksu.edu"}"#, token: me.accessToken)
      #expect(move.status == 202, "\(move.text)")
      let confirm = try #require(try await provided.apps.server.latestMail(to: "new@ksu.edu")?.code)
      let done = try await ride.post(
        "/v1/email-change/confirm", #"{"email":"new@ksu.edu","code":"\#(confirm)"}"#, token: me.accessToken)
      #expect(done.status == 200, "\(done.text)")
      #expect(try await prove(provided, second.accessToken, code).code == "code_invalid")
    }
  }

  @Test("T194 a password that is set voids a code, and an account with one is mailed none")
  func withPassword() async throws {
    try await ProvidedApps.run(policy: Self.factors) { provided in
      let apps = provided.apps
      let me = try await member(provided)
      let code = try await mailed(provided, me.accessToken)
      _ = try await apps.ride.post("/v1/password-reset", #"{"email":"\#(Self.email)"}"#)
      let link = try await apps.server.latestMail(to: Self.email)?.link
      #expect(try await LinkPage(opening: link).setPassword("Wildcat1").status == 200)
      let anew = try await apps.signIn(.ride, "pat", password: "Wildcat1").json
      for answer in [try await ask(provided, anew.accessToken), try await prove(provided, anew.accessToken, code)] {
        #expect(answer.status == 403 && answer.code == "reauthentication_required", "\(answer.text)")
        #expect(answer.json["methods"] == .array([.string("password")]))
      }
    }
  }

  @Test("T194 no code is mailed to an address that is not proven")
  func unprovenAddress() async throws {
    try await ProvidedApps.run(policy: Self.factors) { provided in
      let me = try await member(provided, [("email_verified", .bool(false))])
      let sent = try await provided.apps.server.mailCount(to: Self.email)
      let refused = try await ask(provided, me.accessToken)
      #expect(refused.status == 403 && refused.json["methods"] == .array([.string("provider")]), "\(refused.text)")
      #expect(try await provided.apps.server.mailCount(to: Self.email) == sent)
    }
  }
}
