import Foundation
import Testing

@testable import GatehouseRuntime

/// What a server behind a proxy understood. Each answer repeats it, with the id the proxy gave the request.
private final class Understood: Sendable {
  private let lines = Locked<[String]>([])

  var handler: Handler {
    { [self] request in
      let ids = request.headers.values(of: "x-edge-id").joined(separator: "+")
      let line = "[[\(ids.isEmpty ? "none" : ids) \(request.method) \(request.rawTarget) \(request.body.count)]]"
      lines.withLock { $0.append(line) }
      return .text(line)
    }
  }

  /// Everything since it was last asked.
  func take() -> [String] {
    lines.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }
}

@Suite("Behind a proxy no request is understood differently", .serialized)
struct BehindProxyTests {
  enum Setup: CaseIterable { case haproxy, haproxyAnnouncing, nginx }

  /// The proxy gives each request an id of its own, tells the server in the request and the client in the answer, and
  /// keeps connections to the server for requests of any client.
  private func start(_ setup: Setup, before port: UInt16, mode: String = "http") throws -> FrontProxy {
    let directory = try FrontProxy.directory()
    switch setup {
    case .haproxy, .haproxyAnnouncing:
      let rules =
        mode == "tcp"
        ? ""
        : """
        unique-id-format %[uuid()]
          http-request set-var(txn.meant) method,concat(" ",txn.target)
          http-request set-header X-Edge-Id %[unique-id]
          http-response set-header X-Edge-Id %[unique-id]
        """
      return try FrontProxy(
        .haproxy,
        """
        defaults
          mode \(mode)
          timeout http-request 150ms
          timeout client 150ms
          timeout connect 5s
          timeout server 5s
        frontend front
          bind unix@\(directory)/front mode 666
          \(rules)
          default_backend back
        backend back
          \(mode == "http" ? "http-reuse always" : "")
          server one 127.0.0.1:\(port) \(setup == .haproxyAnnouncing ? "send-proxy-v2" : "")

        """, in: directory)
    case .nginx:
      return try FrontProxy(
        .nginx,
        """
        client_header_timeout 150ms; client_body_timeout 150ms; lingering_close off;
        upstream back { server 127.0.0.1:\(port); keepalive 8; }
        server {
          listen unix:\(directory)/front;
          location / {
            proxy_pass http://back; proxy_http_version 1.1; proxy_set_header Connection "";
            proxy_set_header X-Edge-Id $request_id;
            add_header X-Edge-Id $request_id always;
          }
        }
        """, in: directory)
    }
  }

  /// What is wrong with how `server` understood what came through the proxy, seen from both ends.
  private func problems(_ seen: [String], _ stream: String) -> [String] {
    var problems: [String] = []
    var answered: [String] = []
    // Each answer begins with its status line, which no body holds.
    for answer in stream.components(separatedBy: "HTTP/1.1 ") {
      guard let start = answer.range(of: "[["), let line = answer[start.lowerBound...].split(separator: "\n").first,
        line.hasSuffix("]]")
      else { continue }
      answered.append(String(line))
      let head = answer[..<start.lowerBound].lowercased()
      guard let id = head.firstRange(of: "x-edge-id: ").map({ head[$0.upperBound...].prefix { !$0.isWhitespace } })
      else { continue }
      if !line.hasPrefix("[[\(id) ") { problems.append("the answer to \(line) went to request \(id)") }
    }
    if seen.sorted() != answered.sorted() { problems.append("understood \(seen), answered \(answered)") }
    for line in seen where line.hasPrefix("[[none ") || line.contains("+") {
      problems.append("the proxy does not know of \(line)")
    }
    if Set(seen.map { $0.prefix { $0 != " " } }).count != seen.count { problems.append("one id twice: \(seen)") }
    return problems
  }

  private static let marker = "GET /marker HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

  /// Sends `bytes` and a marker request through the proxy, and takes what comes back until the end.
  private func exchange(_ front: FrontProxy, _ bytes: [UInt8]) throws -> String {
    let client = try RawClient(.unix(path: front.directory + "/front"))
    client.send(bytes + Array(Self.marker.utf8))
    return try client.receiveToEnd()
  }

