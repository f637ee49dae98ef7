import Foundation
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import gatehouse

@Suite("Words that a shell completes from the database")
struct CompletionTests {
  private func complete(_ line: String, _ environment: [String: String], in directory: URL) throws -> Binary.Outcome {
    let words = line.split(separator: " ").map(String.init)
    return try Binary.run(["__complete"] + words, in: directory, environment: environment)
  }

  @Test("tenants, actions, events, scopes, fields and rules are completed, in bash too, and nothing is written")
  func words() async throws {
    try await SoloGround.run { ground in
      let made = try ground.run("tenant create solo --policy solo.yaml")
      #expect(made.exit == 0, "\(made.errors)")
      let log = "audit search --all-tenants --output ndjson"
      let before = try ground.run(log).output
      for (line, word) in [
        ("tenant show", "solo"), ("admin create ci --tenant", "solo"), ("audit search --limit 5", "solo"),
        ("tenant host", "verify"), ("completion", "zsh"),
        ("webhook create solo https://a.example --events", "user.created"),
        ("webhook create solo https://a.example --fields", "name"), ("user set solo al@example.com", "name="),
        ("user list solo --failing", "password.min8"), ("policy explain solo", "password.min8"),
      ] {
        let found = try complete(line, ground.environment, in: ground.directory)
        #expect(found.exit == 0 && found.errors.isEmpty, "\(line): \(found.errors)")
        #expect(found.output.split(separator: "\n").contains(Substring(word)), "\(line): \(found.output)")
      }
      let script = CompletionScript(commands: Commands.all, nouns: Commands.nouns).text(shell: .bash)
      let test = """
        \(script)
        try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gatehouse; echo "${COMPREPLY[*]}"; }
        try \(Binary.url.path) tenant show so
        try \(Binary.url.path) user set solo al@example.com na
        try \(Binary.url.path) tenant host ver
        try \(Binary.url.path) admin create ci --scope policy:w
        """
      try ground.write(test, to: "test.bash")
      let answered = try Shell.run("bash test.bash", in: ground.directory, ground.environment)
      #expect(answered.output == "solo\nname=\nverify\npolicy:write\n")
      #expect(try ground.run(log).output == before)
    }
  }

  @Test("where there is no database, no server and no such command, nothing is said and nothing is made")
  func nothing() throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let data = directory.appending(path: "data")
    for line in ["tenant show", "no such", "", "user set solo al@example.com"] {
      let found = try complete(line, ["GATEHOUSE_DATA_DIR": data.path], in: directory)
      #expect(found.exit == 0 && found.output.isEmpty && found.errors.isEmpty, "\(line): \(found.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: data.path))
  }

  @Test("a database that does not answer is waited for no longer than a second")
  func silent() throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let peer = try SilentPort(listens: true)
    defer { withExtendedLifetime(peer) {} }
    let began = ContinuousClock.now
    let found = try complete(
      "tenant show", ["GATEHOUSE_DATABASE_URL": "postgres://gatehouse@127.0.0.1:\(peer.port)/gatehouse"], in: directory)
    #expect(found.exit == 0 && found.output.isEmpty && found.errors.isEmpty, "\(found.errors)")
    #expect(ContinuousClock.now - began < .seconds(5))
  }

  @Test("a word that a shell would act on is left out")
  func plain() {
    #expect(CompletionWords.plain(["solo", "$(touch x)", "a b", "`x`", "name="]) == ["solo", "name="])
  }
}
