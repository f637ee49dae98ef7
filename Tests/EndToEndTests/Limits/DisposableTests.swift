import Foundation
import GatehouseIdentity
import GatehousePolicyFile
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Addresses at throw-away mail services")
struct DisposableTests {
  private static let policy = """
    schema: gatehouse/policy.v1
    tenant: acme
    app: {name: Acme, locales: [en]}
    identifiers: {sign_in_with: [email], email: {normalize: lowercase}}
    password: {rules: [{id: length, min_length: 8}]}
    providers: {password: {use: sign_in}}
    privacy: {account_exists: reveal}

    """
  private static let denying = policy.replacing(
    "{normalize: lowercase}", with: "{normalize: lowercase, deny_disposable: true}")

  private func run(
    _ text: String, lists: [String] = TestLists.names, _ body: (TestClient, TestServer) async throws -> Void
  ) async throws {
    let server = try await TestServer.start(policies: ["acme": text], lists: lists)
    do {
      try await body(TestClient(server.url + "/t/acme"), server)
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  @Test(
    "they are refused at sign-up, in any case and at any subdomain",
    arguments: ["a@mailinator.com", "a@MAILINATOR.com", "a@x.y.mailinator.com", "a@yopmail.com"])
  func signUp(address: String) async throws {
    try await run(Self.denying) { client, _ async throws in
      let up = try await client.post("/v1/sign-up", #"{"email":"\#(address)","password":"\#(App.password)"}"#)
      #expect(up.status == 422 && up.rules == ["email.deny_disposable"], "\(up.text)")
    }
  }

  @Test("a person cannot move to one, and an operator cannot make an account there")
  func otherDoors() async throws {
    try await run(Self.denying) { client, server async throws in
      let up = try await client.post("/v1/sign-up", #"{"email":"pat@example.com","password":"\#(App.password)"}"#)
      #expect(up.status == 201, "\(up.text)")
      let move = #"{"email":"pat@yopmail.com","password":"\#(App.password)"}"#
      let moved = try await client.post("/v1/me/email", move, token: up.json.accessToken)
      #expect(moved.status == 422 && moved.rules == ["email.deny_disposable"], "\(moved.text)")
      await #expect(throws: Refusal.self) {
        try await Operator.create("kay@grr.la", in: "acme", server)
      }
    }
  }

  @Test(
    "without the list a policy that asks for it is neither applied nor makes a tenant; the sentence says what to do")
  func missing() async throws {
    try await run(Self.policy, lists: ["common", "breached"]) { _, server async throws in
      do {
        _ = try await server.apply(Self.denying, to: "acme")
        Issue.record("it was applied")
      } catch let error as OperatorError {
        #expect(error.description.contains("deny_disposable") && error.hint?.contains("disposable.txt") == true)
      }
      await #expect(throws: OperatorError.self) {
        try await server.makeTenant("other", Self.denying.replacing("tenant: acme", with: "tenant: other"))
      }
      // Negative control: a rule that is off asks for nothing.
      let off = Self.policy.replacing(
        "{normalize: lowercase}", with: "{normalize: lowercase, deny_disposable: {value: true, enforce: off}}")
      #expect(try await server.apply(off, to: "acme") == .applied(revision: 2))
    }
  }

  @Test("a stored revision whose list went refuses, and the trail says why")
  func vanished() async throws {
    let first = try await TestServer.start(policies: ["acme": Self.denying])
    let second = try await first.sibling(lists: ["common", "breached"])
    do {
      let client = TestClient(second.url + "/t/acme")
      let up = try await client.post("/v1/sign-up", #"{"email":"pat@example.com","password":"\#(App.password)"}"#)
      #expect(up.status == 422 && up.rules == ["email.deny_disposable"], "\(up.text)")
      let tenant = try await Tenants.find("acme", second.services).id
      let rows = try await second.services.store.open(tenant).audit(
        AuditQuery(event: AuditEvent.listMissing.rawValue), limit: 10)
      #expect(rows.map { $0.details["rule"] } == ["email.deny_disposable"])
    } catch {
      await second.stop()
      await first.stop()
      throw error
    }
    await second.stop()
    await first.stop()
  }
}