  @Test("every malformed request, with another behind it", arguments: Setup.allCases)
  func malformed(_ setup: Setup) async throws {
    let understood = Understood()
    let proxies = setup == .haproxyAnnouncing ? loopbackProxies : .none
    try await withServer(loops: 2, proxies: proxies, handler: understood.handler) { running in
      let front = try start(setup, before: try #require(running.address.port))
      for request in MalformedRequest.all {
        let stream = try exchange(front, request.bytes)
        let seen = understood.take()
        #expect(problems(seen, stream) == [], "\(request.name)")
        // What the proxy made of it may have been served, and the marker; never more.
        #expect(seen.count <= 2 + (request.text.contains(" /next ") ? 1 : 0), "\(request.name): \(seen)")
      }
    }
  }

  @Test("a well-formed request comes through whole, and so does the next one", arguments: Setup.allCases)
  func wellFormed(_ setup: Setup) async throws {
    let understood = Understood()
    let proxies = setup == .haproxyAnnouncing ? loopbackProxies : .none
    try await withServer(loops: 2, proxies: proxies, handler: understood.handler) { running in
      let front = try start(setup, before: try #require(running.address.port))
      let post = "POST /post HTTP/1.1\r\nHost: a\r\n"
      let cases = [
        ("GET /get HTTP/1.1\r\nHost: a\r\n\r\n", "GET /get 0"),
        (post + "Content-Length: 3\r\n\r\nabc", "POST /post 3"),
        (post + "Content-Length: 0\r\n\r\n", "POST /post 0"),
        (post + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", "POST /post 5"),
        // A whole request as a body stays a body.
        (
          post + "Content-Length: \(Self.marker.utf8.count)\r\n\r\n" + Self.marker,
          "POST /post \(Self.marker.utf8.count)"
        ),
      ]
      for (text, expected) in cases {
        let stream = try exchange(front, Array(text.utf8))
        let seen = understood.take()
        #expect(problems(seen, stream) == [], "\(text)")
        #expect(
          seen.map { $0.split(separator: " ", maxSplits: 1)[1] } == ["\(expected)]]", "GET /marker 0]]"], "\(text)")
      }
    }
  }

  /// Heads that a proxy and a server may each read in their own way, and may serve or refuse as long as they agree.
  private static let odd: [String] = {
    let get = "GET /odd HTTP/1.1\r\nHost: a\r\n"
    let post = "POST /odd HTTP/1.1\r\nHost: a\r\n"
    let body = "5\r\nabcde\r\n0\r\n\r\n"
    return [
      get + "Connection: x-edge-id\r\n\r\n", get + "Connection: close, host, content-length\r\n\r\n",
      get + "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n",
      get + "Connection: upgrade\r\nUpgrade: websocket\r\n\r\n", get + "Transfer-Encoding: chunked\r\n\r\n" + body,
      get + "Content-Length: 5\r\n\r\nabcde", get + "X-Edge-Id: mine\r\nX_Edge_Id: mine\r\n\r\n",
      post + "Content_Length: 5\r\n\r\n", post + "Transfer_Encoding: chunked\r\n\r\n" + body,
      post + "Content-Length: 005\r\n\r\nabcde", post + "Content-Length: 5 \r\n\r\nabcde",
      post + "Transfer-Encoding: chunked \r\n\r\n" + body, post + "Transfer-Encoding:\tchunked\r\n\r\n" + body,
      post + "Transfer-Encoding: CHUNKED\r\n\r\n" + body, post + "TE: trailers, chunked\r\nContent-Length: 0\r\n\r\n",
      post + "Connection: transfer-encoding\r\nTransfer-Encoding: chunked\r\n\r\n" + body,
      post + "Expect: 100-continue\r\nContent-Length: 5\r\n\r\nabcde", "\r\n" + get + "\r\n",
      "GET http://a/odd HTTP/1.1\r\nHost: a\r\n\r\n", "GET http://a/odd HTTP/1.1\r\nHost: b\r\n\r\n",
      "GET /odd/../odd//%2e%2e/%2F?a=/../&b=%00 HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET /odd;a=b?c?d HTTP/1.1\r\nHost: a\r\n\r\n",
      "POST /odd HTTP/1.0\r\nContent-Length: 5\r\nConnection: keep-alive\r\n\r\nabcde",
      "POST /odd HTTP/1.0\r\nHost: a\r\n\r\nabcde", "HEAD /odd HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabcde",
      "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ]
  }()

  @Test("heads that are odd are understood alike, or refused by one of the two", arguments: Setup.allCases)
  func odd(_ setup: Setup) async throws {
    let understood = Understood()
    let proxies = setup == .haproxyAnnouncing ? loopbackProxies : .none
    try await withServer(loops: 2, proxies: proxies, handler: understood.handler) { running in
      let front = try start(setup, before: try #require(running.address.port))
      for text in Self.odd {
        let stream = try exchange(front, Array(text.utf8))
        let seen = understood.take()
        // An answer to HEAD has no body to compare.
        let found = text.hasPrefix("HEAD") ? [] : problems(seen, stream)
        #expect(found == [], "\(text)")
        #expect(
          seen.count <= 2 && !seen.contains { $0.contains(" /marker ") && !$0.hasSuffix(" 0]]") }, "\(text): \(seen)")
      }
    }
  }

  @Test("the check sees a smuggled request: behind a proxy that only passes bytes on, the marker is one")
  func negativeControl() async throws {
    let understood = Understood()
    try await withServer(handler: understood.handler) { running in
      let front = try start(.haproxy, before: try #require(running.address.port), mode: "tcp")
      let stream = try exchange(front, Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
      #expect(!problems(understood.take(), stream).isEmpty)
    }
    let mixed = "HTTP/1.1 200 OK\r\nx-edge-id: 2\r\n\r\n[[1 GET / 0]]"
    #expect(!problems(["[[1 GET / 0]]"], mixed).isEmpty)
  }
}
