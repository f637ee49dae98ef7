import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// A live revision that an earlier version applied, whose `providers:` does not name `password`.
@Suite("A password door that is open by an earlier version's reading")
struct KeptPasswordDoorTests {
  private static let file = """
    schema: gatehouse/policy.v1
    tenant: solo
    app: {name: Solo, locales: [en]}
    password: {rules: [{id: min8, min_length: 8}]}
    providers: {google: {use: sign_in, client_id: abc}}

    """

  private static let sentence = """
    revision 2 was applied by an earlier version: the password door is open though providers: does not name password; \
    1 person has no other way to sign in
    """

  /// A tenant with one person and, as its second revision, a row as an earlier server beside this one writes it.
  private func withTenant(
    _ body: (URL, [String: String], (String...) throws -> Binary.Outcome) async throws -> Void
  ) async throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let database = try await TestDatabase.make()
    let environment = try Binary.environment(database, in: directory)
    func run(_ words: String...) throws -> Binary.Outcome {
      try Binary.run(words, in: directory, environment: environment)
    }
    let open = Self.file.replacing("{google:", with: "{password: {use: sign_in}, google:")
    try open.write(to: directory.appending(path: "open.yaml"), atomically: true, encoding: .utf8)
    try Self.file.write(to: directory.appending(path: "solo.yaml"), atomically: true, encoding: .utf8)
    for words in [
      ["tenant", "create", "solo", "--policy", "open.yaml"], ["user", "create", "solo", "al@example.com"],
    ] {
      let made = try Binary.run(words, in: directory, environment: environment)
      #expect(made.exit == 0, "\(made.errors)")
    }
    try await database.runAsSuperuser(
      script: """
        INSERT INTO gatehouse.policy_revision (tenant_id, number, text, digest, author, reason, created_at)
        SELECT tenant_id, 2, $policy$\(Self.file)$policy$, sha256($policy$\(Self.file)$policy$::bytea), author, reason,
          created_at FROM gatehouse.policy_revision;
        """)
    try await body(directory, environment, run)
    try await database.drop()
  }

  @Test("T136 the doctor names the open door, how many people have no other way in, and what to do; once")
  func doctor() async throws {
    try await withTenant { directory, _, run in
      func warnings() throws -> [String] {
        let said = try run("doctor", "--dev", "--output", "json")
        return (try JSONParser.parse(Array(said.output.utf8))["items"]?.array ?? []).compactMap { item in
          item["subject"]?.string == "tenant solo" ? item["finding"]?.string : nil
        }
      }
      #expect(try warnings() == [Self.sentence])
      let applied = try run("policy", "apply", "solo", "solo.yaml", "--allow-lockout", "--yes")
      #expect(applied.exit == 0, "\(applied.errors)")
      #expect(try warnings() == [])
    }
  }

  @Test("T136 the next apply of the same text is refused because it locks users out, and is stricter")
  func apply() async throws {
    try await withTenant { _, _, run in
      let diff = try run("policy", "diff", "solo", "solo.yaml", "--output", "json")
      let changes = try JSONParser.parse(Array(diff.output.utf8))["items"]?.array ?? []
      #expect(changes.map { $0["relation"]?.string } == ["stricter"])
      let impact = try run("policy", "impact", "solo", "solo.yaml")
      #expect(impact.errors.contains("1 of them without another way to sign in"), "\(impact.errors)")
      #expect(try run("policy", "apply", "solo", "solo.yaml", "--allow-lockout", "--yes").exit == 0)
      #expect(try run("policy", "diff", "solo", "solo.yaml").exit == 0)
    }
  }

  @Test("T136 a start reports it in the log and still serves; policy check reports it with --server")
  func start() async throws {
    try await withTenant { directory, environment, run in
      let server = try RunningBinary(
        [
          "serve", "--dev", "--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0",
          "--log-format", "json",
        ], in: directory, environment: environment)
      defer { server.stop() }
      let line = try JSONParser.parse(Array(try await server.line(with: "policy.password_door_kept").utf8))
      #expect(line["tenant"] == .string("solo") && line["revision"] == .integer(2))
      #expect(line["shut_out"] == .integer(1) && line["note"]?.string?.hasPrefix(Self.sentence) == true)
      let started = try JSONParser.parse(Array(try await server.line(with: "server.started").utf8))
      let url = "http://" + (try #require(started["listen"]?.string))
      let answer = try await TestClient(url).post(
        "/t/solo/v1/sign-up", #"{"email":"bo@example.com","password":"longenough"}"#)
      #expect(answer.status == 202, "\(answer.text)")

      let made = try run(
        "admin", "create", "ci", "--scope", "policy:read", "--tenant", "solo")
      let token = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
      let checked = try Binary.run(
        ["policy", "check", "solo.yaml", "--server", "http://" + (try #require(started["admin"]?.string))],
        in: directory, environment: ["GATEHOUSE_ADMIN_TOKEN": token])
      #expect(checked.exit == 0 && checked.errors.contains("note: solo: \(Self.sentence)"), "\(checked.errors)")
      #expect(try run("policy", "check", "solo.yaml").errors.contains(Self.sentence) == false)
    }
  }
}
