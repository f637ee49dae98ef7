import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("The admin API over TLS")
struct AdminEncryptionTests {
  /// A certificate for these names, and its key.
  private func certificate(_ names: String, _ name: String, in directory: URL) throws -> (path: String, key: String) {
    let (path, key) = (directory.path + "/\(name).pem", directory.path + "/\(name).key")
    let openssl = Process()
    openssl.executableURL = URL(filePath: "/usr/bin/env")
    openssl.arguments = [
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
      "-subj",
      "/CN=test", "-addext", "subjectAltName=\(names)", "-keyout", key, "-out", path,
    ]
    openssl.standardError = FileHandle.nullDevice
    try openssl.run()
    openssl.waitUntilExit()
    try #require(openssl.terminationStatus == 0)
    try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: key)
    return (path, key)
  }

  @Test("commands reach it by its certificate alone: not in clear, not by another's, not under another name")
  func encrypted() async throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let mine = try certificate("IP:127.0.0.1", "mine", in: directory)
    let others = try certificate("IP:127.0.0.1", "others", in: directory)
    let database = try await TestDatabase.make()
    let environment = try Binary.environment(
      database, in: directory,
      [
        "GATEHOUSE_MAIL_FROM": "no-reply@auth.example.com", "GATEHOUSE_SMTP_URL": "smtp://127.0.0.1:1",
        "GATEHOUSE_PUBLIC_URL": "https://auth.example.com",
      ])
    let server = try RunningBinary(
      [
        "serve", "--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0",
        "--log-format", "json",
      ], in: directory,
      environment: environment.merging([
        "GATEHOUSE_TLS_CERTIFICATE": mine.path, "GATEHOUSE_TLS_KEY": mine.key,
      ]) { $1 })
    defer { server.stop() }
    let started = try JSONParser.parse(Array(try await server.line(with: "server.started").utf8))
    let address = try #require(started["admin"]?.string)
    let port = try #require(address.split(separator: ":").last)
    let made = try Binary.run(
      ["admin", "create", "ops", "--scope", "all", "--all-tenants"], in: directory, environment: environment)
    try #require(made.exit == 0, "\(made.errors)")
    let token = ["GATEHOUSE_ADMIN_TOKEN": made.output.trimmingCharacters(in: .whitespacesAndNewlines)]
    func list(_ url: String, _ words: String...) throws -> Binary.Outcome {
      try Binary.run(
        ["tenant", "create", "solo", "--if-not-exists", "--server", url] + words, in: directory, environment: token)
    }
    let right = try list("https://\(address)", "--ca-file", mine.path)
    #expect(right.exit == 0 && right.output.hasPrefix("made solo"), "\(right.errors)")
    for (url, file) in [("https://\(address)", others.path), ("https://localhost:\(port)", mine.path)] {
      let wrong = try list(url, "--ca-file", file)
      #expect(wrong.exit == 6, "\(url): \(wrong.output)\(wrong.errors)")
    }
    let clear = try list("http://\(address)", "--ca-file", mine.path)
    #expect(clear.exit == 2 && clear.errors.contains("This port speaks HTTPS: use https://"), "\(clear.errors)")
    #expect(try list("https://\(address)").exit == 6, "an unknown authority")
    #expect(server.stop() == 0)
    try await database.drop()
  }
}
