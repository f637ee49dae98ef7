import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("A database that was restored to an earlier moment")
struct RestoredDatabaseTests {
  /// What was there at the moment, and was spent after it.
  private struct Spent {
    let moment: Timestamp
    let signUp: TestClient.Answer
    let link: String
    let reset: String
    let resetID: String
    /// The successor of the refresh token.
    var successor = ""
    /// A signed head from after the moment.
    var head = ""
  }

  private static let password = "Wildcat1"
  private static let newPassword = "Wildcat2"
  private static let body = """
    {"email":"willie@ksu.edu","password":"\(password)","profile":{"name":"Willie W","phoneNumber":"(785) 555-0123"}}
    """

  private static func signUp(_ apps: ThreeApps) async throws -> TestClient.Answer {
    try await apps.ride.send("POST", "/v1/sign-up", body, headers: ["Idempotency-Key": "once"])
  }

  private static func confirm(_ spent: Spent, _ apps: ThreeApps) async throws -> TestClient.Answer {
    try await apps.ride.post("/v1/email-verification/confirm", #"{"token":"\#(spent.link)","password":"\#(password)"}"#)
  }

  private static func reset(_ spent: Spent, _ apps: ThreeApps) async throws -> TestClient.Answer {
    try await apps.ride.post(
      "/v1/password-reset/confirm",
      #"{"reset_id":"\#(spent.resetID)","email":"willie@ksu.edu","code":"\#(spent.reset)","password":"\#(newPassword)"}"#
    )
  }

  private static func signIn(_ password: String, _ apps: ThreeApps) async throws -> TestClient.Answer {
    try await apps.ride.post("/v1/sign-in", #"{"email":"willie@ksu.edu","password":"\#(password)"}"#)
  }

  /// Before the moment: a person, a link and a code.
  private static func begin(_ apps: ThreeApps) async throws -> Spent {
    let up = try await signUp(apps)
    #expect(up.status == 201, "\(up.text)")
    let link = try #require(try await apps.server.latestMail(to: "willie@ksu.edu")?.link?.split(separator: "=").last)
    apps.server.clock.advance(seconds: 1)  // the newest mail is told by its time
    let asked = try await apps.ride.post("/v1/password-reset", #"{"email":"willie@ksu.edu"}"#)
    #expect(asked.status == 202)
    let reset = try #require(try await apps.server.latestMail(to: "willie@ksu.edu")?.code)
    try await apps.server.sealAudit()
    return Spent(
      moment: Timestamp(apps.server.clock.now), signUp: up, link: String(link), reset: reset,
      resetID: asked.resetID)
  }

  /// After the moment: all of it is spent.
  private static func spend(_ spent: inout Spent, _ apps: ThreeApps) async throws {
    let next = try await apps.refresh(.ride, spent.signUp.json.refreshToken, key: "k-1")
    #expect(next.status == 200, "\(next.text)")
    spent.successor = next.json.refreshToken
    #expect(try await confirm(spent, apps).status == 200)
    #expect(try await reset(spent, apps).status == 204)
    try await apps.server.sealAudit()
    let tenant = try #require(apps.server.services.registry.snapshot("dd-ride"))
    spent.head = try #require(try await apps.server.services.store.open(tenant.id).auditChain().token)
  }

  /// A copy of the database as it was at the moment, after what was there then was spent in the database itself; with
  /// the clean-up, or without.
  private static func run(
    cleansUp: Bool, _ body: (ThreeApps, Spent, RestoredDatabase) async throws -> Void
  ) async throws {
    let first = try await TestServer.start(policies: ["dd-ride": try TestLists.policy("dd-ride")])
    var spent: Spent
    do { spent = try await begin(ThreeApps(first)) } catch {
      await first.stop()
      throw error
    }
    await first.stop()
    let copy = try await TestDatabase.make(from: first.storage)
    first.clock.advance(seconds: 60)
    try await serve(try await first.sibling()) { try await spend(&spent, $0) }
    first.clock.advance(seconds: 60)
    try await serve(try await first.sibling(on: copy)) { apps in
      let restored = try RestoredDatabase(to: spent.moment, author: ThreeApps.author, apps.server.services)
      if cleansUp {
        for tenant in try await restored.look() { _ = try await restored.end(tenant) }
        try await apps.server.sealAudit()
        apps.server.clock.advance(seconds: 1)
      }
      try await body(apps, spent, restored)
    }
  }

  private static func serve(_ server: TestServer, _ body: (ThreeApps) async throws -> Void) async throws {
    do {
      try await body(ThreeApps(server))
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  private static func verify(_ apps: ThreeApps, known: String? = nil) async throws -> AuditVerdict {
    let tenant = try #require(apps.server.services.registry.snapshot("dd-ride"))
    return try await VerifyAudit.verdict(on: AuditScope(tenant), known: known, apps.server.services)
  }

  @Test("without the clean-up everything that was spent after the moment works once more")
  func control() async throws {
    try await Self.run(cleansUp: false) { apps, spent, _ in
      let again = try await Self.signUp(apps)
      #expect(again.status == 201 && again.headers["idempotency-replayed"] == "true")
      #expect(try await apps.refresh(.ride, spent.signUp.json.refreshToken).status == 200)
      #expect(try await Self.confirm(spent, apps).status == 200)
      #expect(try await Self.reset(spent, apps).status == 204)
    }
  }

  @Test("after the clean-up nothing that was spent works, in any order, and passwords do")
  func ended() async throws {
    try await Self.run(cleansUp: true) { apps, spent, _ in
      for key in ["k-1", "k-2", nil] {
        #expect(try await apps.refresh(.ride, spent.signUp.json.refreshToken, key: key).code == "session_revoked")
      }
      #expect(try await apps.refresh(.ride, spent.successor).status == 401)
      #expect(try await apps.me(.ride, spent.signUp.json.accessToken).code == "session_revoked")
      #expect(try await Self.signUp(apps).code == "account_exists")
      #expect(try await Self.confirm(spent, apps).code == "code_invalid")
      #expect(try await Self.reset(spent, apps).code == "code_invalid")
      #expect(try await Self.signIn(Self.newPassword, apps).status == 401)
      let back = try await Self.signIn(Self.password, apps)
      #expect(back.status == 200, "\(back.text)")
      #expect(try await apps.refresh(.ride, back.json.refreshToken).status == 200)
    }
  }

  @Test("the trail holds and names the gap; a head from within it is explained by it")
  func trail() async throws {
    try await Self.run(cleansUp: true) { apps, spent, _ in
      let recorded = apps.server.clock.now.addingTimeInterval(-1)
      let verdict = try await Self.verify(apps)
      let gap = try #require(verdict.gaps.first)
      #expect(verdict.finding == nil && verdict.waiting == 0 && verdict.gaps.count == 1)
      #expect(gap.seq == verdict.sealed && gap.from == spent.moment.date && gap.until == recorded)
      let known = try await Self.verify(apps, known: spent.head).finding
      #expect(
        known?.kind == .truncated && known?.why.contains("records a restore to \(spent.moment)") == true,
        "\(known as Any)")
    }
  }

  @Test("a second run ends nothing more and records nothing more; of another moment it is another clean-up")
  func again() async throws {
    try await Self.run(cleansUp: true) { apps, spent, restored in
      let back = try await Self.signIn(Self.password, apps)
      let tenants = try await restored.look()
      let ended = try await restored.end(try #require(tenants.first))
      let refreshed = try await apps.refresh(.ride, back.json.refreshToken)
      try await apps.server.sealAudit()
      #expect(tenants.map(\.isDone) == [true] && tenants.map(\.goesOn) == [true] && ended.isEmpty)
      #expect(refreshed.status == 200)
      #expect(try await Self.verify(apps).gaps.count == 1)
      let earlier = try RestoredDatabase(
        to: Timestamp(seconds: spent.moment.seconds - 60), author: ThreeApps.author, apps.server.services)
      let other = try #require(try await earlier.look().first)
      #expect(try await earlier.end(other)[.sessions] == 1)
      #expect(try await apps.refresh(.ride, refreshed.json.refreshToken).code == "session_revoked")
    }
  }

  @Test("what would end is counted, and nothing of it ends by that")
  func look() async throws {
    try await Self.run(cleansUp: false) { apps, spent, restored in
      let tenant = try #require(try await restored.look().first)
      #expect(!tenant.isDone && !tenant.goesOn)
      #expect(tenant.living[.sessions] == 1 && tenant.living[.codes] == 2 && tenant.living[.answers] == 1)
      #expect(try await apps.me(.ride, spent.signUp.json.accessToken).status == 200)
    }
  }

  @Test("no database was restored to a moment to come")
  func future() async throws {
    try await ThreeApps.share { apps in
      let later = Timestamp(apps.server.clock.now.addingTimeInterval(2))
      #expect(throws: OperatorError.self) {
        _ = try RestoredDatabase(to: later, author: ThreeApps.author, apps.server.services)
      }
    }
  }
}
