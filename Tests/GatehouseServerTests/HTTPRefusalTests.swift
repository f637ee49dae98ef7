import Foundation
import GatehousePrimitives
import GatehouseRuntime
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Glibc
import Testing

@testable import GatehouseServer

@Suite("Refusals of the HTTP layer")
struct HTTPRefusalTests {
  enum Listener: CaseIterable {
    case main, admin, operations

    func url(_ server: TestServer) -> String {
      switch self {
      case .main: server.url
      case .admin: server.adminURL
      case .operations: server.operationsURL
      }
    }
  }

  /// Heads that are refused before a route is known, with the refusal's status and code.
  static let heads: [(head: String, status: Int, code: String)] = [
    ("GET / HTTP/1.1\r\n\r\n", 400, "malformed_request"),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n", 413, "payload_too_large"),
    ("GET /\(String(repeating: "a", count: 20_000)) HTTP/1.1\r\nHost: a\r\n\r\n", 414, "uri_too_long"),
    ("GET / HTTP/1.1\r\nHost: a\r\nExpect: more\r\n\r\n", 417, "expectation_failed"),
    (
      "GET / HTTP/1.1\r\nHost: a\r\n\((0..<300).map { "X-\($0): y\r\n" }.joined())\r\n", 431, "header_fields_too_large"
    ),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501, "not_implemented"),
    ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505, "http_version_not_supported"),
  ]

  /// Sends bytes over a socket of its own and reads to the end of the connection.
  private func exchange(_ text: String, at url: String) throws -> (head: String, body: JSONValue) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var patience = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = try #require(url.split(separator: ":").last.flatMap { UInt16($0) }).bigEndian
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    try #require(isConnected)
    let bytes = Array(text.utf8)
    try #require(Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
    var answer: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while case let count = recv(descriptor, &piece, piece.count, 0), count > 0 { answer += piece[..<count] }
    let parts = String(decoding: answer, as: UTF8.self).components(separatedBy: "\r\n\r\n")
    try #require(parts.count == 2, "\(parts)")
    return (parts[0].lowercased(), try JSONParser.parse(Array(parts[1].utf8), limits: .stored))
  }

  @Test(
    "T141 each is a problem with code, name of the request and its field, on every listener; the connection closes",
    arguments: Listener.allCases)
  func problem(listener: Listener) async throws {
    try await SharedServer.run { server in
      for (head, status, code) in Self.heads {
        let answer = try exchange(head, at: listener.url(server))
        #expect(answer.head.hasPrefix("http/1.1 \(status) "), "\(code): \(answer.head)")
        #expect(answer.head.contains("content-type: application/problem+json"))
        #expect(answer.head.contains("connection: close") && answer.head.contains("cache-control: no-store"))
        #expect(answer.body["code"] == .string(code) && answer.body["status"] == .integer(Int64(status)))
        let id = try #require(answer.body["request_id"]?.string)
        #expect(id.utf8.count == 15 && answer.head.contains("x-request-id: \(id)"), "\(code): \(answer.head)")
      }
    }
  }

  @Test("T141 over HTTP/2 they are the same")
  func http2() async throws {
    try await SharedServer.run { server in
      let curl = Process()
      let output = Pipe()
      curl.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
      curl.arguments = [
        "-s", "-i", "--http2-prior-knowledge", "-H", "X-Much: \(String(repeating: "a", count: 40_000))", server.url,
      ]
      curl.standardOutput = output
      try curl.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      curl.waitUntilExit()
      let body = try JSONParser.parse(
        Array((text.components(separatedBy: "\r\n\r\n").last ?? "").utf8), limits: .stored)
      #expect(body["code"] == .string("header_fields_too_large"), "\(text)")
      let id = try #require(body["request_id"]?.string)
      #expect(text.lowercased().contains("x-request-id: \(id)"))
    }
  }

  @Test("T141 each is in the log under its name")
  func logged() throws {
    let records = LockBox<[RequestRecord]>([])
    let refusals = HTTPRefusals(ids: RequestIDs()) { record in records.withLock { $0.append(record) } }
    let response = refusals.response(431, nil)
    let record = try #require(records.withLock { $0 }.first)
    #expect(record.requestID == response.requestID && record.status == 431 && record.code == .headerFieldsTooLarge)
  }

  @Test("T141 the reason of each status has that status")
  func table() {
    for (status, code) in HTTPRefusals.codes { #expect(code.status == status) }
  }
}
