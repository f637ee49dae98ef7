import Foundation
import GatehouseAssembly
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseAdminWire
import GatehouseWire
import Testing

extension ThreeApps {
  fileprivate func register(_ token: String, _ platform: String, for session: JSONValue) async throws {
    let body = #"{"push_token":"\#(token)","platform":"\#(platform)"}"#
    let kept = try await messai.send("PUT", "/v1/me/sessions/current/push-token", body, token: session.accessToken)
    #expect(kept.status == 204)
  }

  fileprivate func tokens(
    of users: [String], in tenant: String = "messai", limit: Int? = nil, cursor: String? = nil
  ) async throws -> ListPushTokensOperation.Output {
    try await AdminRoutes.run(
      ListPushTokensOperation.self, .init(tenant: tenant, users: users, limit: limit, cursor: cursor), asOperator)
  }

  fileprivate func remove(_ token: String, of user: String, in tenant: String = "messai") async throws -> Int {
    try await AdminRoutes.run(
      RemovePushTokenOperation.self, .init(tenant: tenant, user: user, token: token), asOperator
    )
    .removed
  }

  fileprivate func trail(_ event: AuditEvent) async throws -> [[String: String]] {
    try await AdminRoutes.run(
      SearchAuditOperation.self, .init(tenant: "messai", event: event.rawValue), asOperator
    ).items.map(\.details)
  }
}

@Suite("Push tokens, as an app's backend reads them")
struct PushTokenTests {
  /// Al with a phone and a tablet, each with its token, and bo with none.
  private func run(
    _ replaced: (String, String) = ("", ""),
    _ body: (ThreeApps, _ al: JSONValue, _ tablet: JSONValue) async throws -> Void
  ) async throws {
    try await ThreeApps.run(policy: { app, text in
      app == .messai && !replaced.0.isEmpty ? text.replacing(replaced.0, with: replaced.1) : text
    }) { apps async throws in
      let al = try await apps.signUp(.messai, "al").json
      let tablet = try await apps.signIn(.messai, "al").json
      try await apps.register("phone-token", "apns", for: al)
      try await apps.register("tablet-token", "fcm", for: tablet)
      try await body(apps, al, tablet)
    }
  }

