import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import gatehouse

@Suite("Files with secrets that others can read")
struct OwnerOnlyFileTests {
  private func file(_ text: String, mode: Int) throws -> String {
    let path = TestFolder.path("secret")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }

  /// What a start with this key says; the database is nowhere, so that none gets further.
  private func start(key: String, _ name: String) throws -> Binary.Outcome {
    let folder = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: folder) }
    return try Binary.run(
      ["serve", "--dev", "--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0"], in: folder,
      environment: [
        "GATEHOUSE_DATABASE_URL": "postgres://nobody@127.0.0.1:9/nowhere", "GATEHOUSE_DATA_DIR": folder.path + "/data",
        "GATEHOUSE_LISTS": TestLists.root + "/config/lists", name: key,
      ])
  }

  @Test(
    "T142 a start with such a key-encryption key is refused with path, mode and command",
    arguments: ["GATEHOUSE_KEK_FILE", "GATEHOUSE_KEK_OTHER_FILE"])
  func key(name: String) throws {
    let text = Data(SecureRandom.bytes(32)).base64EncodedString()
    let open = try file(text, mode: 0o644)
    let refused = try start(key: open, name)
    #expect(refused.exit == 2)
    #expect(
      refused.errors.contains("\"\(open)\" has mode 0644: others can read it; run: chmod 0400 \"\(open)\""),
      "\(refused.errors)")
    #expect(!refused.errors.contains(text))
    let kept = try start(key: try file(text, mode: 0o400), name)
    #expect(!kept.errors.contains("has mode"), "\(kept.errors)")
  }

  @Test("T142 such a file of a setting is a problem of the configuration")
  func setting() throws {
    let path = try file("postgres://u:p@h/d", mode: 0o644)
    let surroundings = Surroundings(environment: ["GATEHOUSE_DATABASE_URL_FILE": path], userID: 1000)
    var reader = ConfigReader([.variables(surroundings)], surroundings)
    _ = Config(&reader)
    #expect(
      reader.problems == [
        "GATEHOUSE_DATABASE_URL_FILE: \"\(path)\" has mode 0644: others can read it; run: chmod 0400 \"\(path)\""
      ])
  }

  /// Each flag and variable that names a file with a secret for a command.
  @Test(
    "T205 such a file with a secret for a command is refused with path, mode and command, and one that is kept is read",
    arguments: [
      (["user", "list", "dd-ride", "--server", "http://127.0.0.1:9", "--token-file"], nil),
      (["user", "list", "dd-ride", "--server", "http://127.0.0.1:9"], "GATEHOUSE_ADMIN_TOKEN_FILE"),
      (["secret", "set", "dd-ride", "key", "--server", "http://127.0.0.1:9", "--no-input", "--secret-file"], nil),
    ] as [([String], String?)])
  func command(words: [String], variable: String?) throws {
    let folder = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: folder) }
    func run(_ path: String) throws -> Binary.Outcome {
      var environment = ["GATEHOUSE_ADMIN_TOKEN": "other-token"]
      if words.last == "--token-file" || variable != nil { environment = [:] }
      if let variable { environment[variable] = path }
      return try Binary.run(words + (variable == nil ? [path] : []), in: folder, environment: environment)
    }
    for mode in [0o644, 0o622, 0o604] {
      let open = try file("canary-token", mode: mode)
      let refused = try run(open)
      let said = "\"\(open)\" has mode 0\(String(mode, radix: 8)): others can read it; run: chmod 0400 \"\(open)\""
      #expect(refused.exit == 2 && refused.errors.contains(said), "\(refused.errors)")
    }
    let kept = try run(try file("canary-token", mode: 0o600))
    #expect(kept.exit == 6 && !kept.errors.contains("has mode"), "\(kept.errors)")
  }

  @Test("T142 such a key of the certificate is refused at the start")
  func certificate() throws {
    let folder = try TestCertificate.make("DNS:a.example")
    let files = Config.TLS(certificate: "\(folder)/cert.pem", key: "\(folder)/key.pem")
    try FileManager.default.setAttributes([.posixPermissions: 0o604], ofItemAtPath: files.key)
    let log = Log(level: .error, form: LogForm.json) { _ in }
    let failure = #expect(throws: Failure.self) { try Certificate(files, log) }
    #expect(failure?.messages.joined().contains("tls.key: \"\(files.key)\" has mode 0604") == true)
  }
}
