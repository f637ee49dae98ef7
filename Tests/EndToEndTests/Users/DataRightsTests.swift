import GatehouseAdminWire
import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

/// Words that occur nowhere but in what one person confided, by app.
private struct Canary {
  let local = "canaryperson"
  let words = [
    "canaryperson", "canaryelsewhere", "canarylater", "Canary Display", "canary-iphone", "canary-push-9d1", "5550177",
    "canary-request-",
  ]

  /// Every form in which a word could lie in a dump: as it is, in hexadecimal (`bytea`), in base64, and hashed without
  /// a key.
  func forms(tenant: UUID, emails: [String]) -> [String: [String]] {
    var forms: [String: [String]] = [:]
    for word in words + emails {
      let bytes = Array(word.utf8)
      var hashed = [SHA256.digest(bytes)]
      if word.contains("@") {
        let id = withUnsafeBytes(of: tenant.uuid) { Array($0) }
        hashed += [SHA256.digest(id + bytes), SHA256.digest(Array(tenant.text.utf8) + bytes)]
      }
      forms[word] =
        [word, Hex.encode(bytes), Data(bytes).base64EncodedString().replacing("=", with: "")]
        + hashed.flatMap { [Hex.encode($0), Base64URL.encode($0)] }
    }
    return forms
  }
}