  @Test("the tokens of a person's living sessions come out as they went in, with their platform")
  func living() async throws {
    try await run { apps, al, _ async throws in
      let bo = try await apps.signUp(.messai, "bo").json
      let found = try await apps.tokens(of: [al.userID, bo.userID, UUID().uuidString.lowercased(), al.userID])
      #expect(
        Set(found.items) == [
          PushAddress(user: al.userID, platform: "apns", token: "phone-token"),
          PushAddress(user: al.userID, platform: "fcm", token: "tablet-token"),
        ])
      #expect(found.items.count == 2 && found.nextCursor == nil)
    }
  }

  @Test("a session that ended has no token any more", arguments: ["sign-out", "revoke", "disable", "delete"])
  func ended(how: String) async throws {
    try await run { apps, al, _ async throws in
      switch how {
      case "sign-out": #expect(try await apps.messai.post("/v1/sign-out", token: al.accessToken).status == 204)
      case "revoke": try await Operator.revoke(.messai, "al", apps)
      case "disable": try await Operator.disable(.messai, "al", apps)
      default: #expect(try await apps.messai.send("DELETE", "/v1/me", token: al.accessToken).status == 204)
      }
      let left = how == "sign-out" ? ["tablet-token"] : []
      #expect(try await apps.tokens(of: [al.userID]).items.map(\.token) == left)
    }
  }

  @Test("nor has one whose time ran out, though no request ended it")
  func expired() async throws {
    try await run(("refresh_idle_ttl: 90d", "refresh_idle_ttl: 1h")) { apps, al, tablet async throws in
      apps.server.clock.advance(seconds: 1800)
      #expect(try await apps.refresh(.messai, tablet.refreshToken).status == 200)
      apps.server.clock.advance(seconds: 1800)
      #expect(try await apps.tokens(of: [al.userID]).items.map(\.token) == ["tablet-token"])
    }
  }

  @Test("nor has one that a shorter policy ended")
  func shortened() async throws {
    try await run { apps, al, _ async throws in
      apps.server.clock.advance(seconds: 3601)
      let text = try TestLists.policy("messai").replacing("refresh_idle_ttl: 90d", with: "refresh_idle_ttl: 1h")
      _ = try await apps.server.apply(text, to: "messai")
      try await apps.reload()
      #expect(try await apps.tokens(of: [al.userID]).items.isEmpty)
    }
  }

  @Test("another tenant has nothing of them, whatever id it asks for or removes")
  func otherTenant() async throws {
    try await run { apps, al, _ async throws in
      #expect(try await apps.tokens(of: [al.userID], in: "vibes").items.isEmpty)
      #expect(try await apps.remove("phone-token", of: al.userID, in: "vibes") == 0)
      #expect(try await apps.tokens(of: [al.userID]).items.count == 2)
    }
  }

  @Test("a token that the push service rejected goes, once; the other one and the sessions stay")
  func removed() async throws {
    try await run { apps, al, _ async throws in
      #expect(try await apps.remove("phone-token", of: al.userID) == 1)
      #expect(try await apps.remove("phone-token", of: al.userID) == 0)
      #expect(try await apps.tokens(of: [al.userID]).items.map(\.token) == ["tablet-token"])
      #expect(try await apps.me(.messai, al.accessToken).status == 200)
      try await apps.register("newer-token", "apns", for: al)
      #expect(try await apps.remove("phone-token", of: al.userID) == 0)
      #expect(try await apps.tokens(of: [al.userID]).items.count == 2)
    }
  }

  @Test("a token that the app replaced while it was being removed stays")
  func replaced() async throws {
    try await run { apps, al, _ async throws in
      let tenant = try #require(apps.server.services.registry.snapshot("messai"))
      let store = apps.server.services.store.open(tenant.id)
      let user = try #require(UserID(text: al.userID))
      let stored = try await store.pushTokens(of: [user], under: tenant.policy.sessions, after: nil, limit: 10)
      try await apps.register("newer-token", "apns", for: al)
      let clock = apps.server.clock.clock
      let entry = AuditEntry(
        id: clock.makeID(), at: clock.now, event: .pushTokenRemoved, actor: "operator:test")
      #expect(try await store.removePushTokens(stored, of: user, noting: entry) == 1)
      #expect(try await apps.tokens(of: [al.userID]).items.map(\.token) == ["newer-token"])
    }
  }

  @Test(
    "T202 a device that changed hands is the account's that registered it last, also where an older build stored it")
  func changedHands() async throws {
    try await run { apps, al, _ async throws in
      let bo = try await apps.signUp(.messai, "bo").json
      try await apps.register("phone-token", "apns", for: bo)
      #expect(try await apps.tokens(of: [al.userID]).items.map(\.token) == ["tablet-token"])
      try await apps.server.storage.runAsSuperuser(script: "UPDATE gatehouse.session SET push_token_digest = NULL")
      _ = try await apps.server.round(of: .backfillPushDigests)
      try await apps.register("phone-token", "apns", for: al)
      #expect(try await apps.tokens(of: [bo.userID]).items.isEmpty)
      #expect(try await apps.tokens(of: [al.userID]).items.count == 2)
    }
  }

  @Test("a token of two sessions of a person is given once and removed from both")
  func twice() async throws {
    try await run { apps, al, tablet async throws in
      try await apps.register("phone-token", "apns", for: tablet)
      #expect(try await apps.tokens(of: [al.userID]).items.map(\.token) == ["phone-token"])
      #expect(try await apps.remove("phone-token", of: al.userID) == 2)
    }
  }

  @Test("pages hold each token once")
  func pages() async throws {
    try await run { apps, al, _ async throws in
      let bo = try await apps.signUp(.messai, "bo").json
      try await apps.register("bo-token", "fcm", for: bo)
      var tokens: [String] = []
      var cursor: String?
      repeat {
        let page = try await apps.tokens(of: [bo.userID, al.userID], limit: 1, cursor: cursor)
        tokens += page.items.map(\.token)
        cursor = page.nextCursor
      } while cursor != nil && tokens.count <= 3
      #expect(tokens.sorted() == ["bo-token", "phone-token", "tablet-token"])
    }
  }

  @Test("the trail has one row for each call, with the number of tokens and with none of them")
  func trail() async throws {
    try await run { apps, al, _ async throws in
      _ = try await apps.tokens(of: [al.userID])
      _ = try await apps.remove("phone-token", of: al.userID)
      _ = try await apps.remove("phone-token", of: al.userID)
      #expect(try await apps.trail(.pushTokensRead) == [["count": "2", "users": "1"]])
      #expect(try await apps.trail(.pushTokenRemoved) == [["count": "0"], ["count": "1"]])
    }
  }

  @Test("a malformed list of ids is refused, with the position of the error")
  func malformed() async throws {
    try await ThreeApps.share { apps async throws in
      let id = UUID().uuidString.lowercased()
      for (users, place) in [
        ([], "/users"), (Array(repeating: id, count: 1001), "/users"), ([id, "al@example.com"], "/users/1"),
      ] {
        let refusal = await #expect(throws: Refusal.self) { try await apps.tokens(of: users) }
        #expect(refusal?.code == .malformedRequest && refusal?.detail?.hasPrefix("\(place):") == true)
      }
      let cursor = await #expect(throws: Refusal.self) { try await apps.tokens(of: [id], cursor: "x") }
      #expect(cursor?.detail?.hasPrefix("/cursor") == true)
      let user = await #expect(throws: Refusal.self) { try await apps.remove("x", of: "al@example.com") }
      #expect(user?.detail?.hasPrefix("/user:") == true)
    }
  }

  @Test("over HTTP a token is removed by a body, and refused in a query, which logs would keep")
  func http() async throws {
    try await run { apps, al, _ async throws in
      let client = TestClient(apps.server.adminURL)
      let path = "/admin/v1/tenants/messai/push-tokens"
      let reader = try await apps.server.adminToken("reader", scopes: [.pushRead], tenants: ["messai"])
      let writer = try await apps.server.adminToken("writer", scopes: [.pushWrite], tenants: ["messai"])
      let found = try await client.post(path, #"{"users":["\#(al.userID)"]}"#, token: reader)
      #expect(found.json["items"]?.array?.first?.names == ["user", "platform", "token"])
      let body = #"{"user":"\#(al.userID)","token":"phone-token"}"#
      #expect(try await client.send("DELETE", path, body, token: reader).status == 403)
      let query = try await client.send("DELETE", path + "?user=\(al.userID)&token=phone-token", token: writer)
      #expect(query.status == 400 && query.json["detail"]?.string?.contains("body") == true)
      let removed = try await client.send("DELETE", path, body, token: writer)
      #expect(removed.status == 200 && removed.json["removed"] == .integer(1), "\(removed.text)")
      #expect(try await client.post(path, #"{"users":["\#(al.userID)"]}"#, token: writer).status == 200)
    }
  }

  @Test("the backend of docs/apps.md notifies, page by page, and removes what the push service rejects")
  func backend() async throws {
    try await run { apps, al, _ async throws in
      let text = try String(contentsOfFile: TestLists.root + "/docs/apps.md", encoding: .utf8)
      let code = try #require(text.components(separatedBy: "```python\n").last?.components(separatedBy: "```").first)
      let token = try await apps.server.adminToken("push", scopes: [.pushWrite], tenants: ["messai"])
      let file = TestFolder.path("push.token")
      try (token + "\n").write(toFile: file, atomically: true, encoding: .utf8)
      defer { try? FileManager.default.removeItem(atPath: file) }
      let settings = """
        import os
        os.environ.update(GATEHOUSE_SERVER="\(apps.server.adminURL)", TENANT="messai", TOKEN_FILE="\(file)")

        """
      let main = """
        def push(platform, token, message):
            print(platform, token, message)
            return token != "phone-token"

        notify(["\(al.userID)"], "hello", push)
        """
      let outcome = try Python.run(settings + code + "\n" + main)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(Set(outcome.output.split(separator: "\n")) == ["apns phone-token hello", "fcm tablet-token hello"])
      #expect(try await apps.tokens(of: [al.userID]).items.map(\.token) == ["tablet-token"])
    }
  }
}
