import GatehouseAdminWire
import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("What a refresh asks again")
struct RefreshTests {
  /// Events of the audit trail that name a session, newest first.
  private func events(_ apps: ThreeApps, _ app: App) async throws -> [AuditEntry] {
    let call = try await apps.operatorCall(app)
    return try await apps.server.services.store.open(call.tenant.id).audit(AuditQuery(), limit: 50)
  }

  @Test("T053 a replay after the grace ends the newest descendant at once, and the trail says so")
  func replay() async throws {
    try await ThreeApps.run { apps in
      let first = try await apps.rider()
      var newest = first.refreshToken
      for _ in 0..<3 {
        apps.server.clock.advance(seconds: 31)
        newest = try await apps.refresh(.ride, newest).json.refreshToken
      }
      let access = try await apps.refresh(.ride, newest).json
      #expect(try await apps.refresh(.ride, first.refreshToken).code == "session_revoked")
      for token in [newest, access.refreshToken, first.refreshToken] {
        #expect(try await apps.refresh(.ride, token).code == "session_revoked")
      }
      #expect(try await apps.me(.ride, access.accessToken).code == "session_revoked")
      let reuse = try await events(apps, .ride).filter { $0.event == .tokenReused }
      #expect(reuse.first?.session?.text == first["session"]?["id"]?.string)
    }
  }

  @Test("a session of another client, such as one of a later build, is of no use to the app")
  func otherClient() async throws {
    try await ThreeApps.run { apps in
      let first = try await apps.rider()
      let spent = first.refreshToken
      let session = try await apps.refresh(.ride, spent).json
      func belongs(to client: String) async throws {
        try await apps.server.storage.runAsSuperuser(script: "UPDATE gatehouse.session SET client = '\(client)'")
      }
      try await belongs(to: "later")
      for token in [spent, session.refreshToken] {
        #expect(try await apps.refresh(.ride, token).code == "refresh_token_invalid")
      }
      #expect(try await apps.me(.ride, session.accessToken).code == "session_revoked")
      // Nothing was spent, and nothing ended.
      try await belongs(to: "app")
      #expect(try await apps.me(.ride, session.accessToken).status == 200)
      #expect(try await apps.refresh(.ride, session.refreshToken).status == 200)
    }
  }

  @Test(
    "T057 a user disabled, deleted or with a new password gets no refresh on any server", arguments: App.allCases)
  func user(app: App) async throws {
    try await ThreeApps.run { one in
      try await one.withSibling { other in
        func signUp(_ name: String) async throws -> String { try await one.signUp(app, name).json.refreshToken }
        let disabled = try await signUp("ann")
        try await Operator.disable(app, "ann", one)
        let refused = try await other.refresh(app, disabled).code
        #expect(refused == "account_disabled")  // and not what disabling did to the session
        try await Operator.disable(app, "ann", one, disabled: false)
        #expect(try await other.refresh(app, disabled).code == "session_revoked")  // it does not come back

        let deleted = try await one.signUp(app, "bob").json
        let gone = try await one.client(app).send("DELETE", "/v1/me", "{}", token: deleted.accessToken)
        #expect(gone.status == 204)
        #expect(try await other.refresh(app, deleted.refreshToken).code == "session_revoked")

        let first = try await signUp("cat")
        let second = try await one.signIn(app, "cat").json
        let change = #"{"current_password":"\#(App.password)","password":"\#(App.otherPassword)"}"#
        #expect(try await one.client(app).post("/v1/me/password", change, token: second.accessToken).status == 200)
        #expect(try await other.refresh(app, first).code == "session_revoked")
        #expect(try await other.refresh(app, second.refreshToken).status == 200)
      }
    }
  }

  @Test(
    "a device of an account that was deleted elsewhere learns that its session is over, whichever way the account went")
  func erased() async throws {
    try await ThreeApps.share { apps in
      let ways: [(name: String, delete: @Sendable (JSONValue) async throws -> Void)] = [
        (
          "by themselves",
          { first async throws in
            #expect(try await apps.messai.send("DELETE", "/v1/me", "{}", token: first.accessToken).status == 204)
          }
        ),
        (
          "by an operator",
          { first async throws in
            _ = try await DeleteUser.run(.init(tenant: "messai", user: first.userID), apps.asOperator)
          }
        ),
      ]
      for (number, way) in ways.enumerated() {
        let first = try await apps.signUp(.messai, "erased\(number)").json
        let spent = try await apps.signIn(.messai, "erased\(number)").json.refreshToken
        let newest = try await apps.refresh(.messai, spent).json.refreshToken
        try await way.delete(first)
        for token in [first.refreshToken, spent, newest] {
          #expect(try await apps.refresh(.messai, token).code == "session_revoked", "\(way.name)")
        }
        // Another tenant's client learns nothing.
        #expect(try await apps.refresh(.vibes, newest).code == "refresh_token_invalid", "\(way.name)")
      }
    }
  }

