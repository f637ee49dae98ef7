import Glibc
import Testing

@testable import GatehouseRuntime

@Suite("The loop is thread, event base and executor at once")
struct LoopTests {
  actor Counter {
    var onLoop: [Bool] = []
    func note(_ loop: Loop) { onLoop.append(loop.isCurrent) }
  }

  @concurrent static func concurrentlyOn(_ loop: Loop) async -> Bool { loop.isCurrent }

  /// Runs `body` with one started loop, on that loop.
  func onLoop<T: Sendable>(_ body: @escaping @Sendable (Loop) async throws -> T) async throws -> T {
    let group = LoopGroup(count: 1)
    group.start()
    let loop = group.loops[0]
    let result = await Task(executorPreference: loop) { try await body(loop) }.result
    group.stop()
    return try result.get()
  }

  @Test("async code, child tasks, actors and sleeps of a task with the loop's preference stay on it")
  func staysOnLoop() async throws {
    let facts = try await onLoop { loop in
      var facts = [loop.isCurrent, await LoopTests.concurrentlyOn(loop)]
      async let child = loop.isCurrent
      facts.append(await child)
      let group = await withTaskGroup(of: Bool.self) { tasks in
        for _ in 0..<4 { tasks.addTask { loop.isCurrent } }
        return await tasks.reduce(into: [Bool]()) { $0.append($1) }
      }
      facts += group
      let counter = Counter()
      await counter.note(loop)
      facts += await counter.onLoop
      try await loop.sleep(for: .microseconds(1))
      facts.append(loop.isCurrent)
      return facts
    }
    #expect(facts.count == 9 && facts.allSatisfy { $0 })
  }

  @Test("a continuation resumed from a foreign thread comes back to the loop")
  func foreignResume() async throws {
    let back = try await onLoop { loop in
      let foreign = LoopGroup(count: 1)
      foreign.start()
      let away = await withUnsafeContinuation { (continuation: UnsafeContinuation<Bool, Never>) in
        foreign.loops[0].execute { continuation.resume(returning: loop.isCurrent) }
      }
      let here = loop.isCurrent
      await Task.detached { foreign.stop() }.value
      return (away, here, loop.isCurrent)
    }
    #expect(!back.0 && back.1 && back.2)
  }

  @Test("an unstructured task does not inherit the loop, which is why nobody may start one")
  func unstructured() async throws {
    let inherited = try await onLoop { loop in await Task { loop.isCurrent }.value }
    #expect(!inherited)
  }

  @Test("an immediate task begins inside the caller's own call")
  func immediate() async throws {
    let order = try await onLoop { loop in
      await withUnsafeContinuation { (continuation: UnsafeContinuation<[Int], Never>) in
        loop.execute {
          let seen = Locked<[Int]>([])
          Task.immediate(executorPreference: loop) { seen.withLock { $0.append(loop.isCurrent ? 1 : 0) } }
          seen.withLock { $0.append(2) }
          continuation.resume(returning: seen.withLock { $0 })
        }
      }
    }
    #expect(order == [1, 2])
  }

  @Test("timers fire in order of their time, and a cancelled one does not")
  func timers() async throws {
    let fired = try await onLoop { loop in
      await withUnsafeContinuation { (continuation: UnsafeContinuation<[Int], Never>) in
        loop.execute {
          var fired: [Int] = []
          loop.after(.milliseconds(3)) {
            fired.append(3)
            continuation.resume(returning: fired)
          }
          loop.after(.milliseconds(1)) { fired.append(1) }
          loop.after(.milliseconds(2)) { fired.append(2) }.cancel()
          loop.after(.seconds(-5)) { fired.append(0) }
        }
      }
    }
    #expect(fired == [0, 1, 3])
  }

  @Test("a cancelled sleep throws at once", arguments: [false, true])
  func cancelledSleep(before: Bool) async throws {
    let error = try await onLoop { loop in
      let sleeper = Task(executorPreference: loop) {
        if before { withUnsafeCurrentTask { $0?.cancel() } }
        try await loop.sleep(for: .seconds(3600))
      }
      if !before {
        await Task.yield()
        sleeper.cancel()
      }
      if case .failure(let error) = await sleeper.result { return error is CancellationError }
      return false
    }
    #expect(error)
  }

  @Test("jobs that keep making jobs do not starve a descriptor")
  func fairness() async throws {
    let ended = try await onLoop { loop in
      await withUnsafeContinuation { (continuation: UnsafeContinuation<Bool, Never>) in
        loop.execute {
          let storm = Storm(loop: loop)
          var ends: [Int32] = [0, 0]
          pipe(&ends)
          let (readEnd, writeEnd) = (ends[0], ends[1])
          var watch: Watch?
          watch = loop.watch(readEnd) { ready in
            watch?.cancel()
            watch = nil
            close(readEnd)
            close(writeEnd)
            storm.over = true
            continuation.resume(returning: ready == .read)
          }
          watch?.interest = .read
          storm.spin()
          _ = write(writeEnd, "x", 1)
        }
      }
    }
    #expect(ended)
  }

  final class Storm: @unchecked Sendable {
    let loop: Loop
    var over = false
    init(loop: Loop) { self.loop = loop }
    func spin() {
      guard !over else { return }
      loop.execute { self.spin() }
    }
  }

  @Test("what is left for the end of the turn runs once, after the jobs that were ready")
  func endOfTurn() async throws {
    let seen = try await onLoop { loop in
      await withUnsafeContinuation { (continuation: UnsafeContinuation<[Int], Never>) in
        loop.execute {
          let seen = Locked<[Int]>([])
          loop.endOfTurn { seen.withLock { $0.append(3) } }
          loop.execute { seen.withLock { $0.append(1) } }
          loop.execute { seen.withLock { $0.append(2) } }
          loop.after(.milliseconds(1)) { continuation.resume(returning: seen.withLock { $0 }) }
        }
      }
    }
    #expect(seen == [1, 2, 3])
  }

  @Test("work given before the start runs after it, and in order across a growing queue")
  func order() async {
    let group = LoopGroup(count: 2)
    let seen = Locked<[Int]>([])
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      for index in 0..<5000 { group.loops[0].execute { seen.withLock { $0.append(index) } } }
      group.loops[0].execute { continuation.resume() }
      group.start()
    }
    group.stop()
    #expect(seen.withLock { $0 } == Array(0..<5000))
  }
}
