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
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let database = try await TestDatabase.make()
    let environment = Binary.environment(database, in: directory)
    let policy = """
      schema: gatehouse/policy.v1
      tenant: solo
      app: {name: Solo, locales: [en]}
      identifiers: {sign_in_with: [email], email: {normalize: lowercase}}
      password: {max_length: 128, rules: [{id: min8, min_length: 8}]}
      profile: {unknown_fields: reject, fields: {name: {type: string, max_length: 40}}}

      """
    try policy.write(to: directory.appending(path: "solo.yaml"), atomically: true, encoding: .utf8)
    let made = try Binary.run(
      ["tenant", "create", "solo", "--policy", "solo.yaml"], in: directory, environment: environment)
    #expect(made.exit == 0, "\(made.errors)")
    let log = ["audit", "search", "--all-tenants", "--output", "ndjson"]
    let before = try Binary.run(log, in: directory, environment: environment).output
    for (line, word) in [
      ("tenant show", "solo"), ("admin create ci --tenant", "solo"), ("audit search --limit 5", "solo"),
      ("tenant host", "verify"), ("completion", "zsh"),
      ("webhook create solo https://a.example --events", "user.created"),
      ("webhook create solo https://a.example --fields", "name"), ("user set solo al@example.com", "name="),
      ("user list solo --failing", "password.min8"), ("policy explain solo", "password.min8"),
    ] {
      let found = try complete(line, environment, in: directory)
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
    try test.write(to: directory.appending(path: "test.bash"), atomically: true, encoding: .utf8)
    let answered = try Shell.run("bash test.bash", in: directory, environment)
    #expect(answered.output == "solo\nname=\nverify\npolicy:write\n")
    #expect(try Binary.run(log, in: directory, environment: environment).output == before)
    try await database.drop()
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
    let peer = try SilentPeer()
    defer { peer.close() }
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

/// A listener that takes connections and says nothing.
private struct SilentPeer {
  let port: UInt16
  private let descriptor: Int32

  init() throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    try #require(isBound)
    port = UInt16(bigEndian: address.sin_port)
  }

  func close() { _ = Glibc.close(descriptor) }
}
