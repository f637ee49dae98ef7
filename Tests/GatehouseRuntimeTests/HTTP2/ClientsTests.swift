import CTLS
import Foundation
import Testing

@testable import GatehouseRuntime

@Suite("Clients that others wrote speak HTTP/2 with the server")
struct ClientsTests {
  private static let echo: Handler = { .text("\($0.method) \($0.rawTarget) \($0.body.count) \($0.isSecure)") }

  private func curl(_ words: [String], _ url: String) throws -> String {
    try Tool.run(["curl", "-sS", "-m", "10", "-w", " %{http_code} %{http_version}"] + words + [url]).output
  }

  @Test("curl over TLS, by ALPN", arguments: ["1.2", "1.3"])
  func curlEncrypted(_ version: String) async throws {
    try await withTLSServer(handler: Self.echo) { running in
      let url = "https://localhost:\(running.port)/p?q"
      let words = [
        "--http2", "--tlsv\(version)", "--tls-max", version, "--cacert", TestCertificate.one.certificate, "--resolve",
        "localhost:\(running.port):127.0.0.1",
      ]
      let plain = try curl(words, url)
      #expect(plain == "GET /p?q 0 true 200 2")
      #expect(try curl(words + ["-d", "body"], url) == "POST /p?q 4 true 200 2")
      let big = String(repeating: "a", count: 60_000)
      #expect(try curl(words + ["-d", big, "-H", "Expect: 100-continue"], url) == "POST /p?q 60000 true 200 2")
      #expect(try curl(words + ["-I"], url).contains("content-length: 16"))
      #expect(try curl(words + ["--http1.1"], url) == "GET /p?q 0 true 200 1.1")
    }
  }

  @Test("curl in clear, by prior knowledge")
  func curlClear() async throws {
    try await withServer(handler: Self.echo) { running in
      let url = "http://127.0.0.1:\(running.port)/p"
      let known = try curl(["--http2-prior-knowledge"], url)
      #expect(known == "GET /p 0 false 200 2")
      // An upgrade (RFC 7540) is not taken up: the answer is that of HTTP/1.1.
      #expect(try curl(["--http2"], url) == "GET /p 0 false 200 1.1")
    }
  }

  @Test("nghttp, with many requests on one connection and a body that waits to be asked for")
  func nghttp() async throws {
    let file = TestCertificate.directory() + "/body"
    try Data(repeating: 65, count: 50_000).write(to: URL(fileURLWithPath: file))
    try await withTLSServer(handler: Self.echo) { running in
      let url = "https://127.0.0.1:\(running.port)/a"
      let many = try Tool.run(["timeout", "10", "nghttp", "-y", "-v", "-m", "20", url])
      #expect(many.status == 0 && many.output.components(separatedBy: ":status: 200").count == 21)
      let waiting = try Tool.run(["timeout", "10", "nghttp", "-y", "-v", "--expect-continue", "-d", file, url])
      #expect(waiting.output.contains(":status: 100") && waiting.output.contains("POST /a 50000 true"))
    }
  }

  @Test("thousands of requests all succeed while certificates change under them")
  func load() async throws {
    let place = try TestCertificate.one.copied()
    let credentials = try place.credentials()
    try await withTLSServer(credentials, handler: Self.echo) { running in
      let url = "https://127.0.0.1:\(running.port)/a"
      let load = Task.detached { try Tool.run(["timeout", "60", "h2load", "-n", "4000", "-c", "8", "-m", "20", url]) }
      for round in 0..<20 {
        try (round % 2 == 0 ? TestCertificate.two : TestCertificate.one).copy(over: place)
        credentials.use(try credentials.read(certificate: place.certificate, key: place.key))
        let client = try running.encryptedClient()
        #expect(client.tls?.serverName == (round % 2 == 0 ? "two" : "one"))
      }
      let result = try await load.value
      #expect(result.output.contains("4000 succeeded, 0 failed"), "\(result.output)")
    }
  }

  @Test("openssl and ALPN agree on the dearest protocol both speak")
  func alpn() async throws {
    try await withTLSServer { running in
      for (offer, chosen) in [("h2,http/1.1", "h2"), ("http/1.1,h2", "h2"), ("http/1.1", "http/1.1"), ("x,h2", "h2")] {
        let answer = try running.openssl("-alpn", offer)
        #expect(answer.output.contains("ALPN protocol: \(chosen)\n"))
      }
      #expect(try running.openssl("-alpn", "x,y").output.contains("no application protocol"))
      #expect(try running.openssl().output.contains("No ALPN negotiated"))
    }
  }

  @Test("what was agreed on is spoken, whatever the bytes say")
  func agreed() async throws {
    try await withTLSServer { running in
      let one = try running.encryptedClient(ClientTLS.Options(protocols: ["http/1.1"]))
      one.send(Frame.greeting + Frame.get(1).bytes)
      #expect(try one.receive().status == 505)
      let two = try running.encryptedClient(ClientTLS.Options(protocols: ["h2"]))
      two.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
      let answer = try two.receiveToEnd()
      #expect(!answer.contains("HTTP/1.1"))
      let three = try running.encryptedClient(ClientTLS.Options(protocols: ["h2"]))
      let reader = FrameReader()
      three.send(Frame.greeting + Frame.get(1, "/a").bytes)
      while reader.answers[1]?.isEnded != true, let bytes = try three.receiveSome() { reader.add(bytes) }
      #expect(reader.answers[1]?.text == "GET /a 0 true")
    }
  }

  @Test("malformed heads are refused over TLS as in clear")
  func malformed() async throws {
    try await withTLSServer { running in
      for head in MalformedHead.all where head.status != 431 {
        let client = try running.encryptedClient(ClientTLS.Options(protocols: ["h2"]))
        let reader = FrameReader()
        client.send(Frame.greeting + Frame.headers(1, head.fields).bytes)
        while reader.answers[1]?.isEnded != true, reader.answers[1]?.reset == nil, let bytes = try client.receiveSome()
        {
          reader.add(bytes)
        }
        #expect(reader.answers[1]?.status == head.status, "\(head.name)")
      }
    }
  }
}
