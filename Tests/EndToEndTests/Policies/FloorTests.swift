import GatehouseAdminWire
import GatehouseIdentity
import GatehousePolicyFile
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("The floor of an installation")
struct FloorTests {
  private static let author = Author(.operator("test"), name: "test", reason: "")

  private func floor(_ length: Int) throws -> Floor {
    let text = "schema: gatehouse/floor.v1\npassword: {min_length: \(length)}\n"
    return try Floor.read(Array(text.utf8), name: "floor.yaml").get()
  }

  /// A tenant whose passwords have so many characters, and a policy for it with another number.
  private func policy(_ length: Int) -> String {
    """
    schema: gatehouse/policy.v1
    tenant: solo
    app: {name: Solo, locales: [en]}
    identifiers: {sign_in_with: [email]}
    password: {rules: [{id: length, min_length: \(length)}]}

    """
  }

  private func row(_ services: Services) -> AuditEntry {
    AuditEntry(
      id: services.clock.makeID(), at: services.clock.now, event: .floorChanged, actor: "operator:other", revision: 1)
  }

  /// Adds a revision that this server has not heard of.
  private func applyElsewhere(_ floor: Floor, _ number: Int, _ services: Services) async throws {
    try await services.floors.append(
      FloorRevision(
        number: number, text: floor.text, file: floor.name, author: "other", reason: "", createdAt: services.clock.now),
      record: row(services))
  }

  @Test("binds a server that has not heard of it yet")
  func unheard() async throws {
    try await ThreeApps.run { apps in
      let (server, services) = (apps.server, apps.server.services)
      try await server.makeTenant("solo", policy(9))
      let tenant = try await Tenants.find("solo", services)
      try await applyElsewhere(try floor(9), 1, services)
      let refused = await #expect(throws: OperatorError.self) {
        try await Policies.apply(
          policy(8), file: "solo.yaml", to: tenant, consent: .init(weaker: true), author: Self.author, services)
      }
      #expect(refused?.findings.map(\.code).contains("P0501") == true)
      #expect(try await services.store.open(tenant.id).newestRevision()?.number == 1)
      let applied = try await Policies.apply(
        policy(10), file: "solo.yaml", to: tenant, author: Self.author, services)
      #expect(applied == .applied(revision: 2))
    }
  }

  @Test("binds the creation of a tenant at the same moment")
  func creation() async throws {
    try await ThreeApps.run { apps in
      let services = apps.server.services
      let candidate = PolicyCandidate(policy(8), file: "solo.yaml", services)
      let name = try #require(TenantName("solo"))
      try await applyElsewhere(try floor(9), 1, services)
      await #expect(throws: OperatorError.self) {
        _ = try await Tenants.create(
          name, displayName: nil, policy: candidate, author: Self.author, services)
      }
      #expect(try await services.directory.tenant(name) == nil)
    }
  }

  @Test("of two at one moment one is applied, and the other is told")
  func race() async throws {
    try await ThreeApps.run { apps in
      let services = apps.server.services
      let floors = try (7...12).map(floor)
      let outcomes = await withTaskGroup { group in
        for floor in floors {
          group.addTask { try? await Floors.apply(floor, author: Self.author, services) }
        }
        return await group.reduce(into: [Floors.Outcome?]()) { $0.append($1) }
      }
      let numbers = outcomes.compactMap { outcome in
        if case .applied(let revision)? = outcome { revision } else { nil }
      }.sorted()
      #expect(numbers == Array(1...numbers.count) && !numbers.isEmpty)
      #expect(try await services.floors.newestFloor()?.number == numbers.count)
      #expect(services.floor.now.number == numbers.count)
    }
  }

  @Test("is a row of the installation's log, with its author")
  func logged() async throws {
    try await ThreeApps.run { apps in
      let (server, services) = (apps.server, apps.server.services)
      _ = try await Floors.apply(try floor(8), author: Self.author, services)
      _ = try await Floors.apply(nil, author: Self.author, services)
      let rows = try await SearchAudit.run(
        .init(tenant: InstallationLog.name, event: "floor_changed", limit: 10), server.asOperator
      ).items
      #expect(rows.map { $0.details["file"] ?? $0.details["removed"] } == ["true", "floor.yaml"])
      #expect(rows.allSatisfy { $0.actor == "operator:test" })
    }
  }

  @Test("of a later version binds everything: a server that cannot read it applies no policy")
  func unreadable() async throws {
    try await ThreeApps.run { apps in
      let (server, services) = (apps.server, apps.server.services)
      try await server.makeTenant("solo", policy(9))
      let tenant = try await Tenants.find("solo", services)
      try await services.floors.append(
        FloorRevision(
          number: 1, text: "schema: gatehouse/floor.v2\n", file: "floor.yaml", author: "other", reason: "",
          createdAt: services.clock.now), record: row(services))
      let refused = await #expect(throws: OperatorError.self) {
        try await Policies.apply(policy(10), file: "solo.yaml", to: tenant, author: Self.author, services)
      }
      #expect(refused?.kind == .unavailable)
      #expect(services.floor.trouble(configured: nil)?.advice == "upgrade it")
    }
  }

  @Test("a configured file is taken once, by a database that never held one")
  func adopted() async throws {
    try await ThreeApps.run { apps in
      let services = apps.server.services
      let (first, second) = (try floor(8), try floor(9))
      services.choices.change { $0.configuredFloor = first }
      try await Floors.follow(services)
      #expect(services.floor.now.floor?.text == first.text && services.floor.trouble(configured: first) == nil)
      services.choices.change { $0.configuredFloor = second }
      try await Floors.follow(services)
      #expect(services.floor.now.number == 1)
      #expect(services.floor.trouble(configured: second)?.advice.hasPrefix("gatehouse floor apply floor.yaml") == true)
      _ = try await Floors.apply(nil, author: Self.author, services)
      try await Floors.follow(services)
      // Removed is not never held.
      #expect(services.floor.now.number == 2 && services.floor.now.floor == nil)
    }
  }
}