  @Test("T050 T057 a tenant that is switched off or deleted refuses, on the server that was not told as well")
  func tenant() async throws {
    try await ThreeApps.run { one in
      try await one.withSibling { other in
        let token = try await one.signUp(.vibes).json.refreshToken
        _ = try await SetTenant.run(.init(tenant: "vibes", enabled: false), one.asOperator)
        // It asks for each of them with a token that is worth nothing, so that none is spent by asking too early.
        let off = try await eventually { try await other.refresh(.vibes, "x").code == "tenant_disabled" }
        #expect(off)
        #expect(try await other.refresh(.vibes, token).code == "tenant_disabled")
        _ = try await SetTenant.run(.init(tenant: "vibes", enabled: true), one.asOperator)
        let on = try await eventually { try await other.refresh(.vibes, "x").code == "refresh_token_invalid" }
        #expect(on)
        let next = try await other.refresh(.vibes, token)
        #expect(next.status == 200)
        _ = try await SetTenant.run(.init(tenant: "vibes", enabled: false), one.asOperator)
        _ = try await DeleteTenant.run(.init(tenant: "vibes"), one.asOperator)
        let gone = try await eventually { try await other.refresh(.vibes, "x").code == "tenant_not_found" }
        #expect(gone)
        #expect(try await other.refresh(.vibes, next.json.refreshToken).code == "tenant_not_found")
      }
    }
  }

  @Test(
    "T057 a policy that shortens lifetimes binds sessions that were opened before; one that lengthens them does not")
  func policy() async throws {
    try await ThreeApps.run { apps in
      let text = PolicyText.withoutTests(try TestLists.policy("dd-ride"))
      func lifetimes(_ idle: String, _ whole: String) -> String {
        text.replacing(
          "refresh_idle_ttl: 60d, refresh_max_ttl: 365d", with: "refresh_idle_ttl: \(idle), refresh_max_ttl: \(whole)")
      }
      func apply(_ idle: String, _ whole: String) async throws {
        _ = try await apps.server.apply(
          lifetimes(idle, whole), to: "dd-ride", allowsWeaker: true, allowsLockout: true)
        try await apps.reload()
      }
      let idle = try await apps.rider("idle@ksu.edu").refreshToken
      var busy = try await apps.rider("busy@ksu.edu").refreshToken
      apps.server.clock.advance(seconds: 2 * 86_400)
      busy = try await apps.refresh(.ride, busy).json.refreshToken
      try await apply("1d", "365d")
      #expect(try await apps.refresh(.ride, idle).code == "refresh_token_invalid")
      let next = try await apps.refresh(.ride, busy)
      #expect(next.status == 200 && next.json["policy"]?["revision"] == .integer(2))
      try await apply("1d", "1d")
      #expect(try await apps.refresh(.ride, next.json.refreshToken).code == "refresh_token_invalid")

      let short = try await apps.rider("short@ksu.edu").refreshToken
      try await apply("60d", "365d")
      apps.server.clock.advance(seconds: 86_401)
      #expect(try await apps.refresh(.ride, short).code == "refresh_token_invalid")
    }
  }

  @Test("T057 what the policy asks of a person is asked at each refresh: access and next steps are today's")
  func standing() async throws {
    try await ThreeApps.share { apps in
      let up = try await apps.signUp(.ride).json
      #expect(up["access"] == .string("limited"))
      try await Operator.verify(.ride, "pat", apps)
      let next = try await apps.refresh(.ride, up.refreshToken).json
      #expect(next["access"] == .string("full") && next.next.isEmpty)
    }
  }

  @Test("T058 nothing but the token itself is asked or taken: no scope, audience or client can be added")
  func extras() async throws {
    try await ThreeApps.share { apps in
      let token = try await apps.rider().refreshToken
      for extra in [#""scope":"admin""#, #""audience":"other""#, #""client_id":"vibes""#, #""access":"full""#] {
        let refused = try await apps.ride.post("/v1/token", #"{"refresh_token":"\#(token)",\#(extra)}"#)
        #expect(refused.status == 400 && refused.code == "malformed_request", "\(extra)")
      }
      #expect(try await apps.refresh(.ride, token).status == 200)
    }
  }
}
