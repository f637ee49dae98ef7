import Foundation
import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("The connection that listens", .timeLimit(.minutes(1)))
struct ListenerTests {
  @Test("a connection whose LISTEN is refused is given up, and the next one hears", arguments: [0, 1, 3])
  func refused(_ times: Int) async throws {
    try await withDatabase { place, plain async throws in
      let proxy = try DatabaseProxy(to: place.socket)
      defer { proxy.close() }
      proxy.spoilListen(times)
      let database = try await place.connect { $0.conninfo = place.conninfo(through: proxy) }
      var payloads = database.listen("policy").makeAsyncIterator()
      let began = await payloads.next()
      _ = try await plain.write(nil, "SELECT pg_notify('policy', \("heard"))")
      let heard = await payloads.next()
      let lost = database.statistics.lost
      await database.stop()
      #expect([began, heard] == ["", "heard"])
      #expect(proxy.spoiled == times)
      #expect(lost == times, "no other connection is touched")
    }
  }
}
