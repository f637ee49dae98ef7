import Foundation
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import gatehouse

@Suite("The server's certificate")
struct CertificateTests {
  private func config(_ yaml: String) -> (Config, ConfigReader) {
    let surroundings = Surroundings(environment: [:], userID: 1000)
    var reader = ConfigReader([.yaml(Array(yaml.utf8), path: "g.yaml")], surroundings)
    let config = Config(&reader)
    return (config, reader)
  }

  @Test(
    "half a pair and an address without encryption are refused",
    arguments: [
      ("tls:\n  key: /k\n", ["g.yaml:2:8: tls.key needs tls.certificate"]),
      ("tls:\n  certificate: /c\n", ["g.yaml:2:16: tls.certificate needs tls.key"]),
      (
        "dev: true\npublic_url: http://a.example\ntls:\n  certificate: /c\n  key: /k\n",
        ["g.yaml:2:13: public_url must be https: with tls.certificate nothing else is answered"]
      ),
      ("public_url: https://a.example\ntls:\n  certificate: /c\n  key: /k\n", []),
    ])
  func settings(_ yaml: String, _ problems: [String]) {
    let (_, reader) = config(yaml)
    #expect(reader.problems == problems)
  }

  @Test("without a public address the server is reached as it encrypts")
  func reachedAt() {
    #expect(config("tls:\n  certificate: /c\n  key: /k\n").0.reachedAt == "https://127.0.0.1:8080")
    #expect(config("").0.reachedAt == "http://127.0.0.1:8080")
  }

  /// Makes a certificate for a.example and says what the doctor finds about it.
  private func findings(days: Int, mode: Int = 0o400, host: String = "a.example", spoil: Bool = false) throws
    -> [String]
  {
    let folder = try TestFolder.make("doctor")
    let openssl = Process()
    openssl.executableURL = URL(filePath: "/usr/bin/env")
    openssl.arguments = [
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "\(days)",
      "-subj", "/CN=a.example", "-addext", "subjectAltName=DNS:a.example", "-keyout", "\(folder)/k", "-out",
      "\(folder)/c",
    ]
    openssl.standardError = FileHandle.nullDevice
    try openssl.run()
    openssl.waitUntilExit()
    if spoil { try "rubbish".write(toFile: "\(folder)/k", atomically: false, encoding: .utf8) }
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(folder)/k")
    let yaml = "public_url: https://\(host)\ntls:\n  certificate: \(folder)/c\n  key: \(folder)/k\n"
    return MachineFindings.all(config(yaml).0).filter { $0.subject.hasPrefix("tls.") }
      .map { "\($0.subject) \($0.state.rawValue): \($0.words.replacing(folder, with: "DIR"))" }
      // In the second in which it was made it has its whole last day left.
      .map { $0.replacing("\(days) days", with: "\(days - 1) days") }
  }

  @Test("the doctor looks at its end, its hosts, its key and who can read that")
  func doctor() throws {
    #expect(try findings(days: 60, host: "a.example:8443") == ["tls.certificate ok: DIR/c, 59 days left"])
    #expect(try findings(days: 20) == ["tls.certificate warning: \"DIR/c\" expires in 19 days"])
    #expect(
      try findings(days: 60, host: "b.example") == [
        "tls.certificate ok: DIR/c, 59 days left",
        "tls.certificate failure: is not for b.example, where people are sent to",
      ])
    #expect(
      try findings(days: 60, mode: 0o444) == [
        "tls.certificate ok: DIR/c, 59 days left", "tls.key failure: \"DIR/k\" has mode 0444: others can read it",
      ])
    #expect(
      try findings(days: 60, spoil: true) == ["tls.certificate failure: \"DIR/k\" holds no private key in PEM"])
  }
}
