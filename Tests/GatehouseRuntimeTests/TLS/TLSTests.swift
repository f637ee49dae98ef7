import CTLS
import Foundation
import Testing

@testable import GatehouseRuntime

private let request = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"

/// Runs `body` against a server that encrypts.
func withTLSServer<Result>(
  _ credentials: TLSCredentials? = nil, limits: HTTPLimits = HTTPLimits(), observer: (any HTTPObserver)? = nil,
  handler: @escaping Handler = { .text("\($0.method) \($0.rawTarget) \($0.body.count) \($0.isSecure)") },
  _ body: (RunningServer) async throws -> Result
) async throws -> Result {
  let credentials = try credentials ?? TestCertificate.one.credentials()
  return try await withServer(limits: limits, tls: credentials, observer: observer, handler: handler, body)
}

extension RunningServer {
  var port: UInt16 {
    guard case .tcp(_, let port) = address else { return 0 }
    return port
  }
  /// `openssl s_client` on this server, with `input` sent after the handshake.
  func openssl(_ words: String..., input: String = "") throws -> Tool.Result {
    try Tool.run(
      ["timeout", "10", "openssl", "s_client", "-connect", "127.0.0.1:\(port)", "-servername", "localhost"] + words,
      input: input)
  }
}

@Suite("Connections are encrypted")
struct TLSTests {
  @Test("curl gets its answer over both versions, and believes the certificate", arguments: ["1.2", "1.3"])
  func curl(_ version: String) async throws {
    try await withTLSServer { running in
      let answer = try Tool.run([
        "curl", "-sS", "--http1.1", "--tlsv\(version)", "--tls-max", version, "--cacert",
        TestCertificate.one.certificate, "-d", "body", "https://localhost:\(running.port)/p", "--resolve",
        "localhost:\(running.port):127.0.0.1", "-w", " %{http_code} %{http_version}",
      ])
      #expect(answer.output == "POST /p 4 true 200 1.1" && answer.status == 0)
    }
  }

  @Test("versions before 1.2 are refused", arguments: [("-tls1", false), ("-tls1_1", false), ("-tls1_2", true)])
  func oldVersions(_ flag: String, _ works: Bool) async throws {
    try await withTLSServer(TestCertificate.rsa.credentials()) { running in
      let answer = try running.openssl(flag, "-cipher", "ALL:@SECLEVEL=0")
      #expect(answer.output.contains("Cipher is (NONE)") == !works, "\(answer.output)")
      #expect(answer.output.contains("alert protocol version") == !works)
    }
  }

  @Test(
    "ciphers without forward secrecy or authentication of what they encrypt are refused",
    arguments: [
      ("AES128-GCM-SHA256", false), ("AES128-SHA", false), ("ECDHE-RSA-AES128-SHA", false),
      ("ECDHE-RSA-AES128-SHA256", false), ("DHE-RSA-AES128-GCM-SHA256", false), ("ECDHE-RSA-AES128-GCM-SHA256", true),
      ("ECDHE-RSA-CHACHA20-POLY1305", true),
    ])
  func ciphers(_ name: String, _ works: Bool) async throws {
    try await withTLSServer(TestCertificate.rsa.credentials()) { running in
      let client = try running.client()
      let options = ClientTLS.Options(version: TLS1_2_VERSION, ciphers: name + ":@SECLEVEL=0")
      if works {
        #expect(try client.encrypt(options).cipher == name)
      } else {
        #expect(throws: ClientTLS.Failure.self) { try client.encrypt(options) }
      }
    }
  }

  @Test("an unknown ALPN protocol is refused, a known one is chosen, and none means HTTP/1.1")
  func alpn() async throws {
    try await withTLSServer { running in
      #expect(throws: ClientTLS.Failure.self) {
        try running.encryptedClient(ClientTLS.Options(protocols: ["spdy/3", "http/1.0"]))
      }
      let client = try running.encryptedClient(ClientTLS.Options(protocols: ["spdy/3", "http/1.1"]))
      #expect(client.tls?.chosen == "http/1.1")
      client.send(request)
      #expect(try client.receive().status == 200)
      let silent = try running.encryptedClient()
      silent.send(request)
      #expect(try silent.receive().body == "GET /a 0 true")
    }
  }

  @Test("a new handshake within a connection is refused, new keys are not")
  func renegotiation() async throws {
    try await withTLSServer { running in
      let client = try running.encryptedClient(ClientTLS.Options(version: TLS1_2_VERSION))
      client.send(request)
      #expect(try client.receive().status == 200)
      #expect(client.tls?.renegotiate() == false)
      let modern = try running.encryptedClient(ClientTLS.Options(version: TLS1_3_VERSION))
      for _ in 0..<3 {
        #expect(modern.tls?.updateKeys() == true)
        modern.send(request)
        #expect(try modern.receive().status == 200)
      }
    }
  }

  @Test("the end of a connection is sent encrypted, so that it cannot be forged")
  func closeNotify() async throws {
    try await withTLSServer { running in
      let client = try running.encryptedClient()
      client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      #expect(try client.receive().headers["connection"] == "close")
      #expect(try client.receiveToEnd() == "")
    }
  }

  @Test("a client that speaks HTTP in clear gets a hint and no answer", arguments: ["GET", "POST", "OPTIONS", "PRI"])
  func clearText(_ method: String) async throws {
    try await withTLSServer { running in
      let client = try running.client()
      client.send("\(method) /secret HTTP/1.1\r\nHost: x\r\n\r\n")
      let answer = try client.receive()
      #expect(answer.status == 400 && answer.headers["connection"] == "close" && answer.body.contains("https://"))
      #expect(try client.receiveToEnd() == "")
    }
  }

  @Test("a connection that speaks neither TLS nor HTTP is closed without an answer in clear")
  func rubbish() async throws {
    try await withTLSServer { running in
      for bytes: [UInt8] in [[0], [0x16, 3, 1, 0xFF, 0xFF] + [UInt8](repeating: 9, count: 600), [0x80, 0x2E, 1, 3]] {
        let client = try running.client()
        client.send(bytes)
        client.finishWriting()
        #expect(try client.receiveToEnd().contains("HTTP") == false)
      }
      let client = try running.encryptedClient()
      client.send(request)
      #expect(try client.receive().status == 200)
    }
  }

  @Test("a handshake has the time of a head", arguments: [0, 1, 100])
  func slowHandshake(_ count: Int) async throws {
    var limits = HTTPLimits()
    limits.head = .milliseconds(30)
    try await withTLSServer(limits: limits) { running in
      let client = try running.client()
      // The beginning of a handshake message that never ends.
      client.send(Array(([0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3] + [UInt8](repeating: 7, count: 200)).prefix(count)))
      #expect(try client.receiveToEnd() == "")
    }
  }
}

