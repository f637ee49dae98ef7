import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// The edit that the comment in vibes.yaml names: people are let in while Spotify is down. Tests in the file fail by
/// it.
@Suite("A policy whose own tests fail")
struct EmergencyPolicyTests {
  private static let requirement = #""linked:spotify"]  # "#
  private static let warning = #"{need: "linked:spotify", enforce: warn}]  # "#

  /// vibes on a server of its own, and the edited file beside it; `apply` takes more flags.
  private static func run(
    _ body: (_ app: ServedApp, _ client: TestClient, _ apply: (String...) throws -> Binary.Outcome) async throws -> Void
  ) async throws {
    let text = try TestLists.policy("vibes")
    let edited = text.replacing(requirement, with: warning)
    try #require(edited != text)
    try await ServedApp.run(policies: ["vibes": text]) { _, _, app in
      let file = app.directory.appending(path: "vibes-edit.yaml")
      try edited.write(to: file, atomically: true, encoding: .utf8)
      try await body(app, TestClient(app.url + "/t/vibes")) { flags in
        try Binary.run(
          ["policy", "apply", "vibes", "vibes-edit.yaml", "--allow-weaker"] + flags, in: app.directory,
          environment: app.environment)
      }
    }
  }

  @Test("one edit and one command let people in while Spotify is down")
  func letsIn() async throws {
    try await Self.run { app, client, apply in
      let up = try await client.post(
        "/v1/sign-up", #"{"email":"t@example.com","password":"TestPass123!","profile":{"username":"nova"}}"#)
      let applied = try apply("--allow-failing-tests", "--reason", "Spotify is down")
      let token = up.json["access_token"]?.string
      let isIn = try await eventually {
        try await client.get("/v1/me", token: token).json["access"] == .string("full")
      }
      #expect(up.json["access"] == .string("limited") && applied.exit == 0 && isIn, "\(applied.errors)")
    }
  }

  @Test("history, audit trail and doctor say so, until a file whose tests pass is applied")
  func shown() async throws {
    try await Self.run { app, _, apply in
      _ = try apply("--allow-failing-tests", "--reason", "Spotify is down")
      func shown() throws -> [String] {
        let history = try app.run("policy", "history", "vibes", "--limit", "1", "--output", "json")
        let item = try JSONParser.parse(Array(history.output.utf8))["items"]?.array?.first
        let doctor = try app.run("doctor", "--dev").output
        let warns = doctor.contains("was applied though") && doctor.contains("Spotify is down")
        return [item?["failing_tests"] == .null ? "-" : "failing", warns ? "warns" : "-"]
      }
      let during = try shown()
      let trail = try app.run("audit", "search", "vibes", "--event", "policy_applied", "--output", "json").output
      let back = try app.run("policy", "rollback", "vibes", "1", "--allow-lockout", "--yes")
      let after = try shown()
      #expect(
        during == ["failing", "warns"] && trail.contains("failing_tests") && after == ["-", "-"], "\(back.errors)")
    }
  }

  @Test("without its word, or without a reason, nothing is applied, and the refusal says what to do")
  func refused() async throws {
    try await Self.run { _, _, apply in
      let plain = try apply()
      let silent = try apply("--allow-failing-tests", "--reason", " ")
      #expect(plain.exit == 1 && plain.errors.contains("--allow-failing-tests --reason WHY"), "\(plain.errors)")
      #expect(silent.exit == 1 && silent.errors.contains("--reason WHY"), "\(silent.errors)")
    }
  }

  @Test("the word opens nothing to a file with another mistake")
  func otherMistake() async throws {
    try await Self.run { app, _, apply in
      let file = app.directory.appending(path: "vibes-edit.yaml")
      let text = try String(contentsOf: file, encoding: .utf8)
      let floor = "schema: gatehouse/floor.v1\nsessions:\n  access_token_ttl: 15m\n"
      try floor.write(to: app.directory.appending(path: "floor.yaml"), atomically: true, encoding: .utf8)
      #expect(try app.run("floor", "apply", "floor.yaml").exit == 0)
      // Further below than the live revision, which is on it.
      try text.replacing("access_token_ttl: 15m", with: "access_token_ttl: 16m").write(
        to: file, atomically: true, encoding: .utf8)
      let below = try apply("--allow-failing-tests", "--reason", "Spotify is down")
      try (text + "nonsense: true\n").write(to: file, atomically: true, encoding: .utf8)
      let wrong = try apply("--allow-failing-tests", "--reason", "Spotify is down")
      #expect(below.exit == 1 && below.errors.contains("P0501") && wrong.exit == 1, "\(below.errors)")
    }
  }

  @Test("impact answers for such a file, with a note")
  func impact() async throws {
    try await Self.run { app, _, _ in
      let asked = try app.run("policy", "impact", "vibes", "vibes-edit.yaml")
      #expect(asked.exit == 0 && asked.errors.contains("of vibes-edit.yaml failed"), "\(asked.errors)")
    }
  }
}
