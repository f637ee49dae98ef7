import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import gatehouse

@Suite("Searching audit logs at the command line")
struct AuditSearchTests {
  @Test("docs/audit-events.md lists the events of the one table")
  func reference() throws {
    let file = ConfigTests.root.appending(path: "docs/audit-events.md")
    if ProcessInfo.processInfo.environment["GATEHOUSE_WRITE_ANSWERS"] != nil {
      try AuditEvents.page.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == AuditEvents.page)
    for event in AuditEvent.allCases {
      #expect(AuditEvents.page.contains("| `\(event.rawValue)` | \(event.outcome) |"))
    }
    let meanings = AuditEvent.allCases.map(\.meaning)
    #expect(Set(meanings).count == meanings.count && meanings.allSatisfy { !$0.isEmpty && !$0.hasSuffix(".") })
  }

  @Test("an unknown event is refused before anything is asked, with the nearest name and the list")
  func unknown() throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let near = try Binary.run(["audit", "search", "dd-ride", "--event", "policy_aplied"], in: directory)
    #expect(near.exit == 2 && near.errors.contains("did you mean \"policy_applied\"?"), "\(near.errors)")
    #expect(near.errors.contains("admin_token_created") && near.errors.contains("user_updated"))
    for text in ["nonsense", "POLICY_APPLIED", "", "a\u{202E}b", String(repeating: "x", count: 100_000)] {
      let refused = try Binary.run(["audit", "search", "dd-ride", "--event", text], in: directory)
      #expect(refused.exit == 2 && refused.errors.utf8.count < 6000, "\(refused.errors.prefix(500))")
      #expect(!refused.errors.contains("\u{202E}"))
    }
  }

  @Test("--by, --since, --until and --all-tenants find the acts of a person and of a token")
  func found() async throws {
    let policies = ["dd-ride": try TestLists.policy("dd-ride"), "vibes": try TestLists.policy("vibes")]
    try await ServedApp.run(policies: policies) { _, _, app in
      let token = try app.adminToken("leaked", "--scope", "all", "--all-tenants")
      var environment = app.environment
      environment["GATEHOUSE_SERVER"] = app.admin
      environment["GATEHOUSE_ADMIN_TOKEN"] = token
      func remote(_ words: String...) throws -> Binary.Outcome {
        try Binary.run(words, in: app.directory, environment: environment)
      }
      #expect(try remote("tenant", "set", "dd-ride", "--display-name", "One").exit == 0)
      #expect(try remote("tenant", "set", "vibes", "--display-name", "Two", "--as", "Bob Stone").exit == 0)
      #expect(try app.run("tenant", "set", "vibes", "--display-name", "Three").exit == 0)
      func names(_ words: String..., isRemote: Bool = false) throws -> [String] {
        let all = ["audit", "search", "--event", "tenant_changed", "--output", "ndjson"] + words
        let outcome = try Binary.run(all, in: app.directory, environment: isRemote ? environment : app.environment)
        #expect(outcome.exit == 0, "\(words): \(outcome.errors)")
        return try outcome.output.split(separator: "\n").map { line in
          let row = try JSONParser.parse(Array(line.utf8))
          return "\(row["tenant"]?.string ?? "?") \(row["details"]?["display_name"]?.string ?? "?")"
        }
      }
      for isRemote in [false, true] {
        #expect(try names("--all-tenants", "--by", "leaked", isRemote: isRemote) == ["vibes Two", "dd-ride One"])
        #expect(try names("--all-tenants", "--by", "operator:leaked", isRemote: isRemote).count == 2)
        #expect(try names("--all-tenants", "--by", "Bob Stone", isRemote: isRemote) == ["vibes Two"])
      }
      #expect(try names("vibes", "--by", "leaked") == ["? Two"])
      #expect(try names("--all-tenants", "--limit", "2") == ["vibes Three", "vibes Two"])
      #expect(try names("--all-tenants", "--since", "1h").count == 3)
      #expect(try names("--all-tenants", "--until", "1h").isEmpty)
      #expect(try names("--all-tenants", "--since", "2020-01-01", "--until", "2020-01-02T00:00:00Z").isEmpty)
      for name in ["leak", "Bob", "%", "_eaked", "leaked (", "') OR true --", "l\u{E9}aked"] {
        #expect(try names("--all-tenants", "--by", name).isEmpty, "\(name)")
      }
      let narrow = try app.adminToken("narrow", "--scope", "audit:read", "--tenant", "vibes")
      environment["GATEHOUSE_ADMIN_TOKEN"] = narrow
      #expect(try remote("audit", "search", "vibes").exit == 0)
      for words in [["--all-tenants"], ["--installation"], ["dd-ride"]] {
        let refused = try Binary.run(["audit", "search"] + words, in: app.directory, environment: environment)
        #expect(refused.exit != 0 && refused.output.isEmpty, "\(words)")
      }
      for words in [
        ["--all-tenants", "vibes"], ["--all-tenants", "--installation"], ["--all-tenants", "--user", "al@example.com"],
        ["vibes", "--since", "soon"], ["vibes", "--by", String(repeating: "x", count: 201)], ["vibes", "--by", "a\nb"],
      ] {
        #expect(try Binary.run(["audit", "search"] + words, in: app.directory, environment: app.environment).exit == 2)
      }
    }
  }
}
