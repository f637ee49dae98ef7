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
    try group.stop()
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
      await Task.yield()
      facts.append(loop.isCurrent)
      return facts
    }
    #expect(facts.count == 10 && facts.allSatisfy { $0 })
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
      try await Task.detached { try foreign.stop() }.value
      return (away, here, loop.isCurrent)
    }
    #expect(!back.0 && back.1 && back.2)
  }

  @Test("T123 stop refuses on a loop's thread, its own and another's, and that loop runs on")
  func stopOnLoop() async throws {
    let group = LoopGroup(count: 1)
    group.start()
    try #require(try await onLoop { _ in Self.isRefused(group) })
    let own = await withUnsafeContinuation { (continuation: UnsafeContinuation<Bool, Never>) in
      group.loops[0].execute { continuation.resume(returning: Self.isRefused(group)) }
    }
    let runs = await withUnsafeContinuation { (continuation: UnsafeContinuation<Bool, Never>) in
      group.loops[0].execute { continuation.resume(returning: true) }
    }
    #expect(own && runs)
    try group.stop()
  }

  private static func isRefused(_ group: LoopGroup) -> Bool {
    do throws(LoopGroup.StopRefused) {
      try group.stop()
      return false
    } catch {
      return true
    }
  }

  @Test("an unstructured task does not inherit the loop, which is why starting one is forbidden")
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

  /// Jobs that keep making jobs, and how many there were.
  final class Storm: @unchecked Sendable {
    let loop: Loop
    var count = 0
    init(loop: Loop) { self.loop = loop }
    func spin() {
      count += 1
      loop.execute { self.spin() }
    }
  }

  /// A loop that the test turns, and whose time stands still.
  private static func still(isCalm: Bool) -> Loop {
    let loop = Loop(name: "turned", clock: ManualClock())
    loop.isCalm = isCalm
    return loop
  }

  /// Turns a loop of its own `turns` times, while short jobs keep making jobs and `descriptors` descriptors stay
  /// readable. Answers how many jobs ran, and how often a descriptor was served.
  private func turn(_ turns: Int, isCalm: Bool, descriptors: Int) -> (jobs: Int, served: Int) {
    let loop = Self.still(isCalm: isCalm)
    return loop.onThisThread {
      let storm = Storm(loop: loop)
      var served = 0
      var ends: [Int32] = []
      let watches = (0..<descriptors).map { _ in
        var pair: [Int32] = [0, 0]
        pipe(&pair)
        ends += pair
        _ = write(pair[1], "x", 1)
        let watch = loop.watch(pair[0]) { _ in served += 1 }
        watch.interest = .read
        return watch
      }
      storm.spin()
      for _ in 0..<turns { loop.turn(waits: false) }
      for watch in watches { watch.cancel() }
      for end in ends { close(end) }
      return (storm.count, served)
    }
  }

  @Test(
    "jobs that keep making jobs do not starve a descriptor; a calm loop looks at it after a few",
    arguments: [true, false])
  func fairness(isCalm: Bool) {
    let (jobs, served) = turn(10, isCalm: isCalm, descriptors: 1)
    #expect(served == 10)
    #expect(jobs == 1 + 10 * (isCalm ? Loop.jobsPerTurn.calm : Loop.jobsPerTurn.busy))
  }

  @Test("descriptors that are always ready do not starve jobs: there are as many of the ones as of the others")
  func fairnessToJobs() {
    let (jobs, served) = turn(10, isCalm: true, descriptors: 40)
    // The first look takes fewer than 40; what the last one served has no turn any more.
    #expect(served > 9 * 40 - 40)
    #expect(jobs == 1 + Loop.jobsPerTurn.calm + served - 40)
  }

  @Test(
    "a calm loop goes on with jobs until its time is over, a busy one does not look at the time",
    arguments: [true, false])
  func slowJobs(isCalm: Bool) {
    let loop = Self.still(isCalm: isCalm)
    let ran = loop.onThisThread {
      let count = Locked(0)
      // Two of these take less than the time of a turn, three take longer.
      for _ in 0..<8 {
        loop.execute {
          _ = loop.clock?.fireNext(until: loop.now + Loop.timePerTurn * 2 / 5)
          count.withLock { $0 += 1 }
        }
      }
      return (0..<3).map { _ in
        loop.turn(waits: false)
        return count.withLock { $0 }
      }
    }
    #expect(ran == (isCalm ? [3, 6, 8] : [8, 8, 8]))
  }

  @Test(
    "what is left for the end of the turn runs once, when the turn ends, with jobs left or not",
    arguments: [true, false])
  func endOfTurn(isCalm: Bool) {
    let loop = Self.still(isCalm: isCalm)
    let seen = loop.onThisThread {
      let seen = Locked<[Int]>([])
      loop.execute { loop.endOfTurn { seen.withLock { $0.append(0) } } }
      for job in 1..<Loop.jobsPerTurn.calm + 2 { loop.execute { seen.withLock { $0.append(job) } } }
      for _ in 0..<3 { loop.turn(waits: false) }
      return seen.withLock { $0 }
    }
    let inOneTurn = isCalm ? Loop.jobsPerTurn.calm - 1 : Loop.jobsPerTurn.calm + 1
    #expect(seen == Array(1...inOneTurn) + [0] + Array((inOneTurn + 1)..<(Loop.jobsPerTurn.calm + 2)))
  }

  @Test("what a calm loop left while it looked at its descriptors does not wait for jobs", arguments: [true, false])
  func answersBeforeJobs(isCalm: Bool) {
    let loop = Self.still(isCalm: isCalm)
    var pair: [Int32] = [0, 0]
    pipe(&pair)
    _ = write(pair[1], "x", 1)
    let seen = loop.onThisThread {
      let seen = Locked<[String]>([])
      var watch: Watch?
      watch = loop.watch(pair[0]) { _ in
        watch?.cancel()
        watch = nil
        loop.execute { seen.withLock { $0.append("job") } }
        loop.endOfTurn { seen.withLock { $0.append("answer") } }
      }
      watch?.interest = .read
      for _ in 0..<2 { loop.turn(waits: false) }
      return seen.withLock { $0 }
    }
    for end in pair { close(end) }
    #expect(seen == (isCalm ? ["answer", "job"] : ["job", "answer"]))
  }

  @Test("work given before the start runs after it, and in order across a growing queue")
  func order() async throws {
    let group = LoopGroup(count: 2)
    let seen = Locked<[Int]>([])
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      for index in 0..<5000 { group.loops[0].execute { seen.withLock { $0.append(index) } } }
      group.loops[0].execute { continuation.resume() }
      group.start()
    }
    try group.stop()
    #expect(seen.withLock { $0 } == Array(0..<5000))
  }
}
