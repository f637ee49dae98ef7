import GatehouseAdminWire
import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePolicy
import GatehousePrimitives
import GatehouseServer
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("The audit trail's vocabulary")
struct VocabularyTests {
  /// Routes that change nothing that is a security event, and why.
  private static let silent: [String: String] = [
    "POST /v1/password-check": "judges and forgets", "POST /v1/explain": "judges and forgets",
    "POST /v1/attest/challenge": "gives a challenge and keeps nothing",
    "PUT /v1/me/presence": "says that a user is there",
    "GET /v1/me/sessions": "reads one's own",
    "POST /v1/sign-in/{provider}/start": "no user is known yet",
    "POST /v1/me/links/{provider}": "nothing is linked yet",
    "POST /v1/me/links/{provider}/token": "hands out what the person allowed",
    "PUT /v1/me/sessions/current/push-token": "an address of one's own device",
    "GET /v1/me/factors": "reads one's own", "POST /v1/me/factors/totp": "nothing is added yet",
    "POST /v1/passkeys/sign-in/start": "no user is known yet",
    "POST /v1/passkeys/sign-up/start": "no user is made yet",
    "POST /v1/passkeys/register/start": "nothing is added yet",
    "POST /v1/reauthenticate/start": "nothing is proven yet",
    "PATCH /v1/me/factors/{id}": "a word of one's own",
    "GET /v1/users/{id}": "reads what every user of the app may",
  ]

  /// Events that other tests find: of tenants, keys, secrets, policies, mails, webhooks and admin tokens.
  private static let elsewhere: Set<AuditEvent> = [
    .policyApplied, .policyRolledBack, .tenantCreated, .tenantChanged, .keyRotated, .secretChanged, .mailFailed,
    .auditExported, .exceptionUsed, .webhookCreated, .webhookChanged, .webhookDeleted, .webhookDisabled,
    .adminTokenCreated, .adminTokenRevoked, .listMissing,
    // Told by `AuditCutTests` and `RestoredDatabaseTests`.
    .auditCut, .databaseRestored,
    // Told by `InstallationLogTests`.
    .tenantDeleted, .databaseMigrated, .keysRewrapped,
    // Told by `UndeleteTests`.
    .userRestored, .userErased,
    // Told by `FloorTests`.
    .floorChanged,
    // Told by `RenamedFieldTests` and `OrderedFieldTests`.
    .valuesMoved, .valuesReturned, .backfillOrdered, .backfillUndone,
    // Told by `ProviderTrailTests`.
    .linked, .unlinked, .linkRefused, .accountReclaimed,
    // Told by `FreshProofTests`.
    .reauthenticationRequested,
    // Told by `PendingSignInTests`.
    .secondProofRequired,
    // Told by `FactorDataTests`, `FactorRemovalTests` and `SecondProofRaceTests`.
    .factorAdded, .factorRemoved, .recoveryCodesMade, .recoveryCodeUsed, .deviceRemembered, .secondProofFailed,
    .factorsReset, .secondProofLocked,
    // Told by `PasskeySignInTests`.
    .passkeyCounterFell, .passkeyChanged,
    // Told by `AttestTests`.
    .attestKeyRegistered, .attestRefused,
    // Told by `BudgetTests`.
    .budgetHalfUsed,
    // Told by `GrantTests`.
    .linkBroken, .grantRevoked,
  ]