@Suite("What is stored about people is theirs")
struct DataRightsTests {
  /// Uses every feature once, and fails where one can. The newest access token.
  private func live(_ app: App, _ apps: ThreeApps, _ canary: Canary) async throws -> String {
    let client = apps.client(app)
    var requests = 0
    func send(
      _ method: String, _ path: String, _ body: String?, _ token: String? = nil, _ status: Int,
      headers: [String: String] = [:]
    ) async throws -> JSONValue {
      requests += 1
      let answer = try await client.send(
        method, path, body, token: token,
        headers: headers.merging(["X-Request-Id": "canary-request-\(requests)"]) { $1 })
      #expect(answer.status == status, "\(path): \(answer.text)")
      return answer.json
    }
    let email = app.email(canary.local)
    let device = #""device":{"name":"canary-iphone"}"#
    let up = try await send(
      "POST", "/v1/sign-up",
      #"{"email":"\#(email)","password":"\#(App.password)","profile":\#(profile(app)),\#(device)}"#, nil, 201)
    // Nothing leads back to an unproven address.
    try await Operator.verify(app, canary.local, apps)
    // Another client tries the same address, mistakes the password, and asks for a reset.
    _ = try await send("POST", "/v1/sign-up", app.signUp(canary.local, password: App.otherPassword), nil, 409)
    _ = try await send("POST", "/v1/sign-in", app.signIn(canary.local, password: App.otherPassword), nil, 401)
    _ = try await send("POST", "/v1/password-reset", #"{"email":"\#(email)"}"#, nil, 202)
    let back = try await send(
      "POST", "/v1/sign-in", #"{"email":"\#(email)","password":"\#(App.password)",\#(device)}"#, nil, 200)
    var token = back.accessToken
    _ = try await send("POST", "/v1/token", #"{"refresh_token":"\#(back.refreshToken)"}"#, nil, 200)
    _ = try await send("PUT", "/v1/me/presence", #"{"online":true}"#, token, 200)
    _ = try await send(
      "PUT", "/v1/me/sessions/current/push-token", #"{"push_token":"canary-push-9d1","platform":"apns"}"#, token, 204)
    token = try await send("POST", "/v1/reauthenticate", #"{"password":"\#(App.password)"}"#, token, 200).accessToken
    _ = try await send("POST", "/v1/sign-out", #"{"scope":"this"}"#, up.accessToken, 204)
    _ = try await send("GET", "/v1/me", nil, up.accessToken, 401)
    let elsewhere = app.email("canaryelsewhere")
    _ = try await send(
      "POST", "/v1/me/email", #"{"email":"\#(elsewhere)","password":"\#(App.password)"}"#, token, 202)
    let mail = try #require(try await apps.server.latestMail(to: elsewhere))
    let link = try #require(mail.link?.split(separator: "=").last.map(String.init))
    _ = try await send("POST", "/v1/email-change/confirm", #"{"token":"\#(link)"}"#, token, 200)
    // A change that is never confirmed, and a code that is wrong; their mails wait.
    apps.server.clock.advance(seconds: 120)
    _ = try await send(
      "POST", "/v1/me/email", #"{"email":"\#(app.email("canarylater"))","password":"\#(App.password)"}"#, token, 202,
      headers: ["Idempotency-Key": "canary-request-key"])
    let reset = try await send("POST", "/v1/password-reset", #"{"email":"\#(elsewhere)"}"#, nil, 202)
    _ = try await send(
      "POST", "/v1/password-reset/confirm",
      """
      {"reset_id":"\(reset["reset_id"]?.string ?? "")","email":"\(elsewhere)","code":"000000","password":"\(App.password)"}
      """, nil, 400)
    _ = try await send(
      "POST", "/v1/me/password", #"{"current_password":"\#(App.password)","password":"\#(App.otherPassword)"}"#, token,
      200)
    // Of an address that no account has any more: such a row names no user, and no erasure concerns it.
    #expect(try await apps.signIn(app, canary.local).status == 401)
    _ = try await send("GET", "/v1/me/export", nil, token, 200)
    _ = try await SendUserReset.run(.init(tenant: app.rawValue, user: elsewhere), apps.asOperator)
    try await apps.server.sealAudit()
    _ = try await send("POST", "/v1/sign-in", app.signIn("canaryelsewhere"), nil, 401)
    return token
  }

  private func profile(_ app: App) -> String {
    switch app {
    case .messai: #"{"displayName":"Canary Display"}"#
    case .ride: #"{"name":"Canary Display","phoneNumber":"(785) 555-0177"}"#
    case .vibes: #"{"username":"canaryperson"}"#
    }
  }

  @Test("T146 a copy takes a sign-in of the last five minutes")
  func recent() async throws {
    try await ThreeApps.run { apps in
      let rider = try await apps.rider()
      apps.server.clock.advance(seconds: 301)
      let refused = try await apps.ride.get("/v1/me/export", token: rider.accessToken)
      #expect(refused.status == 403 && refused.code == "reauthentication_required", "\(refused.text)")
      let proof = try await apps.ride.post(
        "/v1/reauthenticate", #"{"password":"Wildcat1"}"#, token: rider.accessToken)
      let copy = try await apps.ride.get("/v1/me/export", token: proof.json.accessToken)
      #expect(copy.status == 200 && copy.json["user"]?["email"] == .string("willie@ksu.edu"), "\(copy.text)")
    }
  }

  @Test(
    "T050 T120 after an erasure or deletion nothing of the person is in the database; a deletion alone is mailed, and after that too",
    arguments: App.allCases, [true, false])
  func erasure(app: App, byOperator: Bool) async throws {
    try await ThreeApps.run { apps in
      let canary = Canary()
      let other = try await apps.signUp(app, "somebody").json
      let token = try await live(app, apps, canary)
      let tenant = try #require(apps.server.services.registry.snapshot(app.rawValue)).id.uuid
      let emails = ["canaryperson", "canaryelsewhere", "canarylater"].map { app.email($0) }
      let forms = canary.forms(tenant: tenant, emails: emails)
      let before = try await apps.server.storage.dump()
      // The look does find what is stored in clear.
      let shown = app == .vibes ? "canaryperson" : "Canary Display"
      for word in ["canaryelsewhere", shown, "canary-iphone", "canary-request-"] {
        #expect(before.contains(word), "\(word)")
      }
      let sent = try await mails(apps, emails)
      // From here on a mail waits that never goes.
      apps.server.clock.advance(seconds: 120)
      #expect(
        try await apps.client(app).post("/v1/password-reset", #"{"email":"\#(emails[1])"}"#).status == 202)
      if byOperator {
        let extent = try await EraseUser.run(.init(tenant: app.rawValue, user: emails[1]), apps.asOperator)
        #expect(extent.sessions >= 2 && extent.codes >= 2 && extent.mails >= 3 && extent.events > 10)
        #expect(extent.revisions == [])
      } else {
        let gone = try await apps.client(app).send(
          "DELETE", "/v1/me", #"{"password":"\#(App.otherPassword)"}"#, token: token,
          headers: ["X-Request-Id": "canary-request-last"])
        #expect(gone.status == 204, "\(gone.text)")
      }
      try await expectNothing(of: forms, apps)
      #expect(try await mails(apps, emails) == [sent[0], sent[1] + (byOperator ? 0 : 1), sent[2]])
      try await expectNothing(of: forms, apps)
      try await apps.server.sealAudit()
      let snapshot = try #require(apps.server.services.registry.snapshot(app.rawValue))
      #expect(try await VerifyAudit.verdict(on: AuditScope(snapshot), apps.server.services).finding == nil)
      // No other user lost anything, and the address is free again.
      #expect(try await apps.me(app, other.accessToken).status == 200)
      #expect(try await apps.signIn(app, "somebody").status == 200)
      #expect(try await apps.signUp(app, "canaryelsewhere").status == 201)
    }
  }

  private func expectNothing(of forms: [String: [String]], _ apps: ThreeApps) async throws {
    let after = try await apps.server.storage.dump()
    for (word, looks) in forms {
      for form in looks {
        let place = after.range(of: form).map { String(after[..<$0.lowerBound].suffix(200)) }
        #expect(place == nil, "\(word) as \(form)")
      }
    }
  }

  private func mails(_ apps: ThreeApps, _ addresses: [String]) async throws -> [Int] {
    var counts: [Int] = []
    for address in addresses { counts.append(try await apps.server.mailCount(to: address)) }
    return counts
  }

  @Test(
    "a person's own copy has all that is stored about them, nothing secret, and nothing of others",
    arguments: App.allCases)
  func export(app: App) async throws {
    try await ThreeApps.run { apps in
      let canary = Canary()
      _ = try await apps.signUp(app, "somebody")
      let endpoint = WebhookEndpoint(
        id: UUID(), url: "https://hooks.example.com/", events: WebhookEvent.allCases, fields: [], sealedSecret: [1],
        createdAt: apps.server.clock.now)
      let tenant = try #require(apps.server.services.registry.snapshot(app.rawValue)).id
      try await apps.server.services.store.open(tenant).commit([.webhook(.insert(endpoint))])
      let token = try await live(app, apps, canary)
      try await Operator.verify(app, "canaryelsewhere", apps)
      let store = apps.server.services.store.open(tenant)
      let user = try #require(try await store.user(email: app.email("canaryelsewhere"))?.user.id)
      let link = LinkedIdentity(provider: "google", scopes: ["email"], linkedAt: apps.server.clock.now)
      let identity = ProviderIdentity(
        user: user, provider: "google", issuer: "https://accounts.google.com", subject: "7", isExclusive: true,
        link: link)
      try await store.commit([.provider(.link(identity))])
      let answer = try await apps.client(app).get("/v1/me/export", token: token)
      #expect(answer.status == 200, "\(answer.text)")
      let export = answer.json
      #expect(export["version"] == .integer(1) && export["tenant"] == .string(app.rawValue))
      #expect(export["user"]?["email"] == .string(app.email("canaryelsewhere")))
      #expect(export["password"]?["is_set"] == .bool(true) && export["entered_by"] == .string("sign_up"))
      for word in [app == .vibes ? "canaryperson" : "Canary Display", "canary-iphone", "canary-push-9d1"] {
        #expect(answer.text.contains(word), "\(word)")
      }
      if app == .vibes { #expect(export["unique_values"]?.array?.isEmpty == false) }
      let sessions = export["sessions"]?.array ?? []
      #expect(sessions.count >= 2 && sessions.contains { $0["end_reason"] == .string("signed_out") })
      let purposes = Set((export["codes"]?.array ?? []).compactMap { $0["purpose"]?.string })
      #expect(purposes.isSuperset(of: ["change_email", "undo_email_change", "reset_password"]), "\(purposes)")
      let kinds = Set((export["mails"]?.array ?? []).compactMap { $0["kind"]?.string })
      #expect(kinds.isSuperset(of: ["password_changed", "change_email_notice"]), "\(kinds)")
      try await compare(export, apps)
      for (list, row) in ExportedRows.all {
        for item in try #require(export[list]?.array, "\(list)") { try read(row, item) }
      }
      let events = export["events"]?.array ?? []
      #expect(export["events_are_complete"] == .bool(true))
      let names = Set(events.compactMap { $0["event"]?.string })
      #expect(
        names.isSuperset(of: ["user_created", "authn_login_success", "authn_login_fail", "user_exported"]), "\(names)")
      #expect(events.contains { $0["by"] == .string("you") && $0["address"] == .string("127.0.0.1") })
      let operated = events.filter { $0["by"] == .string("operator") }
      #expect(!operated.isEmpty && operated.allSatisfy { $0["address"] == nil && $0["details"] == .object([:]) })
      for secret in ["$argon2id", "gh_rt_", "somebody", "operator:test", "token_hash", "sealed"] {
        #expect(!answer.text.contains(secret), "\(secret)")
      }
    }
  }

  /// A row of the copy has the members that are described, and no other one.
  private func read<Row: Decodable>(_ type: Row.Type, _ item: JSONValue) throws {
    _ = try StrictDecoder.decode(type, from: item, spelling: .contract)
  }

  /// Whatever table says whose its rows are: as many items of the copy as the person has rows, or a reason why not.
  private func compare(_ export: JSONValue, _ apps: ThreeApps) async throws {
    let items = [
      "session": "sessions", "device": "devices", "one_time_code": "codes", "outbox": "mails", "audit": "events",
      "unique_value": "unique_values", "webhook_delivery": "messages", "idempotency_key": "kept_answers",
      "provider_identity": "identities",
    ]
    let otherwise = [
      "credential": "the hash of a password is no use to its owner; that there is one stands under `password`",
      "search_key": "what texts of the profile begin with, which is in the copy",
      "password_history": "hashes again; how many there are stands as `password.earlier_kept`",
      "password_compliance": "one bit, `password.complies`",
      "provider_grant": "tokens of the app at a provider; that there is a link, and what it allows, is in `identities`",
      "provider_revocation": "tokens on their way back to their provider",
      "attest_key": "`attest_keys`, with the key's name; `AttestTests` compares it",
      "totp": "`authenticator_apps`; `FactorDataTests` compares it",
      "passkey": "`passkeys`; `PasskeyFactorTests` looks at it", "recovery_code": "`recovery_codes`, likewise",
      "backfill_value": "`kept_values`; `RenamedFieldTests` looks at it",
      "ticket": "minutes of a user who is away at a provider, or of a browser on its way to the app",
    ]
    let user = try #require(UUID(text: export["user"]?["id"]?.string ?? ""))
    let all = try await apps.server.storage.connect(user: Embedded.superuser)
    let tables: [String] = try await all.read(
      nil,
      """
      SELECT DISTINCT table_name::text FROM information_schema.columns
      JOIN information_schema.tables USING (table_schema, table_name)
      WHERE table_schema = 'gatehouse' AND table_type = 'BASE TABLE' AND column_name = 'account_id'
      """
    ).map { try $0[0] }
    #expect(tables.count == items.count + otherwise.count)
    for table in tables where otherwise[table] == nil {
      // The copy itself is an event, written after it was made.
      let late = table == "audit" ? "AND event <> 'user_exported'" as SQL : ""
      let rows = try await all.read(
        nil, "SELECT count(*)::int FROM gatehouse.\(identifier: table) WHERE account_id = \(user) \(late)")
      let count: Int = try rows[0][0]
      guard let name = items[table] else {
        Issue.record("\(table) holds rows of people; are they in their copy?")
        continue
      }
      let copied = (export[name]?.array ?? []).count { $0["event"] != .string("user_exported") }
      if table != "unique_value" { #expect(count > 0, "nothing to compare in \(table)") }
      // Codes to the address that belong to no account yet are in the copy as well.
      #expect(table == "one_time_code" ? copied >= count : copied == count, "\(table)")
    }
    await all.stop()
  }
}
