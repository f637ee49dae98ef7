import Foundation
import Glibc
import Testing

@testable import GatehouseRuntime

@Suite("The deployment examples", .serialized)
struct DeployExampleTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  /// A port that was free a moment ago.
  private func freePort() throws -> UInt16 {
    let sockets = try ListeningSockets(.tcp(host: "127.0.0.1", port: 0), count: 1)
    for descriptor in sockets.descriptors { close(descriptor) }
    return try #require(sockets.address.port)
  }

  /// The example as it stands, but for what differs on this machine: each replacement must be there exactly once.
  private func example(_ name: String, _ replacements: [(String, String)]) throws -> String {
    var text = try String(contentsOfFile: "\(Self.root)/deploy/\(name)", encoding: .utf8)
    for (from, to) in replacements {
      #expect(text.components(separatedBy: from).count == 2, "\(from)")
      text = text.replacingOccurrences(of: from, with: to)
    }
    return text
  }

  /// Writes `certificate`, `key` and both in `pair`.
  private func makeCertificate(in directory: String) throws {
    let (status, output) = try Command.run(
      "/usr/bin/openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
        "/CN=auth.example.com", "-addext", "subjectAltName=DNS:auth.example.com", "-keyout", "\(directory)/key", "-out",
        "\(directory)/certificate",
      ])
    try #require(status == 0, "\(output)")
    let pair = try ["certificate", "key"].map { try String(contentsOfFile: "\(directory)/\($0)", encoding: .utf8) }
    try pair.joined().write(toFile: "\(directory)/pair", atomically: true, encoding: .utf8)
  }

  private func start(
    _ kind: FrontProxy.Kind, at port: UInt16, before server: ListenAddress, _ operations: ListenAddress
  )
    throws -> FrontProxy
  {
    let directory = try FrontProxy.directory()
    try makeCertificate(in: directory)
    let operationsPort = try #require(operations.port)
    switch kind {
    case .haproxy:
      return try FrontProxy(
        kind,
        try example(
          "haproxy.cfg",
          [
            // Two descriptors for each connection: more than a test may be allowed.
            ("maxconn 20000", "maxconn 200"),
            ("bind :443", "bind 127.0.0.1:\(port)"), ("/etc/haproxy/auth.example.com.pem", "\(directory)/pair"),
            ("127.0.0.1:8080", "\(server)"), ("check port 9090", "check port \(operationsPort)"),
          ]), in: directory)
    case .nginx:
      return try FrontProxy(
        kind,
        try example(
          "nginx.conf",
          [
            ("listen 443 ", "listen 127.0.0.1:\(port) "),
            ("/etc/ssl/auth.example.com/fullchain.pem", "\(directory)/certificate"),
            ("/etc/ssl/auth.example.com/key.pem", "\(directory)/key"), ("server 127.0.0.1:8080", "server \(server)"),
          ]), in: directory)
    }
  }

  @Test(
    "T030 start, speak TLS, and tell the server their clients, whatever those claim",
    arguments: FrontProxy.Kind.allCases)
  func clients(_ kind: FrontProxy.Kind) async throws {
    // 127.0.0.1 is the proxy, 127.0.0.2 a client.
    let trust = ProxyTrust(kind == .haproxy ? .proxyV2 : .xForwardedFor) { $0.network == PeerAddress("127.0.0.1") }
    let handler: Handler = { .text("\(trust.client(of: $0).address) \($0.rawTarget) \($0.body.count)") }
    try await withServer(proxies: trust, handler: handler) { running in
      let operations = try HTTPServer(
        loops: running.loops, address: .tcp(host: "127.0.0.1", port: 0), handler: { _ in .text("ok") })
      let port = try freePort()
      let front = try start(kind, at: port, before: running.address, operations.address)
      func curl(_ path: String, _ more: [String] = []) throws -> String {
        let host = "auth.example.com:\(port)"
        let arguments = [
          "--silent", "--show-error", "--http2", "--interface", "127.0.0.2", "--resolve", "\(host):127.0.0.1",
          "--cacert", "\(front.directory)/certificate", "--max-time", "10", "--write-out", " %{http_code}",
        ]
        return try Command.run("/usr/bin/curl", arguments + more + ["https://\(host)\(path)"]).output
      }
      let claims = ["X-Forwarded-For: 192.0.2.1", "Forwarded: for=192.0.2.1", "X-Real-IP: 192.0.2.1"]
      #expect(try curl("/t/a/v1/policy") == "127.0.0.2 /t/a/v1/policy 0 200")
      #expect(try curl("/t/a", claims.flatMap { ["-H", $0] }) == "127.0.0.2 /t/a 0 200")
      #expect(try curl("/t/a", ["--http1.1", "-d", "abc"]) == "127.0.0.2 /t/a 3 200")
      #expect(try curl("/openapi.json") == "127.0.0.2 /openapi.json 0 200")
      for path in ["/", "/metrics", "/admin/v1/tenants", "/openapi.jsonx"] {
        #expect(try curl(path).hasSuffix(" 404"), "\(path)")
      }
      _ = await operations.drain(within: .zero)
    }
  }
}