  @Test("T121 every route and every event is in the table")
  func complete() {
    let driven = Set(VocabularyStep.life.compactMap(\.route)).union(ProviderTrailTests.routes).union(AttestTests.routes)
      .union(FreshProofTests.routes).union(FactorDataTests.routes)
      .union(PasskeySignInTests.routes)
    for route in Routes.all {
      let name = "\(route.method.rawValue) \(route.path)"
      #expect(driven.contains(name) != (Self.silent[name] != nil), "\(name)")
    }
    let told = Set(VocabularyStep.life.map(\.event))
    for event in AuditEvent.allCases { #expect(told.contains(event) != Self.elsewhere.contains(event), "\(event)") }
  }

  @Test("T121 each feature leaves its row, with time, person, outcome, method, address and request")
  func life() async throws {
    let limits = "sign_in_per_account: 10/15m, sign_in_per_ip: 1000/15m, sign_up_per_ip: 400/1h"
    try await ThreeApps.run(policy: { $0 == .ride ? PolicyText.limits(limits, in: $1) : $1 }) { apps in
      let scene = VocabularyScene(apps)
      let tenant = try #require(apps.server.services.registry.snapshot("dd-ride"))
      let store = apps.server.services.store.open(tenant.id)
      var known = Set(try await store.audit(AuditQuery(), limit: 10_000).map(\.id))
      for step in VocabularyStep.life {
        // A minute later, so that nothing is suppressed and no cooldown holds.
        apps.server.clock.advance(seconds: 61)
        try await step.run(scene)
        let fresh = try await store.audit(AuditQuery(), limit: 10_000).filter { !known.contains($0.id) }
        known.formUnion(fresh.map(\.id))
        let rows = fresh.filter { $0.event == step.event }
        let row = try #require(rows.first, "\(step.name): \(fresh.map(\.event.rawValue))")
        #expect(abs(row.at.timeIntervalSince(apps.server.clock.now)) < 61, "\(step.name)")
        #expect((row.user != nil) == step.names, "\(step.name)")
        let isErased = step.event == .userDeleted
        if step.route != nil, !isErased {
          #expect(row.address == "127.0.0.1" && row.requestID == "vocabulary-request", "\(step.name): \(row)")
          #expect(row.revision == 1, "\(step.name)")
        }
        if step.event.rawValue.hasPrefix("authn_login") || step.event == .reauthenticated {
          #expect(row.details["method"] == "pwd", "\(step.name)")
        }
        #expect(["success", "failure"].contains(row.event.outcome))
      }
      try await apps.server.sealAudit()
      #expect(try await VerifyAudit.verdict(on: AuditScope(tenant), apps.server.services).finding == nil)
    }
  }

  @Test("T121 a flood of refusals is a few rows, which say how many there were")
  func flood() async throws {
    try await ThreeApps.run { apps in
      let tenant = try #require(apps.server.services.registry.snapshot("dd-ride"))
      let store = apps.server.services.store.open(tenant.id)
      func rows() async throws -> [AuditEntry] {
        try await store.audit(AuditQuery(event: AuditEvent.tokenRefused.rawValue), limit: 1000)
      }
      #expect(try await rows().isEmpty)
      for number in 0..<50 {
        #expect(try await apps.ride.get("/v1/me", token: "x.y.\(number)").status == 401)
        #expect(try await apps.ride.post("/v1/token", #"{"refresh_token":"gh_rt_\#(number)"}"#).status == 401)
      }
      #expect(try await rows().count == 2)
      apps.server.clock.advance(seconds: 61)
      _ = try await apps.ride.get("/v1/me", token: "x.y.z")
      let newest = try #require(try await rows().first)
      #expect(newest.details["suppressed"] == "49" && newest.details["token"] == "access")
      // No token at all is no attempt at anything, and one that merely expired is not another user's.
      apps.server.clock.advance(seconds: 61)
      _ = try await apps.ride.get("/v1/me")
      let up = try await apps.rider()
      apps.server.clock.advance(seconds: 3600)
      #expect(try await apps.ride.get("/v1/me", token: up.accessToken).code == "token_expired")
      #expect(try await rows().count == 3)
    }
  }

  @Test("T121 an exception of the policy is an event each time it lets a user through, and says which it was")
  func exceptions() async throws {
    let clock = Date(timeIntervalSince1970: 1_795_000_000)
    let exception = """
      exceptions:
        - {email: coach@gmail.com, rule: email.allowed_domains, until: 2027-03-01, reason: guest of the season}
      """
    try await ThreeApps.run(at: clock, policy: { app, text in app == .ride ? text + "\n" + exception : text }) { apps in
      let tenant = try #require(apps.server.services.registry.snapshot("dd-ride"))
      let store = apps.server.services.store.open(tenant.id)
      func rows() async throws -> [AuditEntry] {
        try await store.audit(AuditQuery(event: AuditEvent.exceptionUsed.rawValue), limit: 100)
      }
      func signUp(_ email: String) async throws -> TestClient.Answer {
        try await apps.ride.post(
          "/v1/sign-up", #"{"email":"\#(email)","password":"\#(App.password)","profile":\#(App.ride.profile())}"#)
      }
      #expect(try await signUp("other@gmail.com").status == 422)
      #expect(try await signUp("pat@ksu.edu").status == 201)
      #expect(try await rows().isEmpty)
      let up = try await signUp("coach@gmail.com")
      #expect(up.status == 201, "\(up.text)")
      let row = try #require(try await rows().first)
      #expect(row.user?.text == up.json.userID && row.revision == 1 && row.address == "127.0.0.1")
      #expect(row.details["rule"] == "email.allowed_domains" && row.details["reason"] == "guest of the season")
      #expect(row.details["until"] == "2027-03-01" && Int(row.details["line"] ?? "") ?? 0 > 30)
      #expect(!row.details.values.contains { $0.contains("coach") })
      let before = try await rows().count
      let back = try await apps.ride.post(
        "/v1/sign-in", #"{"email":"coach@gmail.com","password":"\#(App.password)"}"#)
      #expect(back.status == 200)
      let signedIn = try await rows().count
      #expect(signedIn - before <= 1)
      // A session that goes on is not opened anew.
      _ = try await apps.ride.post("/v1/token", #"{"refresh_token":"\#(back.json.refreshToken)"}"#)
      _ = try await apps.ride.get("/v1/me", token: back.json.accessToken)
      #expect(try await rows().count == signedIn)
      let request = #"{"email":"coach@gmail.com","password":"\#(App.password)"}"#
      let explained = try await ExplainPolicy.run(.init(tenant: "dd-ride", request: request), apps.asOperator)
      let text = String(describing: explained)
      #expect(text.contains("guest of the season") && text.contains("2027-03-01"))
      // The policy names the address: erasing the person says so.
      let erasure = try await EraseUser.run(
        .init(tenant: "dd-ride", user: "coach@gmail.com", dryRun: true), apps.asOperator)
      #expect(erasure.revisions == [1])
    }
  }

  @Test("T121 a sign-in that an exception lets through is one event for each session that is opened")
  func exceptionAtSignIn() async throws {
    let clock = Date(timeIntervalSince1970: 1_795_000_000)
    let exception = """
      exceptions: [{email: coach@ksu.edu, rule: password.digit, until: 2027-03-01, reason: an old password}]
      """
    try await ThreeApps.run(
      at: clock,
      policy: { app, text in
        guard app == .ride else { return text }
        return text.replacing("existing: at_next_change", with: "existing: require_at_sign_in") + "\n" + exception
      },
      { apps in
        let tenant = try #require(apps.server.services.registry.snapshot("dd-ride"))
        let store = apps.server.services.store.open(tenant.id)
        func rows() async throws -> [AuditEntry] {
          try await store.audit(AuditQuery(event: AuditEvent.exceptionUsed.rawValue), limit: 100)
        }
        #expect(try await apps.signUp(.ride, "pat", password: "Wildcatssss").rules == ["password.digit"])
        #expect(try await apps.signUp(.ride, "coach", password: "Wildcatssss").status == 201)
        #expect(try await rows().count == 1)
        for count in 2...4 {
          let back = try await apps.signIn(.ride, "coach", password: "Wildcatssss")
          #expect(back.status == 200 && !back.json.next.contains("change_password"), "\(back.text)")
          _ = try await apps.refresh(.ride, back.json.refreshToken)
          let now = try await rows()
          #expect(now.count == count && now.allSatisfy { $0.details["rule"] == "password.digit" })
        }
        // Its last day is over: the exception lets no user through any more, and is no event.
        apps.server.clock.set(Date(timeIntervalSince1970: 1_804_000_000))
        let late = try await apps.signIn(.ride, "coach", password: "Wildcatssss")
        #expect(late.json.next.contains("change_password"), "\(late.text)")
        #expect(try await rows().count == 4)
      })
  }

  @Test("T121 an older text that is applied names its revision, and a rollback is told as such")
  func rollback() async throws {
    try await ThreeApps.run { apps in
      let first = try TestLists.policy("messai")
      let second = first + "\n# another text\n"
      for text in [second, first] { _ = try await apps.server.apply(text, to: "messai") }
      _ = try await RollbackPolicy.run(.init(tenant: "messai", revision: 2), apps.asOperator)
      let tenant = try #require(apps.server.services.registry.snapshot("messai"))
      let rows = try await apps.server.services.store.open(tenant.id).audit(AuditQuery(), limit: 10)
        .filter { [.policyApplied, .policyRolledBack].contains($0.event) }.sorted {
          $0.revision ?? 0 < $1.revision ?? 0
        }
      #expect(rows.map(\.event) == [.policyApplied, .policyApplied, .policyRolledBack])
      #expect(rows.map { $0.details["text_of"] } == [nil, "1", nil])
      #expect(rows.map { $0.details["to"] } == [nil, nil, "2"])
    }
  }

  @Test("a session that ran out is told once, by one of several servers, and sessions that live are not")
  func expiry() async throws {
    try await ThreeApps.run { apps in
      _ = try await apps.signUp(.messai, "first")
      apps.server.clock.advance(seconds: 91 * 86_400)
      let live = try await apps.signUp(.messai, "second").json
      let tenant = try #require(apps.server.services.registry.snapshot("messai"))
      let store = apps.server.services.store.open(tenant.id)
      func rows() async throws -> Int {
        try await store.audit(AuditQuery(event: AuditEvent.sessionExpired.rawValue), limit: 100).count
      }
      let services = apps.server.services
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 { group.addTask { _ = try? await ExpireSessions(services).runOnce() } }
      }
      #expect(try await rows() == 1)
      let me = try await apps.me(.messai, live.accessToken)
      #expect(me.status == 200, "\(me.text)")
      let ids = try await store.audit(AuditQuery(), limit: 100).map(\.id)
      // Ids that the database makes are in the order of time, as ours are.
      #expect(ids.allSatisfy { $0.uuid.6 >> 4 == 7 })
    }
  }
}
