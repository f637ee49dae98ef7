import Foundation
import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("The connection that listens", .timeLimit(.minutes(1)))
struct ListenerTests {
  @Test(
    "a connection whose LISTEN is refused or stays unanswered is given up, and the next one hears",
    arguments: [[], [.spoil], [.spoil, .spoil, .spoil], [.swallow]] as [[DatabaseProxy.Fault]])
  func refused(_ faults: [DatabaseProxy.Fault]) async throws {
    try await withDatabase { place, plain async throws in
      let proxy = try DatabaseProxy(to: place.socket)
      defer { proxy.close() }
      proxy.fail(faults)
      let database = try await place.connect {
        $0.conninfo = place.conninfo(through: proxy)
        $0.readTimeout = .milliseconds(100)
      }
      var payloads = database.listen("policy").makeAsyncIterator()
      let began = await payloads.next()
      _ = try await plain.write(nil, "SELECT pg_notify('policy', \("heard"))")
      let heard = await payloads.next()
      let lost = database.statistics.lost
      await database.stop()
      #expect([began, heard] == ["", "heard"])
      #expect(proxy.done == faults.count)
      #expect(lost == faults.count, "no other connection is touched")
    }
  }
}
