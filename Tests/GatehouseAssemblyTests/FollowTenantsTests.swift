import GatehouseIdentity
import GatehousePolicy
import GatehousePostgres
import GatehousePrimitives
import GatehouseRuntime
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Changes that no message told", .timeLimit(.minutes(1)))
struct FollowTenantsTests {
  /// Pauses that end when the test says so.
  private actor Pauses {
    private(set) var lengths: [Duration] = []
    private var sleeper: CheckedContinuation<Void, Never>?
    private var watchers: [CheckedContinuation<Void, Never>] = []
    private var isOver = false

    func pause(_ length: Duration) async {
      lengths.append(length)
      for watcher in watchers { watcher.resume() }
      watchers = []
      await withCheckedContinuation { sleeper = $0 }
    }

    /// Ends the pause; returns when the next one has begun.
    func look() async {
      await begun()
      end()
      await begun()
    }

    func end() {
      sleeper?.resume()
      sleeper = nil
    }

    private func begun() async {
      while sleeper == nil { await withCheckedContinuation { watchers.append($0) } }
    }
  }

  private static func policy(_ name: String) -> String {
    """
    schema: gatehouse/policy.v1
    tenant: \(name)
    app: {name: Followed}
    identifiers: {sign_in_with: [email], email: {normalize: lowercase}}
    password: {rules: [{id: min8, min_length: 8}]}
    privacy: {account_exists: reveal}

    """
  }

  /// A server that has heard of everything, with these tenants.
  private func run(_ tenants: [String] = ["a", "b"], _ body: (TestServer, Pauses) async throws -> Void) async throws {
    let policies = Dictionary(uniqueKeysWithValues: tenants.map { ($0, Self.policy($0)) })
    let server = try await TestServer.start(policies: policies, follows: false)
    let pauses = Pauses()
    let following = Task { await server.keepFollowing { await pauses.pause($0) } }
    do {
      await pauses.look()
      try await body(server, pauses)
    } catch {
      following.cancel()
      await pauses.end()
      await server.stop()
      throw error
    }
    following.cancel()
    await pauses.end()
    await following.value
    await server.stop()
  }

  private static let edit = """
    INSERT INTO gatehouse.policy_revision (tenant_id, number, text, digest, author, reason, created_at, language)
    SELECT tenant_id, 2, text || '# edited', sha256(convert_to(text || '# edited', 'UTF8')), author, reason, created_at,
      language FROM gatehouse.policy_revision;
    """

  /// A change of the tenant `a` or of all tenants, without a message, and whether a snapshot of `a` shows it.
  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let script: String
    let isSeen: @Sendable (TenantSnapshot?) -> Bool

    static let all = [
      Change(testDescription: "a policy", script: FollowTenantsTests.edit) { $0?.revision == 2 },
      Change(testDescription: "a signing key", script: "UPDATE gatehouse.signing_key SET kid = 'other'") {
        // The seal names the key: it cannot be opened under another name, and the last good one goes on.
        $0?.keys.active.kid != "other"
      },
      Change(testDescription: "the switch", script: "UPDATE gatehouse.tenant SET enabled = false") {
        $0?.enabled == false
      },
      Change(testDescription: "the name shown", script: "UPDATE gatehouse.tenant SET display_name = 'New'") {
        $0?.displayName == "New"
      },
      Change(
        testDescription: "a host",
        script: """
          INSERT INTO gatehouse.tenant_host (host, tenant, proof, added_at, allowed_at, expires_at)
          SELECT 'auth.example.com', id, 'proof', created_at, created_at, 'infinity' FROM gatehouse.tenant
          WHERE name = 'a'
          """
      ) { $0?.hosts.count == 1 },
      Change(
        testDescription: "a logo",
        script: """
          INSERT INTO gatehouse.tenant_picture (tenant_id, media_type, content, size, sha256, set_at)
          SELECT id, 'image/png', '\\x01', 1, sha256('\\x01'), created_at FROM gatehouse.tenant WHERE name = 'a'
          """
      ) { $0?.logo?.size == 1 },
    ]
  }

  @Test("a look finds each kind of change", arguments: Change.all)
  func kinds(_ change: Change) async throws {
    try await run { server, pauses in
      let generation = server.services.registry.edition.generation
      let failures = server.services.registry.failures.count
      try await server.storage.runAsSuperuser(script: change.script)
      await pauses.look()
      #expect(change.isSeen(server.services.registry.snapshot("a")))
      let isNoticed =
        server.services.registry.edition.generation > generation
        || server.services.registry.failures.count > failures
      #expect(isNoticed)
    }
  }

  @Test("a look that finds nothing changes nothing, and the next one comes ten seconds later")
  func nothing() async throws {
    try await run { server, pauses in
      let generation = server.services.registry.edition.generation
      for _ in 0..<3 { await pauses.look() }
      #expect(server.services.registry.edition.generation == generation)
      #expect(await Set(pauses.lengths) == [.seconds(10)])
    }
  }

  @Test("a tenant that is gone is no longer served")
  func gone() async throws {
    try await run { server, pauses in
      let tenant = try #require(server.services.registry.snapshot("a"))
      try await server.storage.runAsSuperuser(
        script: """
          UPDATE gatehouse.tenant SET enabled = false WHERE name = 'a';
          SELECT set_config('app.tenant', '\(tenant.id.uuid)', false);
          SELECT gatehouse.erase_tenant();
          DELETE FROM gatehouse.tenant WHERE name = 'a';
          """)
      await pauses.look()
      #expect(server.services.registry.all.map(\.name.description) == ["b"])
    }
  }

  @Test("a look finds changes of more tenants than one step loads")
  func many() async throws {
    let names = (10..<80).map { "t\($0)" }
    try await run(names) { server, pauses in
      try await server.storage.runAsSuperuser(script: Self.edit)
      await pauses.look()
      #expect(server.services.registry.all.map(\.revision) == names.map { _ in 2 })
    }
  }

  @Test("a reload that failed is repeated by the next look, whether a message or a look asked for it")
  func repeated() async throws {
    try await run { server, pauses in
      let (registry, storage) = (server.services.registry, server.storage)
      func failures() async throws -> Int {
        try await TestClient(server.operationsURL).get("/metrics").text.split(separator: "\n")
          .first { $0.hasPrefix("gatehouse_failures_total{kind=\"tenants_not_followed\"} ") }
          .flatMap { $0.split(separator: " ").last.flatMap { Int($0) } } ?? 0
      }
      try await storage.runAsSuperuser(script: "REVOKE SELECT ON gatehouse.data_key FROM \(Roles.jobs)")
      let edited = Self.policy("a").replacing("min_length: 8", with: "min_length: 9")
      #expect(try await server.apply(edited, to: "a") == .applied(revision: 2))
      #expect(try await eventually { try await failures() == 1 }, "it heard, and could not load")
      await pauses.look()
      #expect(try await failures() == 2)
      #expect(registry.snapshot("a")?.revision == 1)
      try await storage.runAsSuperuser(script: "GRANT SELECT ON gatehouse.data_key TO \(Roles.jobs)")
      await pauses.look()
      #expect(registry.snapshot("a")?.revision == 2)
      #expect(try await failures() == 2)
    }
  }
}
