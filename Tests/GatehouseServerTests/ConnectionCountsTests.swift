import GatehousePrimitives
import GatehouseRuntime
import Testing

@testable import GatehouseServer

@Suite("Counts of connections")
struct ConnectionCountsTests {
  @Test("T191 connections that a listener in clear did not serve are counted, and told of once a minute")
  func notTrusted() throws {
    let told = LockBox<[Int]>([])
    let counts = ConnectionCounts { count in told.withLock { $0.append(count) } }
    for _ in 0..<100 { counts.connectionNotTrusted() }
    #expect(told.withLock { $0 } == [1])
    let closed = try #require(counts.figures.first { $0.name == "gatehouse_connections_closed_at_once_total" })
    #expect(closed.samples.first { $0.labels.contains { $0.value == "not_trusted" } }?.value == 100)
  }

  @Test("T188 T189 T190 connections that were ended are counted by their cause")
  func ended() throws {
    let counts = ConnectionCounts()
    counts.connectionEnded(.slow)
    counts.connectionEnded(.buffers)
    counts.connectionEnded(.buffers)
    let ended = try #require(counts.figures.first { $0.name == "gatehouse_connections_ended_total" })
    #expect(ended.samples.map(\.value) == [1, 2, 0])
  }
}
