import GatehousePrimitives
import Testing

@Suite("Turns")
struct KeyedQueueTests {
  private let turns = KeyedQueue<String>(mostWaiting: 64)

  @Test("T155 a key has one turn at a time, and the turn of another does not wait for it")
  func single() async throws {
    let running = LockBox(0)
    let most = LockBox(0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask {
          _ = await turns.run("here") {
            let now = running.withLock { count in
              count += 1
              return count
            }
            most.withLock { $0 = max($0, now) }
            _ = await turns.run("there") { true }
            await Task.yield()
            running.withLock { $0 -= 1 }
            return true
          }
        }
      }
    }
    #expect(most.withLock { $0 } == 1)
  }

  @Test("T155 beyond the most that wait for a key nothing is done")
  func bounded() async throws {
    let done = LockBox(0)
    let (gate, opener) = AsyncStream.makeStream(of: Void.self)
    await withTaskGroup(of: Bool?.self) { group in
      for _ in 0..<(64 + 3) {
        group.addTask {
          await turns.run("here") {
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
    #expect(done.withLock { $0 } == 64 + 1)
  }
}
