import Foundation
import GatehouseTesting
import Testing

@testable import GatehouseClient

/// A server that ends its answer at every byte: the caller gets the whole answer or an error, and never less.
@Suite("Answers that are cut")
struct CutAnswerTests {
  /// An answer as it travels, and as it is read.
  struct Shape: CustomStringConvertible {
    let description: String
    let raw: String
    var status = 200
    var body = #"{"name":"Pat"}"#
  }

  private static let fields = "Content-Type: application/json\r\nX-Request-ID: r\r\n"
  static let shapes = [
    Shape(
      description: "a length",
      raw: "HTTP/1.1 200 OK\r\n\(fields)Content-Length: 14\r\n\r\n" + #"{"name":"Pat"}"#),
    Shape(
      description: "chunks",
      raw: "HTTP/1.1 200 OK\r\n\(fields)Transfer-Encoding: chunked\r\n\r\n"
        + "4\r\n{\"na\r\na;x=y\r\nme\":\"Pat\"}\r\n0\r\nX-Trailer: t\r\n\r\n"),
    Shape(
      description: "an interim answer before",
      raw: "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 404 Not Found\r\n\(fields)Content-Length: 14\r\n\r\n"
        + #"{"name":"Pat"}"#, status: 404),
    Shape(description: "no content", raw: "HTTP/1.1 204 No Content\r\n\(fields)\r\n", status: 204, body: ""),
    Shape(
      description: "a length of zero", raw: "HTTP/1.1 200 OK\r\n\(fields)Content-Length: 0\r\n\r\n", body: ""),
  ]

  /// The answer to a request of this path; nil for an error.
  private static func answer(_ peer: HTTPSPeer, _ path: String) async throws -> HTTPAnswer? {
    let url = try #require(URL(string: peer.url(path, host: "127.0.0.1")))
    do {
      return try await SystemTransport().send(HTTPCall(url: url, method: "GET"), deadline: .seconds(20))
    } catch let error as TransportError {
      #expect(error.reason != "deadline", "\(path)")
      return nil
    }
  }

  @Test("an answer that ends at any byte is whole or an error", arguments: shapes, ["", "&reset"])
  func cut(_ shape: Shape, end: String) async throws {
    let peer = try await HTTPSPeer.start(tls: false)
    let raw = Array(shape.raw.utf8)
    try await peer.answer("/cut", raw: raw)
    let whole = try #require(try await Self.answer(peer, "/cut"))
    #expect(whole.status == shape.status && whole.body == Data(shape.body.utf8))
    #expect(whole.headers["x-request-id"] == "r" && whole.headers["x-trailer"] == nil)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for first in 0..<6 {
        group.addTask {
          for count in stride(from: first, to: raw.count, by: 6) {
            guard let answer = try await Self.answer(peer, "/cut?cut=\(count)\(end)") else { continue }
            #expect(answer.status == whole.status && answer.headers == whole.headers, "cut at \(count)")
            #expect(answer.body == whole.body, "cut at \(count)")
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private static let head = "HTTP/1.1 200 OK\r\n"
  static let garbage: [String: String] = [
    "nothing": "", "an empty line": "\r\n\r\n", "no status": "HTTP/1.1\r\n\r\n",
    "a short status": "HTTP/1.1 20\r\n\r\n",
    "a long status": "HTTP/1.1 2000 OK\r\n\r\n", "a status of letters": "HTTP/1.1 abc\r\n\r\n",
    "another protocol": "ICY 200 OK\r\n\r\nmusic", "no head": #"{"name":"Pat"}"#,
    "an interim answer alone": "HTTP/1.1 100 Continue\r\n\r\n",
    "a switch that was not asked for": "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nx",
    "a preface": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a negative length": head + "Content-Length: -5\r\n\r\nhello",
    "a length of letters": head + "Content-Length: five\r\n\r\nhello",
    "a length beyond numbers": head + "Content-Length: 99999999999999999999999999\r\n\r\nhello",
    "a length beyond the bound": head + "Content-Length: 1048577\r\n\r\n",
    "an end that is that of the connection": "HTTP/1.0 200 OK\r\n\r\n" + #"{"name":"Pat"}"#,
    "an encoding without chunks": head + "Transfer-Encoding: gzip\r\n\r\nhello",
    "no chunk": head + "Transfer-Encoding: chunked\r\n\r\nhello",
    "a negative chunk": head + "Transfer-Encoding: chunked\r\n\r\n-5\r\nhello\r\n0\r\n\r\n",
    "a chunk beyond numbers": head + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nhello",
    "a chunk without its end": head + "Transfer-Encoding: chunked\r\n\r\n2\r\nhello\r\n0\r\n\r\n",
    "100 000 fields": head + String(repeating: "X: y\r\n", count: 100_000) + "\r\n",
    "an endless line": head + "X: " + String(repeating: "y", count: 1 << 20),
    "an endless status line": "HTTP/1.1 200 " + String(repeating: "y", count: 1 << 20),
    "fields behind the content without end": head + "Transfer-Encoding: chunked\r\n\r\n0\r\n"
      + String(repeating: "X: y\r\n", count: 100_000),
  ]

  @Test("what is no answer of HTTP, or too much of one, is an error", arguments: garbage.keys.sorted())
  func noAnswer(_ name: String) async throws {
    let peer = try await HTTPSPeer.start(tls: false)
    try await peer.answer("/x", raw: Array((Self.garbage[name] ?? "").utf8))
    #expect(try await Self.answer(peer, "/x") == nil)
  }
}
