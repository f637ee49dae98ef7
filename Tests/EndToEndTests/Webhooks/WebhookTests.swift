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

/// Signatures checked by a library that is not ours: `standardwebhooks` of PyPI.
private enum Receiver {
  private static let script = """
    import base64, json, sys
    sys.path.insert(0, sys.argv[1])
    import standardwebhooks.webhooks as library
    from datetime import datetime, timezone
    given = json.load(sys.stdin)
    now = datetime.fromtimestamp(given["now"], tz=timezone.utc)
    # The library's idea of the present is the test's.
    class Clock(datetime):
        @classmethod
        def now(cls, tz=None):
            return now
    library.datetime = Clock
    try:
        library.Webhook(given["secret"]).verify(base64.b64decode(given["body"]), given["headers"])
        print("verified", end="")
    except library.WebhookVerificationError as error:
        print("refused:", error, end="")
    """

  static func verdict(
    _ received: HTTPSPeer.Received, secret: String, at now: Date, body: [UInt8]? = nil
  ) throws -> String {
    var headers = JSONObject()
    for (name, value) in received.headers where name.lowercased().hasPrefix("webhook-") {
      headers[name.lowercased()] = .string(value)
    }
    let input = JSONValue.object([
      "secret": .string(secret), "headers": .object(headers), "now": .integer(Int64(now.timeIntervalSince1970)),
      "body": .string(Data(body ?? received.body).base64EncodedString()),
    ])
    let outcome = try Python.run(
      script, [TestLists.root + "/.build/python"], input: String(decoding: input.bytes, as: UTF8.self))
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output
  }
}

@Suite("Webhooks")
struct WebhookTests {
  /// Three apps, a peer, and one webhook of an app's there.
  private func run(
    _ app: App = .messai, events: [WebhookEvent] = WebhookEvent.allCases, fields: [String] = [],
    _ body: (ThreeApps, HTTPSPeer, WebhookEndpoint, String) async throws -> Void
  ) async throws {
    let peer = try await HTTPSPeer.start(tls: false)
    try await ThreeApps.run { apps in
      let made = try await create(app, peer.url("/hook"), events, fields: fields, apps)
      try await body(apps, peer, made.endpoint, made.secret.expose { $0 })
    }
  }

