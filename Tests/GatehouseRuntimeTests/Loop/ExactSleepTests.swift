import GatehouseRuntime
import GatehouseTesting
import Testing

@Suite("Exact waits of a loop")
struct ExactSleepTests {
  private func onLoop<Value: Sendable>(_ body: @escaping @Sendable (Loop) async -> Value) async throws -> Value {
    let group = LoopGroup(count: 1)
    group.start()
    let loop = group.loops[0]
    let value = await Task(executorPreference: loop) { await body(loop) }.value
    try group.stop()
    return value
  }

  @Test("a wait never ends before its moment, whatever part of a millisecond is left")
  func neverEarly() async throws {
    let early = try await onLoop { loop in
      var early = 0
      for microseconds in stride(from: 50, to: 3000, by: 130) {
        let moment = ContinuousClock.now + .microseconds(microseconds)
        await loop.wait(until: moment)
        if ContinuousClock.now < moment { early += 1 }
      }
      return early
    }
    #expect(early == 0)
  }

  @Test("a moment that has passed is not waited for, and many waits at once all end")
  func many() async throws {
    let ended = try await onLoop { loop in
      await loop.wait(until: .now - .seconds(1))
      let moment = ContinuousClock.now + .milliseconds(2)
      return await withTaskGroup { group in
        for _ in 0..<200 { group.addTask(executorPreference: loop) { await loop.wait(until: moment) } }
        return await group.reduce(0) { count, _ in count + 1 }
      }
    }
    #expect(ended == 200)
  }
}
