import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import gatehouse

@Suite("gatehouse floor")
struct FloorVerbTests {
  private static let low = "schema: gatehouse/floor.v1\npassword: {min_length: 6}\n"
  private static let high = "schema: gatehouse/floor.v1\npassword: {min_length: 10}\n"
  private static let policy = """
    schema: gatehouse/policy.v1
    tenant: acme
    app: {name: Acme, locales: [en]}
    identifiers: {sign_in_with: [email]}
    password: {rules: [{id: min8, min_length: 8}]}

    """

  /// Runs a server that took the low floor at its start.
  private func run(_ body: (RunningBinary, ServedApp) async throws -> Void) async throws {
    try await ServedApp.run(
      policies: ["acme": Self.policy], files: ["configured.yaml": Self.low, "high.yaml": Self.high],
      environment: ["GATEHOUSE_POLICY_FLOOR": "configured.yaml"]
    ) { server, _, app in try await body(server, app) }
  }

  private func ready(_ app: ServedApp) async throws -> TestClient.Answer {
    try await TestClient(app.operations).get("/readyz")
  }

  @Test("a server whose configured file is another one is not ready until it is applied")
  func differs() async throws {
    try await run { server, app in
      #expect(try await ready(app).status == 200)
      #expect(try app.run("floor", "show").output == Self.low)
      try app.write(Self.high, to: "configured.yaml")
      let line = try await server.line(with: "floor.differs")
      #expect(line.contains("gatehouse floor apply"))
      let refused = try await ready(app)
      #expect(refused.status == 503)
      #expect(refused.json["troubles"]?["floor"]?.string?.contains("holds revision 1, another one") == true)
      #expect(try await TestClient(app.operations).get("/metrics").text.contains("gatehouse_floor_differs 1\n"))
      #expect(try app.run("doctor").output.contains("is not in force"))
      let applied = try app.run("floor", "apply", "--reason", "longer")
      #expect(applied.exit == 0 && applied.errors.contains("tenant acme is below it: passwords need 10"))
      _ = try await server.line(with: "floor.agrees")
      #expect(try await ready(app).status == 200)
      let history = try app.run("floor", "history").output
      #expect(history.contains("longer") && history.contains("the first floor"), "\(history)")
    }
  }

  @Test("a floor binds every process, also one with another configuration")
  func everyProcess() async throws {
    try await run { _, app in
      #expect(try app.run("floor", "apply", "high.yaml").exit == 0)
      try app.write(Self.policy.replacing("min_length: 8", with: "min_length: 7"), to: "acme.yaml")
      let words = ["policy", "apply", "acme", "acme.yaml", "--yes", "--allow-weaker"]
      let here = try Binary.run(words, in: app.directory, environment: app.environment)
      #expect(here.exit == 1 && here.errors.contains("P0501"), "\(here.errors)")
      try app.write(try app.adminToken("ci", "--scope", "policy:write", "--tenant", "acme"), to: "token")
      let there = try Binary.run(
        words + ["--server", app.admin, "--token-file", "token"], in: app.directory, environment: app.environment)
      #expect(there.exit == 1 && there.errors.contains("P0501"), "\(there.errors)")
      #expect(try app.run("floor", "remove").exit == 2)
      #expect(try app.run("floor", "remove", "--yes").exit == 0)
      #expect(try app.run("floor", "show").errors.contains("was removed with revision 3"))
      let free = try Binary.run(words, in: app.directory, environment: app.environment)
      #expect(free.exit == 0, "\(free.errors)")
    }
  }

  @Test("a dry run names the tenants below, and changes nothing")
  func dryRun() async throws {
    try await run { _, app in
      let asked = try app.run("floor", "apply", "high.yaml", "--dry-run", "--output", "json")
      let item = try JSONParser.parse(Array(asked.output.utf8))["item"]
      #expect(item?["outcome"]?.string == "would be applied" && item?["tenants_below"]?.integer == 1)
      #expect(try app.run("floor", "show").output == Self.low)
    }
  }

  @Test("the same floor again is no new revision")
  func unchanged() async throws {
    try await run { _, app in
      let again = try app.run("floor", "apply")
      #expect(again.exit == 0 && again.output.contains("unchanged"))
      #expect(try app.run("floor", "show", "--revision", "2").exit == 3)
    }
  }

  @Test("a file that is no floor is refused with its line, and one that is not there by its name")
  func refused() async throws {
    try await run { _, app in
      try app.write("schema: gatehouse/floor.v1\npasword: {}\n", to: "wrong.yaml")
      let wrong = try app.run("floor", "apply", "wrong.yaml")
      #expect(wrong.exit == 2 && wrong.errors.contains("wrong.yaml:2"), "\(wrong.errors)")
      let missing = try app.run("floor", "apply", "none.yaml")
      #expect(missing.exit == 3 && missing.errors.contains("none.yaml"), "\(missing.errors)")
    }
  }
}
