import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("A list of passwords that is not there")
struct MissingListTests {
  private static let policy = """
    schema: gatehouse/policy.v1
    tenant: acme
    app: {name: Acme, locales: [en]}
    identifiers: {sign_in_with: [email], email: {normalize: lowercase}}
    password:
      max_length: 128
      rules:
        - {id: length, min_length: 8}
        - {id: leaked, not_in: breached}
    profile: {unknown_fields: reject}
    providers: {password: {use: sign_in}}
    privacy: {account_exists: reveal}

    """

  private func run(
    fail: String?, lists: [String], _ body: (TestClient, TestServer) async throws -> Void
  ) async throws {
    let text = Self.policy.replacing(
      "not_in: breached}", with: "not_in: breached\(fail.map { ", fail: \($0)" } ?? "")}")
    let server = try await TestServer.start(policies: ["acme": text], lists: lists)
    do {
      try await body(TestClient(server.url + "/t/acme"), server)
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  private func events(_ server: TestServer) async throws -> [AuditEntry] {
    let tenant = try await Tenants.find("acme", server.services).id
    return try await server.services.store.open(tenant).audit(
      AuditQuery(event: AuditEvent.listMissing.rawValue), limit: 10)
  }

  private func signUp(_ name: String, _ password: String) -> String {
    #"{"email":"\#(name)@example.com","password":"\#(password)"}"#
  }

  @Test(
    "T008 without the list a rule refuses, or lets pass if it says so, quickly; the trail says which",
    arguments: [nil, "closed", "open"])
  func missing(fail: String?) async throws {
    try await run(fail: fail, lists: ["common"]) { client, server in
      let began = ContinuousClock.now
      let up = try await client.post("/v1/sign-up", signUp("pat", App.password))
      #expect(ContinuousClock.now - began < .seconds(5), "nothing is waited for")
      if fail == "open" {
        #expect(up.status == 201, "\(up.text)")
        // A change asks as well; what else the policy wants still holds.
        let change = #"{"current_password":"\#(App.password)","password":"\#(App.otherPassword)"}"#
        #expect(try await client.post("/v1/me/password", change, token: up.json.accessToken).status == 200)
        let short = try await client.post("/v1/sign-up", signUp("kay", "kt49xw"))
        #expect(short.rules == ["password.length"])
      } else {
        #expect(up.status == 422 && up.rules == ["password.leaked"])
      }
      let rows = try await events(server)
      #expect(rows.count == 1 && rows.first?.details["rule"] == "password.leaked")
      #expect(rows.first?.details["fail"] == fail ?? "closed" && rows.first?.event.outcome == "failure")
      #expect(rows.first?.details.values.contains { $0.contains(App.password) } == false)
      // However often it is asked for: one row a minute, which says how many came since.
      for number in 0..<5 { _ = try await client.post("/v1/sign-up", signUp("p\(number)", App.password)) }
      #expect(try await events(server).count == 1)
      server.clock.advance(seconds: 61)
      _ = try await client.post("/v1/sign-up", signUp("later", App.password))
      let later = try await events(server)
      #expect(later.count == 2 && later.contains { Int($0.details["suppressed"] ?? "") ?? 0 >= 5 })
    }
  }

  @Test(
    "T008 with the list a leaked password is refused, whatever the rule says of a missing one",
    arguments: ["closed", "open"])
  func there(fail: String) async throws {
    try await run(fail: fail, lists: TestLists.names) { client, server in
      let leaked = try await client.post("/v1/sign-up", signUp("pat", "password1"))
      #expect(leaked.status == 422 && leaked.rules == ["password.leaked"], "\(leaked.text)")
      #expect(try await client.post("/v1/sign-up", signUp("pat", App.password)).status == 201)
      #expect(try await events(server).isEmpty)
    }
  }
}
