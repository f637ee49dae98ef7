import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServer
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import gatehouse

@Suite("Stages that an operator must look at, and policies below the floor")
struct StageFindingsTests {
  /// The day so many days from now, in UTC.
  private func day(_ days: Double, from now: Date = Date()) -> String {
    String(now.addingTimeInterval(days * 86_400).ISO8601Format().prefix(10))
  }

  private func policy(due: String, ending: String) -> String {
    """
    schema: gatehouse/policy.v1
    tenant: solo
    app: {name: Solo, locales: [en]}
    identifiers: {sign_in_with: [email], email: {normalize: lowercase}}
    password:
      max_length: 128
      rules:
        - {id: min8, min_length: 8}
        - {id: min12, min_length: 12, enforce: warn, enforce_from: \(due)}
        - {id: min15, min_length: 15, enforce: warn}
    profile: {unknown_fields: reject}
    providers: {password: {use: sign_in}}
    exceptions: [{email: al@example.com, rule: password.min8, until: \(ending), reason: on leave}]

    """
  }

  @Test("the doctor names what is due this week, what warned for long, what ends, and what stands below the floor")
  func doctor() async throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let database = try await TestDatabase.make()
    let environment = try Binary.environment(database, in: directory)
    func write(_ text: String, _ name: String) throws {
      let url = directory.appending(path: name)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: url, atomically: true, encoding: .utf8)
    }
    func findings() throws -> [String] {
      let said = try Binary.run(["doctor", "--dev", "--output", "json"], in: directory, environment: environment)
      #expect(said.exit == 1)
      return (try JSONParser.parse(Array(said.output.utf8))["items"]?.array ?? []).compactMap { item in
        guard item["subject"]?.string == "tenant solo", item["state"]?.string == "warning" else { return nil }
        return "\(item["finding"]?.string ?? "") (\(item["advice"]?.string ?? ""))"
      }
    }
    let (due, ending, later) = (day(3), day(5), day(30))
    try write(policy(due: later, ending: later), "solo.yaml")
    let made = try Binary.run(
      ["tenant", "create", "solo", "--policy", "solo.yaml"], in: directory, environment: environment)
    #expect(made.exit == 0, "\(made.errors)")
    // Negative control: nothing of it is near, or old, or below anything.
    #expect(try findings() == [])
    try write(policy(due: due, ending: ending), "solo.yaml")
    let applied = try Binary.run(
      ["policy", "apply", "solo", "solo.yaml", "--allow-weaker", "--yes"], in: directory, environment: environment)
    #expect(applied.exit == 0, "\(applied.errors)")
    let near = [
      "password.min12 enforces by itself from \(due) (gatehouse policy impact solo FILE)",
      "an exception from password.min8 ends with \(ending) (look at exceptions: in its policy file)",
    ]
    #expect(try findings() == near)
    try await database.runAsSuperuser(
      script: """
        SET session_replication_role = replica;
        UPDATE gatehouse.policy_revision SET created_at = created_at - interval '91 days';
        """)
    try write("schema: gatehouse/floor.v1\npassword:\n  min_length: 10\n", "floor.yaml")
    let bound = try Binary.run(["floor", "apply", "floor.yaml"], in: directory, environment: environment)
    #expect(bound.exit == 0, "\(bound.errors)")
    #expect(
      try findings() == [
        near[0],
        "password.min15 only warns, for more than 90 days, and no date is set "
          + "(gatehouse policy promote FILE password.min15)",
        near[1],
        "below the floor: passwords need 10 characters at least: the shortest has 8 "
          + "(the floor: floor.yaml:3: min_length)",
      ])
    try await database.drop()
  }

  @Test("the same stages are figures, for a monitor")
  func figures() async throws {
    let server = try await TestServer.start()
    do {
      let now = server.clock.now
      try await server.makeTenant("solo", policy(due: day(95, from: now), ending: day(94, from: now)))
      func samples(_ days: Double) -> [String] {
        ServerFigures.of(stages: server.services.registry, at: now.addingTimeInterval(days * 86_400))
          .flatMap(\.samples).filter { $0.labels.contains { $0 == ("tenant", "solo") } }
          .map { sample in "\(sample.labels.map(\.value).joined(separator: " ")) \(sample.value)" }
      }
      #expect(samples(1) == [])
      #expect(samples(91) == ["solo due 1", "solo ending 1", "solo stale 1"])
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }
}
