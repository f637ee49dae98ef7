import Foundation
import Testing

@testable import GatehouseClient
@testable import GatehouseRuntime

@Suite("The Swift client speaks HTTP/2 with the server")
struct ClientTransportTests {
  /// Requests that wait for each other.
  private actor Meeting {
    private let size: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(of size: Int) { self.size = size }

    func join() async {
      await withCheckedContinuation { one in
        waiting.append(one)
        guard waiting.count == size else { return }
        for one in waiting { one.resume() }
      }
    }
  }

  @Test("more requests than a host has connections are under way at once, on one connection")
  func multiplexed() async throws {
    let (meeting, counts) = (Meeting(of: 12), HTTPServerTests.Counts())
    let handler: Handler = { request in
      guard request.rawTarget == "/meet" else { return .text("\(request.method) \(request.body.count)") }
      await meeting.join()
      return .text("met")
    }
    try await withTLSServer(observer: counts, handler: handler) { running in
      let transport = CurlTransport(authorities: TestCertificate.one.certificate)
      let base = "https://localhost:\(running.port)"
      func send(_ path: String, _ body: Data? = nil) async throws -> String {
        let url = try #require(URL(string: base + path))
        let call = HTTPCall(url: url, method: body == nil ? "GET" : "POST", body: body)
        return String(decoding: try await transport.send(call, deadline: .seconds(20)).body, as: UTF8.self)
      }
      #expect(try await send("/", Data(repeating: 0x61, count: 60_000)) == "POST 60000")
      try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<12 { group.addTask { try await send("/meet") } }
        for try await text in group { #expect(text == "met") }
      }
      #expect(counts.seen.withLock { $0.count { $0 == "opened" } } == 1)
    }
  }
}
