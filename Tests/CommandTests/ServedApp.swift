import Foundation
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// The built executable serving tenants on a database of its own, and the commands beside it.
struct ServedApp {
  let url: String
  let operations: String
  let admin: String
  let directory: URL
  let environment: [String: String]

  /// Runs a test against a server of its own, with policies by tenant: DD Ride by its true one unless others are given.
  /// `files` stand in its directory before it starts.
  static func run(
    policies texts: [String: String]? = nil, files: [String: String] = [:], environment more: [String: String] = [:],
    _ body: (RunningBinary, TestDatabase, ServedApp) async throws -> Void
  ) async throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let policies = directory.appending(path: "policies")
    try FileManager.default.createDirectory(at: policies, withIntermediateDirectories: true)
    for (name, text) in files {
      let file = directory.appending(path: name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }
    let texts = try texts ?? ["dd-ride": TestLists.policy("dd-ride")]
    for (name, text) in texts {
      try text.write(to: policies.appending(path: "\(name).yaml"), atomically: true, encoding: .utf8)
    }
    let database = try await TestDatabase.make()
    let environment = try Binary.environment(database, in: directory, more, hasKey: false)
    let server = try RunningBinary(
      [
        "serve", "--dev", "--watch", "policies", "--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0",
        "--admin-listen", "127.0.0.1:0",
        "--log-format", "json",
      ], in: directory, environment: environment)
    defer { server.stop() }
    let started = try JSONParser.parse(Array(try await server.line(with: "server.started").utf8))
    _ = try await server.line(with: "tenant.created")
    let app = ServedApp(
      url: "http://" + (try #require(started["listen"]?.string)),
      operations: "http://" + (try #require(started["operations"]?.string)),
      admin: "http://" + (try #require(started["admin"]?.string)), directory: directory,
      environment: environment)
    // The server hears of its new tenants from the database.
    for name in texts.keys {
      _ = try await eventually { try await TestClient(app.url).get("/t/\(name)/v1/policy").status == 200 }
    }
    try await body(server, database, app)
    #expect(server.stop() == 0)
    try await database.drop()
  }

  /// An admin token with these scopes and tenants, as the command line takes them.
  func adminToken(_ name: String, _ words: String...) throws -> String {
    let made = try Binary.run(["admin", "create", name] + words, in: directory, environment: environment)
    try #require(made.exit == 0, "\(made.errors)")
    return made.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Writes a file of its directory anew, as an editor does.
  func write(_ text: String, to name: String) throws {
    let file = directory.appending(path: name)
    try text.write(to: file, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
  }

  /// Runs a command beside the server.
  func run(_ words: String...) throws -> Binary.Outcome {
    try Binary.run(words, in: directory, environment: environment)
  }

  /// The newest mail to an address, once there is one.
  func mail(to address: String) async throws -> StoredMail {
    let reader = MailFilesReader(directory: directory.path + "/data/outbox")
    var newest: StoredMail?
    _ = try await eventually {
      newest = try? reader.latest(to: address)?.mail
      return newest != nil
    }
    return try #require(newest)
  }
}
