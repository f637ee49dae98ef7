import Foundation
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("A rollback that would weaken the policy")
struct RollbackHintTests {
  @Test("a refused rollback names the rollback with the missing consent, and that command works")
  func works() async throws {
    let text = try TestLists.policy("dd-ride")
    let edited = text.replacing("refresh_idle_ttl: 60d", with: "refresh_idle_ttl: 30d")
    try #require(edited != text)
    try await ServedApp.run(policies: ["dd-ride": text]) { _, _, app in
      try edited.write(to: app.directory.appending(path: "edited.yaml"), atomically: true, encoding: .utf8)
      let applied = try app.run("policy", "apply", "dd-ride", "edited.yaml", "--reason", "shorter sessions")
      try #require(applied.exit == 0, "\(applied.errors)")
      let refused = try app.run("policy", "rollback", "dd-ride", "1")
      let hint = "gatehouse policy rollback dd-ride 1 --allow sessions.refresh_idle_ttl"
      #expect(refused.exit != 0 && refused.errors.contains(hint), "\(refused.errors)")
      let done = try app.run("policy", "rollback", "dd-ride", "1", "--allow", "sessions.refresh_idle_ttl", "--yes")
      #expect(done.exit == 0, "\(done.errors)")
    }
  }
}
