import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import gatehouse

@Suite("The person at the command line")
struct PersonTests {
  private func name(_ user: UInt32, login: UInt32? = nil, _ environment: [String: String] = [:]) -> String {
    var surroundings = Surroundings(environment: environment, userID: user)
    surroundings.loginUserID = login
    surroundings.accountName = { [1000: "anna", 1001: "bob"][$0] }
    return Person.name(surroundings)
  }

  @Test("the login's user and sudo's are named beside the process's user")
  func persons() {
    #expect(name(0) == "uid 0")
    #expect(name(1000) == "uid 1000 (anna)")
    #expect(name(1000, login: 1000) == "uid 1000 (anna)")
    #expect(name(77) == "uid 77")
    #expect(name(0, login: 1000) == "uid 0 (anna by login)")
    #expect(name(0, login: 55) == "uid 0 (uid 55 by login)")
    #expect(name(0, login: 1000, ["SUDO_USER": "anna", "SUDO_UID": "1000"]) == "uid 0 (anna by sudo)")
    #expect(name(0, ["SUDO_USER": "anna"]) == "uid 0 (anna by sudo)")
    #expect(name(0, ["SUDO_UID": "1000"]) == "uid 0 (uid 1000 by sudo)")
  }

  @Test("what the environment says takes no place of the login's user")
  func pretended() {
    #expect(name(0, login: 1000, ["SUDO_USER": "bob", "SUDO_UID": "1001"]) == "uid 0 (anna by login, bob by sudo)")
    #expect(name(0, ["USER": "bob", "LOGNAME": "bob"]) == "uid 0")
  }

  @Test(
    "a name with other characters than those of accounts is left out",
    arguments: [
      "", "a b", "x by login", "anna)", "anna\n", "\u{202E}anna", "anna,bob", String(repeating: "a", count: 65),
      String(repeating: "a", count: 10_000_000), "ann\u{E4}",
    ])
  func strange(_ sudoer: String) {
    #expect(name(0, ["SUDO_USER": sudoer]) == "uid 0")
    #expect(name(0, ["SUDO_USER": sudoer, "SUDO_UID": "1000\n"]) == "uid 0")
  }

  @Test(
    "a stated name is one short line",
    arguments: [
      "", " anna", "anna ", "a\nb", "a\tb", "a\u{0}b", "\u{1B}[31m", "\u{202E}anna", "\u{200B}", "\u{2028}",
      "x, stated",
      "x)", "(x", "x; y", "a:b", "a\u{A0}b", String(repeating: "\u{E4}", count: 33),
      String(repeating: "a", count: 10_000_000),
    ])
  func refused(_ text: String) { #expect(StatedName(text) == nil) }

  @Test("a stated name stands beside what is known, and is marked")
  func stated() throws {
    let anna = try #require(StatedName("Anna O'Neill-M\u{FC}ller"))
    #expect(Operator(atCommandLine: "uid 0", stated: anna).shown == "uid 0 (as \(anna.text), stated)")
    #expect(
      Operator(atCommandLine: "uid 0 (bob by sudo)").stating(anna).shown
        == "uid 0 (bob by sudo; as \(anna.text), stated)")
  }

  @Test("the audit log, a policy's history and the list of tokens name the person")
  func everywhere() async throws {
    try await ServedApp.run { _, _, app in
      var environment = app.environment
      environment["SUDO_USER"] = "anna"
      func run(_ words: String...) throws -> String {
        let outcome = try Binary.run(words, in: app.directory, environment: environment)
        #expect(outcome.exit == 0, "\(words): \(outcome.errors)")
        return outcome.output
      }
      _ = try run("admin", "create", "ci", "--scope", "audit:read", "--all-tenants", "--as", "Bob Stone")
      let policy = try TestLists.policy("dd-ride") + "\n# another text\n"
      try policy.write(to: app.directory.appending(path: "next.yaml"), atomically: true, encoding: .utf8)
      _ = try run("policy", "apply", "dd-ride", "next.yaml", "--as", "Bob Stone")
      let name = "anna by sudo; as Bob Stone, stated)"
      #expect(try run("admin", "list", "--output", "json").contains(name))
      #expect(try run("policy", "history", "dd-ride", "--output", "json").contains(name))
      let rows = try run("audit", "search", "dd-ride", "--output", "ndjson").split(separator: "\n")
      for event in ["admin_token_created", "policy_applied"] {
        #expect(rows.contains { $0.contains(event) && $0.contains(name) }, "\(event)")
      }
      let refused = try Binary.run(
        ["audit", "export", "dd-ride", "--as", "a\u{202E}b"], in: app.directory, environment: environment)
      #expect(refused.exit == 2 && refused.errors.contains("--as"), "\(refused.errors)")
    }
  }
}
