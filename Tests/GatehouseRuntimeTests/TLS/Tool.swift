import Foundation
import GatehouseTesting
import Testing

@testable import GatehouseRuntime

/// A foreign program, run to its end.
enum Tool {
  struct Result {
    let status: Int32
    let output: String
  }

  /// Runs `words` with nothing to read but `input`; standard output and error together.
  static func run(_ words: [String], input: String = "") throws -> Result {
    let process = Process()
    let output = Pipe()
    let source = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.standardOutput = output
    process.standardError = output
    process.standardInput = source
    try process.run()
    try source.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try source.fileHandleForWriting.close()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return Result(status: process.terminationStatus, output: text)
  }
}

/// Certificates that sign themselves, made once for all tests.
struct TestCertificate {
  let certificate: String
  let key: String

  static let one = made("one")
  static let two = made("two")
  static let rsa = made("rsa", kind: ["-newkey", "rsa:2048"])

  /// A directory of its own for a test that changes its files.
  static func directory() -> String {
    let path = try? TestFolder.make("tls")
    #expect(path != nil)
    return path ?? ""
  }

  private static func made(_ name: String, kind: [String] = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"])
    -> TestCertificate
  {
    let folder = directory()
    let pair = TestCertificate(certificate: "\(folder)/c.pem", key: "\(folder)/k.pem")
    let answer = try? Tool.run(
      ["openssl", "req", "-x509"] + kind + [
        "-nodes", "-days", "30", "-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
        "-keyout", pair.key, "-out", pair.certificate,
      ])
    #expect(answer?.status == 0, "\(answer?.output ?? "openssl did not run")")
    return pair
  }

  func credentials() throws -> TLSCredentials { try TLSCredentials(certificate: certificate, key: key) }

  /// Puts copies of this pair where `place` is.
  func copy(over place: TestCertificate) throws {
    try Data(contentsOf: URL(fileURLWithPath: certificate)).write(to: URL(fileURLWithPath: place.certificate))
    try Data(contentsOf: URL(fileURLWithPath: key)).write(to: URL(fileURLWithPath: place.key))
  }

  /// A copy in a place of its own.
  func copied() throws -> TestCertificate {
    let folder = Self.directory()
    let pair = TestCertificate(certificate: "\(folder)/c.pem", key: "\(folder)/k.pem")
    try copy(over: pair)
    return pair
  }
}
