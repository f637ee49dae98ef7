import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// Webhooks that show fields of people, as an earlier version made them: whose word that was is not known.
@Suite("Webhooks whose fields no operator answers for")
struct WebhookFieldsTests {
  private static let file = """
    schema: gatehouse/policy.v1
    tenant: solo
    app: {name: Solo}
    password: {rules: [{id: min8, min_length: 8}]}
    profile: {fields: {risk: {type: string, write: admin}}}

    """

  @Test("T176 the doctor names a webhook with fields that an earlier version made, until an operator confirms it")
  func doctor() async throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let database = try await TestDatabase.make()
    let environment = try Binary.environment(database, in: directory)
    func run(_ words: String...) throws -> Binary.Outcome {
      try Binary.run(words, in: directory, environment: environment)
    }
    /// What the doctor says of webhooks.
    func found() throws -> [String] {
      let said = try run("doctor", "--dev", "--output", "json")
      return (try JSONParser.parse(Array(said.output.utf8))["items"]?.array ?? []).compactMap { item in
        item["subject"]?.string?.hasPrefix("webhook ") == true ? item["finding"]?.string : nil
      }
    }
    func shown(by scopes: String) async throws -> [String] {
      try await database.runAsSuperuser(script: "UPDATE gatehouse.webhook_endpoint SET shown_by = \(scopes);")
      return try found()
    }
    try Self.file.write(to: directory.appending(path: "solo.yaml"), atomically: true, encoding: .utf8)
    #expect(try run("tenant", "create", "solo", "--policy", "solo.yaml").exit == 0)
    let made = try run("webhook", "create", "solo", "https://example.com/in", "--fields", "email,risk")
    #expect(made.exit == 0, "\(made.errors)")
    #expect(try run("webhook", "create", "solo", "https://example.com/ids").exit == 0)
    #expect(try found() == [])
    let unknown = try await shown(by: "NULL")
    #expect(unknown.count == 1 && unknown.first?.hasPrefix("shows email, risk of people") == true, "\(unknown)")
    let narrow = try await shown(by: "'{user:read}'")
    #expect(narrow.count == 1 && narrow.first?.hasPrefix("risk is not sent") == true, "\(narrow)")
    #expect(try run("webhook", "enable", "solo", "https://example.com/in").exit == 0)
    #expect(try found() == [])
    try await database.drop()
  }
}
