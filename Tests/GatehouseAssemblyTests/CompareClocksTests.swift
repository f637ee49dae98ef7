import Foundation
import GatehouseAssembly
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("A server compares its clock with the database's")
struct CompareClocksTests {
  private static func run(_ body: (TestServer) async throws -> Void) async throws {
    let server = try await TestServer.start()
    do {
      try await body(server)
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  /// Sets the server's clock so many seconds ahead, and has it compared.
  private static func compare(_ seconds: Double, _ server: TestServer) async throws -> TestClient.Answer {
    server.clock.set(Date().addingTimeInterval(seconds))
    _ = try await server.round(of: .compareClocks)
    return try await TestClient(server.operationsURL).get("/readyz")
  }

  @Test("more than 45 s off it is not ready and says why; less, or right again, it is", arguments: [1.0, -1.0])
  func ready(_ sign: Double) async throws {
    try await Self.run { server in
      #expect(try await Self.compare(0, server).status == 200)
      #expect(try await Self.compare(30 * sign, server).status == 200)
      let far = try await Self.compare(100 * sign, server)
      let why = far.json["troubles"]?["clock"]?.string
      #expect(
        far.status == 503 && why?.contains(sign > 0 ? "s ahead of the database's" : "s behind") == true, "\(far.text)")
      #expect(try await Self.compare(0, server).status == 200)
    }
  }

  @Test("a change of state is news, once")
  func news() async throws {
    try await Self.run { server in
      let clocks = CompareClocks(server.services.servers, server.clock.clock)
      var news: [ClockOffset.State?] = []
      for seconds in [0.0, 20, 21, 100, 101, 0, 0] {
        server.clock.set(Date().addingTimeInterval(seconds))
        news.append(try await clocks.runOnce()?.state)
      }
      #expect(news == [nil, .differs, nil, .tooFar, nil, .agrees, nil])
    }
  }
}
