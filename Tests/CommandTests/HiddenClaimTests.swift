import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// A live revision that an earlier version applied, with a claim that only administrators may see.
@Suite("A claim that an earlier version let a policy have")
struct HiddenClaimTests {
  private static let file = """
    schema: gatehouse/policy.v1
    tenant: solo
    app: {name: Solo, locales: [en]}
    password: {rules: [{id: min8, min_length: 8}]}
    profile: {fields: {risk: {type: string, write: admin, visible_to: admin, claim: true}}}

    """

  @Test("T151 the doctor names the field of a stored revision; the same file is refused by apply")
  func doctor() async throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let database = try await TestDatabase.make()
    let environment = try Binary.environment(database, in: directory)
    func run(_ words: String...) throws -> Binary.Outcome {
      try Binary.run(words, in: directory, environment: environment)
    }
    try Self.file.replacing(", claim: true", with: "")
      .write(to: directory.appending(path: "without.yaml"), atomically: true, encoding: .utf8)
    try Self.file.write(to: directory.appending(path: "solo.yaml"), atomically: true, encoding: .utf8)
    let made = try run("tenant", "create", "solo", "--policy", "without.yaml")
    #expect(made.exit == 0, "\(made.errors)")
    let refused = try run("policy", "apply", "solo", "solo.yaml", "--yes")
    #expect(refused.exit == 1 && refused.errors.contains("P0223"), "\(refused.exit) \(refused.errors)")
    try await database.runAsSuperuser(
      script: """
        INSERT INTO gatehouse.policy_revision (tenant_id, number, text, digest, author, reason, created_at)
        SELECT tenant_id, 2, $policy$\(Self.file)$policy$, sha256($policy$\(Self.file)$policy$::bytea), author, reason,
          created_at FROM gatehouse.policy_revision;
        """)
    let said = try run("doctor", "--dev", "--output", "json")
    let found = (try JSONParser.parse(Array(said.output.utf8))["items"]?.array ?? []).compactMap { item in
      item["subject"]?.string == "tenant solo" ? item["finding"]?.string : nil
    }
    #expect(found == ["profile field \"risk\" is visible to administrators alone, and a claim of every token"])
    try await database.drop()
  }
}
