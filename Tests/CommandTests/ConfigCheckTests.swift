import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("`config check` asks what `serve` asks")
struct ConfigCheckTests {
  /// Something that is wrong with a configuration, and a part of what is said of it.
  struct Row: Sendable, CustomTestStringConvertible {
    let variable: String
    let value: String
    let said: String
    var testDescription: String { "\(variable)=\(value)" }
  }

  /// `DIR` is the test's directory. There `wrong` holds nothing of use, `open` is a key that others read, and `none` is
  /// not there.
  static let rows = [
    Row(variable: "POLICY_FLOOR", value: "DIR/wrong", said: "the floor \"DIR/wrong\" is wrong"),
    Row(variable: "POLICY_FLOOR", value: "DIR/none", said: "policy.floor: cannot read \"DIR/none\""),
    Row(variable: "LISTS", value: "DIR/lists", said: "\"DIR/lists/common.list\" is not a password list"),
    Row(variable: "LISTS", value: "DIR/domains", said: "/disposable.txt\" is not a list of domains: line 1"),
    Row(variable: "PLACES", value: "DIR/none", said: "places: \"DIR/none\" cannot be read"),
    Row(variable: "WATCH", value: "DIR/none", said: "watch: \"DIR/none\" cannot be listed: No such file or directory"),
    Row(variable: "WATCH", value: "DIR/wrong", said: "watch: \"DIR/wrong\" cannot be listed: Not a directory"),
    Row(variable: "MAIL_TEMPLATES", value: "DIR/none", said: "mail.templates: "),
    Row(variable: "KEK_FILE", value: "DIR/none", said: "kek.file: cannot read \"DIR/none\""),
    Row(variable: "KEK_FILE", value: "DIR/wrong", said: "\"DIR/wrong\" does not hold 32 bytes in base64"),
    Row(variable: "KEK_FILE", value: "DIR/open", said: "kek.file: \"DIR/open\" has mode 0644"),
    Row(variable: "KEK_COMMAND", value: "exit 7", said: "kek.command ended with status 7"),
    Row(variable: "KEK_OTHER_FILE", value: "DIR/open", said: "kek.other_file: \"DIR/open\" has mode 0644"),
    Row(variable: "OUTBOUND_AUTHORITIES", value: "DIR/none", said: "outbound.authorities: cannot read \"DIR/none\""),
    Row(variable: "OUTBOUND_AUTHORITIES", value: "DIR/wrong", said: "outbound.authorities: \"DIR/wrong\" holds no"),
    Row(variable: "SMTP_URL", value: "smtp://a@mail.example.com", said: "smtp_url: "),
    Row(variable: "SMTP_URL", value: "smtp://mail.example.com?ca=DIR/none", said: "smtp_url: option ca: cannot read"),
    Row(variable: "SMTP_URL_FILE", value: "DIR/open", said: "GATEHOUSE_SMTP_URL_FILE: \"DIR/open\" has mode 0644"),
    Row(variable: "LISTEN", value: "localhost", said: "listen: \"localhost\" is not an address and port"),
  ]

  private func folder(_ body: (URL) throws -> Void) throws {
    let folder = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: folder) }
    func write(_ text: String, _ name: String, mode: Int) throws {
      let url = folder.appending(path: name)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: url, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
    }
    try write("nonsense\n", "wrong", mode: 0o400)
    try write(Data(SecureRandom.bytes(32)).base64EncodedString(), "open", mode: 0o644)
    try write("nonsense\n", "lists/common.list", mode: 0o644)
    try write("nonsense\n", "domains/disposable.txt", mode: 0o644)
    try body(folder)
  }

  /// What a command says under these settings; the database is nowhere, so that no start gets further.
  private func run(_ words: [String], _ settings: [String: String], _ folder: URL) throws -> Binary.Outcome {
    var environment = [
      "GATEHOUSE_DATABASE_URL": "postgres://nobody@127.0.0.1:9/nowhere", "GATEHOUSE_DATA_DIR": folder.path + "/data",
      "GATEHOUSE_LISTS": TestLists.root + "/config/lists",
    ]
    for (name, value) in settings { environment["GATEHOUSE_" + name] = value.replacing("DIR", with: folder.path) }
    return try Binary.run(words + ["--dev"], in: folder, environment: environment)
  }

  @Test("config check finds what a start refuses, in the same words", arguments: rows)
  func same(row: Row) throws {
    try folder { folder in
      let said = row.said.replacing("DIR", with: folder.path)
      let started = try run(["serve"], [row.variable: row.value], folder)
      #expect(started.exit != 0 && started.errors.contains(said), "\(started.errors)")
      let checked = try run(["config", "check"], [row.variable: row.value], folder)
      #expect(checked.exit == 1 && checked.errors.contains(said), "\(checked.errors)")
    }
  }

  @Test("all of it is found at once, and nothing is made")
  func together() throws {
    try folder { folder in
      let rows = [0, 4, 5, 7, 8, 13].map { Self.rows[$0] }
      let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
      let settings = Dictionary(rows.map { ($0.variable, $0.value) }) { $1 }
      for words in [["config", "check"], ["serve"]] {
        let told = try run(words, settings, folder)
        for row in rows {
          #expect(told.errors.contains(row.said.replacing("DIR", with: folder.path)), "\(told.errors)")
        }
      }
      #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() == before)
    }
  }

  @Test("a data directory that the private cluster could not be in is found by both")
  func dataDirectory() throws {
    try folder { folder in
      for words in [["config", "check"], ["serve"]] {
        let told = try Binary.run(words + ["--dev", "--data-dir", "data"], in: folder)
        #expect(told.exit != 0 && told.errors.contains("data can not be used: it is not an absolute path"))
      }
    }
  }

  @Test("a certificate that is not its key's is found by both")
  func certificate() throws {
    try folder { folder in
      let (one, other) = (try TestCertificate.make("DNS:a.example"), try TestCertificate.make("DNS:b.example"))
      func settings(_ key: String) -> [String: String] {
        ["TLS_CERTIFICATE": "\(one)/cert.pem", "TLS_KEY": "\(key)/key.pem", "PUBLIC_URL": "https://a.example"]
      }
      chmod("\(one)/key.pem", 0o400)
      chmod("\(other)/key.pem", 0o400)
      for words in [["config", "check"], ["serve"]] {
        let told = try run(words, settings(other), folder)
        #expect(told.exit != 0 && told.errors.contains("\(other)/key.pem"), "\(told.errors)")
      }
      // Negative control.
      #expect(try run(["config", "check"], settings(one), folder).exit == 0)
    }
  }
}
