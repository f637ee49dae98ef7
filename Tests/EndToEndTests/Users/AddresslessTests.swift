import GatehouseAdminWire
import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("An account without an address")
struct AddresslessTests {
  /// An account that a provider opens and that has no address, signed in.
  private static func run(
    _ app: App = .messai, _ body: (ProvidedApps, _ id: String, _ session: JSONValue) async throws -> Void
  ) async throws {
    try await ProvidedApps.run { provided in
      let services = provided.apps.server.services
      let call = try await provided.apps.operatorCall(app)
      let profile: [String: FieldValue] =
        app == .ride ? ["name": "Pat", "phoneNumber": "+17855550123"] : ["displayName": "Pat"]
      let user = StoredUser(
        id: UserID(services.clock.makeID()), email: nil, profile: profile, createdAt: call.now, updatedAt: call.now,
        enteredBy: .federatedSignUp)
      let identity = ProviderIdentity(
        user: user.id, provider: "google", issuer: SigningProviders.google, subject: "g1", isExclusive: true,
        link: LinkedIdentity(provider: "google", scopes: [], linkedAt: call.now))
      try await services.store.open(call.tenant.id).commit(
        [.user(.insert(user, unique: [])), .provider(.link(identity))], as: .operator)
      let up = try await provided.google(app)
      #expect(up.status == 200, "\(up.text)")
      #expect(up.json.userID == user.id.text)
      try await body(provided, user.id.text, up.json)
    }
  }

  @Test("its user signs in by a provider, and answers leave the address out")
  func use() async throws {
    try await Self.run { provided, id, session in
      let (apps, client) = (provided.apps, provided.apps.messai)
      let user = try #require(session["user"])
      #expect(user["email"] == nil)
      #expect(user["email_verified"] == .bool(false))
      let me = try await apps.me(.messai, session.accessToken)
      #expect(me.status == 200)
      #expect(me.json.userID == id)
      #expect(me.json["user"]?["email"] == nil)
      #expect(try await apps.refresh(.messai, session.refreshToken).status == 200)
      // A second device: there is no contact that a notice could go to.
      let second = try await provided.google(.messai)
      #expect(second.status == 200)
      let devices = try await client.get("/v1/me/sessions", token: second.json.accessToken)
      #expect(devices.status == 200)
      #expect(try await apps.server.latestMails().isEmpty)
      let claims = try Token.claims(of: second.json.accessToken)
      #expect(claims["email_verified"] == .bool(false))
      let changed = try await client.send(
        "PATCH", "/v1/me", #"{"profile":{"displayName":"Other"}}"#, token: second.json.accessToken)
      #expect(changed.status == 200)
      let export = try await client.get("/v1/me/export", token: second.json.accessToken)
      #expect(export.status == 200)
      #expect(export.json["user"]?["email"] == nil)
      #expect(try await client.send("DELETE", "/v1/me", "{}", token: second.json.accessToken).status == 204)
      #expect(try await apps.me(.messai, session.accessToken).status == 401)
      #expect(try await apps.server.latestMails().isEmpty)
    }
  }

  @Test("operators list, show, change, unlock and erase it by its id; mails to it are refused")
  func operators() async throws {
    try await Self.run { provided, id, _ in
      let (tenant, asOperator) = ("messai", provided.apps.asOperator)
      _ = try await provided.apps.signUp(.messai, "kay")
      let list = try await ListUsers.run(.init(tenant: tenant), asOperator).items
      #expect(list.first { $0.id == id }.map { $0.email == nil } == true)
      #expect(list.count == 2)
      let found = try await ListUsers.run(.init(tenant: tenant, query: "kay"), asOperator).items
      #expect(found.map(\.email) == [App.messai.email("kay")])
      let shown = try await ShowUser.run(.init(tenant: tenant, user: id), asOperator)
      #expect(shown.email == nil)
      _ = try await SetUser.run(
        .init(tenant: tenant, user: id, profile: ["displayName": .string("Kim")]), asOperator)
      _ = try await UnlockUser.run(.init(tenant: tenant, user: id), asOperator)
      _ = try await RevokeSessions.run(.init(tenant: tenant, user: id), asOperator)
      await #expect(throws: OperatorError.self) {
        try await SendUserReset.run(.init(tenant: tenant, user: id), asOperator)
      }
      await #expect(throws: OperatorError.self) {
        try await VerifyUserEmail.run(.init(tenant: tenant, user: id), asOperator)
      }
      let erased = try await EraseUser.run(.init(tenant: tenant, user: id), asOperator)
      #expect(erased.email == nil)
      #expect(try await ListUsers.run(.init(tenant: tenant), asOperator).items.count == 1)
    }
  }

  @Test("there is nothing to verify or to reset, and an address that its user gives is proven by its mail")
  func address() async throws {
    try await Self.run { provided, id, session in
      let (apps, client) = (provided.apps, provided.apps.messai)
      let refused = try await client.post("/v1/email-verification", "{}", token: session.accessToken)
      #expect(refused.status == 409)
      #expect(refused.code == "conflict")
      let proof = try await client.post("/v1/reauthenticate/code", "{}", token: session.accessToken)
      #expect(proof.code == "reauthentication_required")
      let asked = try await client.post("/v1/me/email", #"{"email":"pat@example.com"}"#, token: session.accessToken)
      #expect(asked.status == 202, "\(asked.text)")
      let code = try #require(try await apps.server.latestMail(to: "pat@example.com")?.code)
      let confirmed = try await client.post(
        "/v1/email-change/confirm", #"{"email":"pat@example.com","code":"\#(code)"}"#, token: session.accessToken)
      #expect(confirmed.status == 200, "\(confirmed.text)")
      #expect(confirmed.json["user"]?["email"] == .string("pat@example.com"))
      #expect(confirmed.json["user"]?["email_verified"] == .bool(true))
      #expect(confirmed.json.userID == id)
    }
  }

  @Test("where a policy wants a proven address, the step is to give one")
  func step() async throws {
    try await Self.run(.ride) { _, _, session in
      #expect(session.next == ["change_email"])
    }
  }
}
