import GatehousePrimitives
import GatehouseServer
import Testing

@Suite("Turns of an address")
struct AddressTurnsTests {
  private let here = NetworkAddress("192.0.2.1")
  private let there = NetworkAddress("192.0.2.2")

  @Test("T155 an address has one turn at a time, and the turn of another does not wait for it")
  func single() async throws {
    let (here, there) = (try #require(here), try #require(there))
    let turns = AddressTurns()
    let running = LockBox(0)
    let most = LockBox(0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask {
          _ = await turns.run(here) {
            let now = running.withLock { count in
              count += 1
              return count
            }
            most.withLock { $0 = max($0, now) }
            _ = await turns.run(there) { true }
            await Task.yield()
            running.withLock { $0 -= 1 }
            return true
          }
        }
      }
    }
    #expect(most.withLock { $0 } == 1)
  }

  @Test("T155 beyond 64 that wait for an address nothing is done")
  func bounded() async throws {
    let here = try #require(here)
    let turns = AddressTurns()
    let done = LockBox(0)
    let (gate, opener) = AsyncStream.makeStream(of: Void.self)
    await withTaskGroup(of: Bool?.self) { group in
      for _ in 0..<(AddressTurns.mostWaiting + 3) {
        group.addTask {
          await turns.run(here) {
            for await _ in gate {}
            done.withLock { $0 += 1 }
            return true
          }
        }
      }
      // The two that find no place end while the first holds its turn.
      for _ in 0..<2 { #expect(await group.next() == .some(nil)) }
      opener.finish()
      for await result in group { #expect(result == true) }
    }
    #expect(done.withLock { $0 } == AddressTurns.mostWaiting + 1)
  }
}
