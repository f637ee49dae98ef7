import Foundation
import GatehouseAdminWire
import GatehouseIdentity
import GatehouseOutbound
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("Second factors and the other ways into an account")
struct FactorWaysTests {
  @Test("a sign-in by a provider waits for the second factor, and joins the identity with it")
  func provider() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      scene.nextStep()
      let arrived = try await scene.provided.google(.messai, "g1", ["email": .string(scene.email)])
      #expect(arrived.status == 401 && arrived.code == "mfa_required", "\(arrived.text)")
      #expect(try await scene.stored().links.isEmpty)
      let done = try await scene.verify(arrived.challenge, totp: scene.code(phone))
      try #require(done.status == 200, "\(done.text)")
      #expect(try await scene.stored().links.map(\.provider) == ["google"])
      let claims = try Token.claims(of: done.json.accessToken)
      #expect(claims["amr"] == .array([.string("fed"), .string("otp"), .string("mfa")]))
      #expect(claims["acr"] == .string("aal2"))
    }
  }

  @Test("a provider's own fresh sign-in opens no door of an account with a second factor")
  func honestProvider() async throws {
    try await FactorScene.run(isHonest: true) { scene in
      let phone = try await scene.enrol()
      scene.nextStep()
      let arrived = try await scene.provided.google(.messai, "g1", ["email": .string(scene.email)])
      let done = try await scene.verify(arrived.challenge, totp: scene.code(phone))
      scene.clock.advance(seconds: 301)
      let token = try scene.provided.providers.token("g1")
      let again = try await scene.prove(
        #"{"provider":"google","id_token":"\#(token)","nonce":"n-1"}"#, done.json.accessToken)
      let access = again.status == 200 ? again.json.accessToken : done.json.accessToken
      let closed = try await scene.client.get("/v1/me/export", token: access)
      #expect(closed.code == "reauthentication_required", "\(closed.text)")
    }
  }

  @Test("T036 a reset by mail proves nothing: it opens no session, and the second factor stays")
  func reset() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      try await scene.reset(to: App.otherPassword)
      #expect(try await scene.sessions().isEmpty)
      #expect(try await scene.stored().factors == ["totp", "recovery_code"])
      let asked = try await scene.signIn(password: App.otherPassword)
      #expect(asked.code == "mfa_required", "\(asked.text)")
      _ = try await scene.enter(phone, password: App.otherPassword)
    }
  }

  @Test("T099 the owner of an unproven address who arrives by a provider is not asked for a stranger's factor")
  func reclaim() async throws {
    try await FactorScene.run(isProven: false) { scene in
      let phone = try await scene.enrol()
      _ = try await scene.enter(phone, device: scene.up.device, remember: true)
      scene.clock.advance(seconds: 1)
      let owner = try await scene.provided.google(.messai, "g1", ["email": .string(scene.email)])
      try #require(owner.status == 200, "\(owner.text)")
      #expect(owner.json.userID == scene.up.userID)
      let listed = try await scene.factors(owner.json.accessToken)
      #expect(listed.factorIDs.isEmpty && listed.codesLeft == 0)
      #expect(try await scene.stored().factors == [])
      #expect(try await scene.apps.me(FactorScene.app, phone.token).code == "session_revoked")
      let again = try await scene.provided.google(.messai, "g1", ["email": .string(scene.email)])
      #expect(again.status == 200, "\(again.text)")
    }
  }

  @Test("T099 a reset that is the first proof of the address takes the factors and codes that a stranger put there")
  func firstProof() async throws {
    try await FactorScene.run(isProven: false) { scene in
      let stranger = try await scene.enrol()
      _ = try await scene.enter(stranger, device: scene.up.device, remember: true)
      try await scene.reset(to: App.otherPassword)
      #expect(try await scene.stored().factors == [])
      let entered = try await scene.signIn(password: App.otherPassword)
      try #require(entered.status == 200, "\(entered.text)")
      let listed = try await scene.factors(entered.json.accessToken)
      #expect(listed.factorIDs.isEmpty && listed.codesLeft == 0)
      #expect(try await scene.rows(.factorRemoved).map { $0.details["reason"] } == ["unproven"])
    }
  }

  // MARK: The undo of an address change

  /// The token of the newest link that was mailed to an address.
  static func link(to address: String, _ scene: FactorScene) async throws -> String {
    let mail = try await scene.apps.server.latestMail(to: address)
    return try #require(mail?.link?.split(separator: "=").last.map(String.init))
  }

  @Test("T127 the undo of an address change takes the factors and codes that came after it, and leaves those of before")
  func undo() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      scene.clock.advance(seconds: 61)
      let asked = try await scene.client.post(
        "/v1/me/email", #"{"email":"thief@example.com"}"#, token: phone.token)
      try #require(asked.status == 202, "\(asked.text)")
      let token = try await Self.link(to: "thief@example.com", scene)
      let moved = try await scene.client.post(
        "/v1/email-change/confirm", #"{"token":"\#(token)"}"#, token: phone.token)
      try #require(moved.status == 200, "\(moved.text)")
      let back = try await Self.link(to: scene.email, scene)
      scene.clock.advance(seconds: 1)
      let thief = try await scene.enrol(phone.token)
      #expect(try await scene.client.post("/v1/me/recovery-codes", token: thief.token).status == 200)
      scene.clock.advance(seconds: 1)
      let undone = try await scene.client.post("/v1/email-change/undo", #"{"token":"\#(back)"}"#)
      try #require(undone.status == 204, "\(undone.text)")
      #expect(try await scene.stored().factors == ["totp"])
      let left = try await scene.store().factors(of: try await scene.stored().id)
      #expect(left.apps.map(\.id.text) == [phone.id] && left.codesLeft == 0)
    }
  }

  // MARK: Deletions

  @Test("an account that is brought back has its factors and codes, and a code that was used stays used")
  func undelete() async throws {
    try await FactorScene.run(more: "\naccounts: {undo_deletion: 14d}\n") { scene in
      let phone = try await scene.enrol(name: "Phone")
      #expect(try await scene.verify(scene.challenge(), recovery: phone.recoveryCodes[0]).status == 200)
      try await Operator.delete(FactorScene.app, on: scene.apps)
      #expect(try await scene.count("SELECT count(*) FROM gatehouse.totp") == 0)
      _ = try await UndeleteUser.run(
        .init(tenant: FactorScene.app.rawValue, user: scene.email), scene.apps.asOperator)
      #expect(try await scene.stored().factors == ["totp", "recovery_code"])
      #expect(try await scene.verify(scene.challenge(), totp: scene.code(phone)).code == "code_invalid")
      #expect(try await scene.verify(scene.challenge(), recovery: phone.recoveryCodes[0]).code == "code_invalid")
      #expect(try await scene.verify(scene.challenge(), recovery: phone.recoveryCodes[1]).status == 200)
      let entered = try await scene.enter(phone)
      #expect(try await scene.factors(entered.accessToken)["items"]?.array?.first?["name"] == .string("Phone"))
    }
  }

  @Test("M11 an erased account leaves no factor and no code behind")
  func erased() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      #expect(try await scene.client.send("DELETE", "/v1/me", "{}", token: phone.token).status == 204)
      for table in ["totp", "recovery_code", "ticket", "device"] {
        #expect(try await scene.count("SELECT count(*) FROM gatehouse.\(identifier: table)") == 0, "\(table)")
      }
    }
  }
}