  private func create(
    _ app: App, _ url: String, _ events: [WebhookEvent], fields: [String] = [], _ apps: ThreeApps
  ) async throws -> (endpoint: WebhookEndpoint, secret: Secret<String>) {
    let made = try await CreateWebhook.run(
      .init(tenant: app.rawValue, url: url, events: events.map(\.rawValue), fields: fields), apps.asOperator)
    let endpoint = try await Webhooks.find(
      try #require(made.item?.id), in: try await apps.operatorCall(app), apps.server.services)
    return (endpoint, Secret(try #require(made.secret)))
  }

  private func type(_ received: HTTPSPeer.Received) throws -> String? {
    try JSONParser.parse(received.body)["type"]?.string
  }

  /// What the endpoint is by now.
  private func now(_ endpoint: WebhookEndpoint, _ app: App, _ apps: ThreeApps) async throws -> WebhookEndpoint {
    try await Webhooks.find(endpoint.id.text, in: try await apps.operatorCall(app), apps.server.services)
  }

  @Test("T206 a field that an earlier version let a policy call id does not stand for the user's id")
  func ownID() async throws {
    try await run(.messai) { apps, _, endpoint, _ in
      var endpoint = endpoint
      endpoint.fields = ["id", "displayName", "email"]
      let now = apps.server.clock.now
      let user = StoredUser(
        id: UserID(UUID()), email: "ann@example.com",
        profile: ["id": .string("another"), "displayName": .string("Ann")],
        createdAt: now, updatedAt: now)
      let delivery = WebhookDelivery(
        id: UUID(), endpoint: endpoint.id, event: .userCreated, user: user.id, revision: 1, at: now, attempts: 0)
      let tenant = try #require(apps.server.services.registry.snapshot("messai"))
      let message = try WebhookMessage.make(delivery, to: endpoint, about: user, tenant, at: now)
      let said = try JSONParser.parse(message.body)["data"]?["user"]
      #expect(said?["id"]?.string == user.id.text && said?["displayName"]?.string == "Ann")
    }
  }

  @Test("a webhook leaves in the trace of the request that caused it, and one of an untraced request in none")
  func trace() async throws {
    try await run(events: [.userCreated]) { apps, peer, _, _ in
      let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
      let body = App.messai.signUp("traced")
      let traced = try await apps.client(.messai).send("POST", "/v1/sign-up", body, headers: ["traceparent": parent])
      #expect(traced.status == 201)
      while try await apps.server.deliverWebhooks() > 0 {}
      #expect(try await peer.next().header("traceparent") == parent)
      _ = try await apps.signUp(.messai, "untraced")
      while try await apps.server.deliverWebhooks() > 0 {}
      #expect(try await peer.next().header("traceparent") == nil)
    }
  }

  @Test(
    "each thing that happens is told once, signed so that a library of another make verifies it",
    arguments: App.allCases)
  func events(app: App) async throws {
    try await run(app) { apps, peer, _, secret in
      let up = try await apps.signUp(app).json
      let code = try #require(try await apps.server.latestMail(to: app.email())?.code)
      let confirm = #"{"email":"\#(app.email())","code":"\#(code)"}"#
      _ = try await apps.client(app).post("/v1/email-verification/confirm", confirm, token: up.accessToken)
      let session = try await apps.signIn(app).json
      let text = PolicyText.withoutTests(try TestLists.policy(app.rawValue))
      _ = try await apps.server.apply(
        text.replacing("max_per_user: ", with: "max_per_user: 1"), to: app.rawValue, allowsWeaker: true)
      try await Operator.disable(app, "pat", apps)
      try await Operator.disable(app, "pat", apps, disabled: false)
      let fresh = try await apps.signIn(app).json
      #expect(try await apps.client(app).send("DELETE", "/v1/me", "{}", token: fresh.accessToken).status == 204)
      #expect(session.userID == up.userID)
      while try await apps.server.deliverWebhooks() > 0 {}
      var seen: [String: HTTPSPeer.Received] = [:]
      var ids: Set<String> = []
      for _ in 0..<7 {
        let received = try await peer.next()
        #expect(received.method == "POST" && received.path == "/hook")
        #expect(received.header("Content-Type") == "application/json")
        let said = try JSONParser.parse(received.body)
        let type = try #require(said["type"]?.string)
        seen[type] = received
        ids.insert(received.header("webhook-id") ?? "")
        let user = type == "policy.applied" ? nil : up.userID
        #expect(said["data"]?["user"]?["id"]?.string == user)
        #expect(said["data"]?["tenant"] == .string(app.rawValue))
        #expect(said.names == ["type", "timestamp", "data"])
        #expect(said["data"]?["user"]?.names ?? ["id"] == ["id"])
        #expect(try Receiver.verdict(received, secret: secret, at: apps.server.clock.now) == "verified")
      }
      #expect(
        Set(seen.keys)
          .union(
            [WebhookEvent.userLinkBroken, .userRestored, .userErased, .userFactorAdded, .userFactorRemoved].map(
              \.rawValue))
          == Set(WebhookEvent.allCases.map(\.rawValue))
          && ids.count == 7)
      let policy = try JSONParser.parse(try #require(seen["policy.applied"]).body)
      #expect(policy["data"]?["policy"]?["revision"] == .integer(2))
      #expect(peer.waiting == 0)
      // Nothing of the person but an id.
      for received in seen.values {
        let text = String(decoding: received.body, as: UTF8.self)
        #expect(!text.contains(app.email()) && !text.contains("gh_"))
      }
    }
  }

  @Test("the library refuses another body, another secret, another id and an old message")
  func forged() async throws {
    try await run { apps, peer, _, secret in
      _ = try await apps.signUp(.messai)
      try await apps.server.deliverWebhooks()
      let received = try await peer.next()
      let now = apps.server.clock.now
      #expect(try Receiver.verdict(received, secret: secret, at: now) == "verified")
      let others: [String] = [
        try Receiver.verdict(received, secret: secret, at: now, body: received.body + [0x20]),
        try Receiver.verdict(received, secret: "whsec_" + Data(repeating: 7, count: 32).base64EncodedString(), at: now),
        try Receiver.verdict(received, secret: secret, at: now.addingTimeInterval(301)),
      ]
      #expect(others.allSatisfy { $0.hasPrefix("refused") }, "\(others)")
    }
  }

  @Test("a failed message is sent again, later each time, under the same id and freshly signed, until it works")
  func retries() async throws {
    try await run(events: [.userCreated]) { apps, peer, endpoint, secret in
      try await peer.answer("/hook", 500, times: 2)
      try await peer.answer("/hook", 429, headers: ["Retry-After": "700"], times: 1)
      try await peer.answer("/hook", 302, headers: ["Location": peer.url("/elsewhere")], times: 1)
      _ = try await apps.signUp(.messai)
      var ids: [String?] = []
      for wait in [0.0, 5, 30, 700, 600] {
        if wait > 0 {
          apps.server.clock.advance(seconds: wait - 1)
          let early = try await apps.server.deliverWebhooks()
          #expect(early == 0, "\(wait)")
          apps.server.clock.advance(seconds: 1)
        }
        let sent = try await apps.server.deliverWebhooks()
        #expect(sent == 1)
        let received = try await peer.next()
        ids.append(received.header("webhook-id"))
        #expect(received.path == "/hook")
        #expect(try Receiver.verdict(received, secret: secret, at: apps.server.clock.now) == "verified")
      }
      #expect(Set(ids).count == 1)
      let after = try await now(endpoint, .messai, apps)
      #expect(after.failingSince == nil && after.lastSuccessAt == apps.server.clock.now)
      apps.server.clock.advance(seconds: 86_400)
      let more = try await apps.server.deliverWebhooks()
      #expect(more == 0 && peer.waiting == 0)
    }
  }

  @Test("an endpoint that fails for three days is switched off with an audit row; one that answers 410 at once")
  func dead() async throws {
    try await run(events: [.userCreated]) { apps, peer, endpoint, _ in
      try await peer.answer("/hook", 404)
      _ = try await apps.signUp(.messai)
      for _ in 0..<20 {
        try await apps.server.deliverWebhooks()
        apps.server.clock.advance(seconds: 4 * 3600)
      }
      _ = try await apps.signUp(.messai, "kay")
      try await apps.server.deliverWebhooks()
      var after = try await now(endpoint, .messai, apps)
      #expect(after.disabledReason == "failing" && after.disabledAt != nil && after.lastError == "answered 404")
      let store = apps.server.services.store.open(try await apps.operatorCall(.messai).tenant.id)
      let rows = try await store.audit(AuditQuery(event: AuditEvent.webhookDisabled.rawValue), limit: 10)
      #expect(rows.count == 1 && rows[0].details["reason"] == "failing" && rows[0].actor == "system:deliver_webhooks")
      _ = try await apps.signUp(.messai, "lou")
      #expect(try await store.webhookBacklog() == [:])
      _ = try await EnableWebhook.run(.init(tenant: "messai", webhook: after.id.text), apps.asOperator)
      try await peer.answer("/hook", 410)
      _ = try await apps.signUp(.messai, "max")
      try await apps.server.deliverWebhooks()
      after = try await now(endpoint, .messai, apps)
      #expect(after.disabledReason == "gone")
    }
  }

  @Test("a rotated secret signs beside the one before for a day, then alone")
  func rotation() async throws {
    try await run(events: [.userCreated]) { apps, peer, endpoint, old in
      let new = try await RotateWebhookSecret.run(
        .init(tenant: "messai", webhook: endpoint.id.text), apps.asOperator
      ).secret
      #expect(new != old && new.hasPrefix("whsec_"))
      for (local, wait, known) in [("pat", 86_399.0, true), ("kay", 1.0, false)] {
        apps.server.clock.advance(seconds: wait)
        _ = try await apps.signUp(.messai, local)
        try await apps.server.deliverWebhooks()
        let received = try await peer.next()
        let now = apps.server.clock.now
        #expect(try Receiver.verdict(received, secret: new, at: now) == "verified")
        #expect(try (Receiver.verdict(received, secret: old, at: now) == "verified") == known)
      }
    }
  }

  @Test("what an endpoint is told of a person are the fields it was made with, as they are when it is sent")
  func fields() async throws {
    try await run(events: [.userCreated, .userDeleted], fields: ["email", "displayName", "photoURL"]) {
      apps, peer, _, _ in
      let up = try await apps.signUp(.messai).json
      _ = try await apps.messai.send(
        "PATCH", "/v1/me", #"{"profile":{"displayName":"Patricia"}}"#, token: up.accessToken)
      try await apps.server.deliverWebhooks()
      let told = try JSONParser.parse(try await peer.next().body)["data"]?["user"]
      #expect(told?["email"] == .string(App.messai.email()) && told?["displayName"] == .string("Patricia"))
      #expect(told?.names == ["id", "email", "displayName"])
      _ = try await apps.messai.send("DELETE", "/v1/me", "{}", token: up.accessToken)
      try await apps.server.deliverWebhooks()
      let gone = try JSONParser.parse(try await peer.next().body)
      #expect(gone["type"] == .string("user.deleted") && gone["data"]?["user"]?.names == ["id"])
    }
  }

  @Test("a transaction that is rolled back sends nothing, and one app's webhook hears nothing of another's people")
  func causes() async throws {
    try await run { apps, peer, _, _ in
      _ = try await apps.signUp(.messai)
      #expect(try await apps.signUp(.messai).code == "account_exists")
      _ = try await apps.signUp(.vibes)
      _ = try await apps.signUp(.ride)
      let first = try await apps.server.deliverWebhooks()
      let second = try await apps.server.deliverWebhooks()
      #expect(first == 1 && second == 0)
      let received = try await peer.next()
      let said = try type(received)
      #expect(said == "user.created")
    }
  }

  @Test("T102 nothing is sent to this machine outside of development, and no such endpoint is made")
  func guarded() async throws {
    let peer = try await HTTPSPeer.start()
    let policies = ["messai": try TestLists.policy("messai")]
    let server = try await TestServer.start(
      policies: policies, outbound: OutboundHTTP.Settings(caFile: peer.certificate))
    let apps = ThreeApps(server)
    do {
      for url in [
        "https://127.0.0.1:\(peer.port)/", "http://localhost:\(peer.port)/", "https://[::1]/",
        "https://169.254.169.254/",
        "https://10.0.0.1/", "ftp://example.com/", "https://u:p@example.com/",
      ] {
        await #expect(throws: OperatorError.self) { _ = try await create(.messai, url, [.userCreated], apps) }
      }
      // A name says nothing of where it leads: that is seen when it is connected to.
      let made = try await create(.messai, peer.url("/"), [.userCreated], apps)
      _ = try await apps.signUp(.messai)
      try await server.deliverWebhooks()
      let after = try await now(made.endpoint, .messai, apps)
      #expect(after.lastError == "the address is not a public one" && peer.connections == 0)
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  @Test("one app's dead endpoint delays neither another's messages nor mails")
  func apart() async throws {
    let peer = try await HTTPSPeer.start(tls: false)
    try await ThreeApps.share { apps in
      _ = try await create(.messai, peer.url("/silent"), [.userCreated], apps)
      _ = try await create(.vibes, peer.url("/lively"), [.userCreated], apps)
      for number in 0..<12 { _ = try await apps.signUp(.messai, "p\(number)") }
      let server = apps.server
      let looked = LockBox(0)
      let working = Task {
        await server.keepDeliveringWebhooks {
          looked.withLock { $0 += 1 }
          await Task.yield()
        }
      }
      // The dead ones are under way before the lively one is even written.
      while try await peer.next().path != "/silent" {}
      let began = ContinuousClock.now
      _ = try await apps.signUp(.vibes)
      #expect(try await apps.server.mailCount(to: App.vibes.email()) == 1)
      while try await peer.next().path != "/lively" {}
      #expect(ContinuousClock.now - began < .seconds(2.5))
      working.cancel()
      await working.value
      #expect(looked.withLock { $0 } > 0)
    }
  }

  @Test("two servers on one database tell of each thing once")
  func replicas() async throws {
    try await run(events: [.userCreated]) { one, peer, _, _ in
      try await one.withSibling { other in
        for number in 0..<8 { _ = try await one.signUp(.messai, "p\(number)") }
        let servers = [one.server, other.server]
        let counts = try await atOnce(6) { try await servers[$0 % 2].deliverWebhooks() }
        while try await one.server.deliverWebhooks() > 0 {}
        var ids: Set<String> = []
        for _ in 0..<8 { ids.insert(try await peer.next().header("webhook-id") ?? "") }
        #expect(ids.count == 8 && peer.waiting == 0 && counts.reduce(0, +) <= 8)
      }
    }
  }
}