@Suite("Encrypted connections under pressure")
struct TLSPressureTests {
  @Test("malformed requests are refused as without encryption")
  func malformed() async throws {
    try await withTLSServer { running in
      for request in MalformedRequest.all {
        let client = try running.encryptedClient()
        client.send(request.bytes)
        #expect(try client.receive().status == request.status, "\(request.name)")
        #expect(try client.receiveToEnd() == "", "\(request.name)")
      }
    }
  }

  @Test("requests that lie decrypted in the transport are not forgotten")
  func buffered() async throws {
    var limits = HTTPLimits()
    limits.pipelinedBytes = 100
    limits.requestsPerTurn = 2
    let handler: Handler = { request in
      await Task.yield()
      return .text(request.path)
    }
    try await withTLSServer(limits: limits, handler: handler) { running in
      let client = try running.encryptedClient()
      let paths = (0..<1500).map { "/\($0)" }
      client.send(paths.map { "GET \($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined())
      for path in paths { #expect(try client.receive().body == path) }
    }
  }

  @Test("a slow reader gets every byte of a long answer")
  func slowReader() async throws {
    let text = String((0..<400_000).map { Character(UnicodeScalar(UInt8(0x41 + $0 % 26))) })
    try await withTLSServer(handler: { _ in .text(text) }) { running in
      let client = try running.encryptedClient(receiveBuffer: 4096)
      for _ in 0..<4 { client.send(request) }
      for _ in 0..<4 { #expect(try client.receive().body == text) }
    }
  }

  @Test("a reader that never reads is cut")
  func noReader() async throws {
    var limits = HTTPLimits()
    limits.write = .milliseconds(50)
    let text = String(repeating: "a", count: 8_000_000)
    try await withTLSServer(limits: limits, handler: { _ in .text(text) }) { running in
      let client = try running.encryptedClient(receiveBuffer: 4096)
      client.send(request)
      var poller = pollfd(fd: client.descriptor, events: Int16(POLLHUP), revents: 0)
      #expect(poll(&poller, 1, 10_000) == 1)
    }
  }

  @Test("long bodies come through whole, however their records are cut")
  func bodies() async throws {
    let handler: Handler = { .text("\($0.body.count) \($0.body.reduce(0) { $0 &+ Int($1) })") }
    try await withTLSServer(handler: handler) { running in
      let client = try running.encryptedClient()
      for size in [1, 16_384, 65_536] {
        let body = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(size)\r\n\r\n")
        for start in stride(from: 0, to: size, by: 9999) { client.send(Array(body[start..<min(start + 9999, size)])) }
        #expect(try client.receive().body == "\(size) \(body.reduce(0) { $0 &+ Int($1) })")
      }
    }
  }

  @Test("connections beyond the limit are closed before any handshake")
  func turnedAway() async throws {
    var limits = HTTPLimits()
    limits.connections = 1
    let gate = Gate()
    try await withTLSServer(limits: limits, handler: gate.holding) { running in
      let first = try running.encryptedClient()
      first.send(request.replacing(" /a ", with: " /held "))
      await gate.reached()
      #expect(throws: ClientTLS.Failure.self) { try running.encryptedClient() }
      gate.open()
      #expect(try first.receive().status == 200)
    }
  }

  @Test("behind a proxy that announces clients, its header comes before the handshake")
  func behindProxy() async throws {
    let trust = ProxyTrust(.proxyV2) { _ in true }
    let credentials = try TestCertificate.one.credentials()
    try await withServer(proxies: trust, tls: credentials, handler: { .text($0.peer.address) }) { running in
      let client = try running.client()
      let header: [UInt8] =
        [0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A, 0x21, 0x11, 0, 12]
        + [192, 0, 2, 7, 127, 0, 0, 1, 0, 80, 1, 187]
      client.send(header)
      try client.encrypt()
      client.send(request)
      #expect(try client.receive().body == "192.0.2.7")
    }
  }
}
