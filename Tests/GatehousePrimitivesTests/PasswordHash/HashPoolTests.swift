import Foundation
import GatehouseTesting
import Testing

@testable import GatehousePrimitives

/// Stands in for hashing: notes which work is done, and holds each until it is let go.
private final class Workbench: Sendable {
  private let names = LockBox<[String]>([])
  private let permits = DispatchSemaphore(value: 0)
  let now = LockBox<UInt64>(0)

  var done: [String] { names.withLock { $0 } }
  func letGo(_ count: Int) { for _ in 0..<count { permits.signal() } }

  func pool(permits: Int = 1, waiting: Int) -> HashPool {
    let limits = HashPool.Limits(threads: 1, permits: permits, waiting: waiting)
    let hashes = PasswordHashes(cost: .owaspMinimum)
    return HashPool(limits: limits, hashes: hashes, monotonic: { self.now.withLock { $0 } }) { work, _ in
      guard case .verify(_, let stored) = work else { return .failed }
      self.names.withLock { $0.append(stored ?? "") }
      self.permits.wait()
      return .verdict(.differs)
    }
  }
}

@Suite(.timeLimit(.minutes(1))) struct HashPoolTests {
  private let bench = Workbench()
  private let password: Password
  private let a = UUID()
  private let b = UUID()

  init() throws { password = try Password("p") }

  private func ask(
    _ pool: HashPool, _ name: String, _ tenant: UUID, deadline: UInt64 = .max
  ) -> Task<HashPoolError?, Never> {
    Task { [password] in
      do throws(HashPoolError) {
        _ = try await pool.verify(password, against: name, in: pool.permit(for: tenant, deadline: deadline))
        return nil
      } catch { return error }
    }
  }

  /// Unused, as by a request that is refused for another reason.
  private func letGo(_ permit: consuming HashPermit) {}

  private func until(_ condition: () -> Bool) async { while !condition() { await Task.yield() } }

  /// One in work and so many waiting, handed in one after the other.
  private func fill(_ pool: HashPool, _ tenant: UUID, _ count: Int) async -> [Task<HashPoolError?, Never>] {
    var tasks = [ask(pool, "first", tenant)]
    await until { bench.done == ["first"] }
    for index in 0..<count {
      tasks.append(ask(pool, "a\(index)", tenant))
      await until { pool.counts.waiting == index + 1 }
    }
    return tasks
  }

  @Test("a full queue refuses before any hashing, and says when to come again")
  func full() async throws {
    let pool = bench.pool(waiting: 2)
    let tasks = await fill(pool, a, 2)
    let refused = try #require(await ask(pool, "late", a).value)
    guard case .overloaded(let retryAfter) = refused else {
      Issue.record("not refused: \(refused)")
      return
    }
    #expect((1...30).contains(retryAfter))
    #expect(bench.done == ["first"])
    bench.letGo(3)
    for task in tasks { #expect(await task.value == nil) }
    #expect(bench.done == ["first", "a0", "a1"])
    #expect(pool.counts == HashPool.Counts(done: 3, refused: 1))
  }

  @Test("no more than may have their turn go on at a time; a turn that is let go of is the next one's")
  func permits() async throws {
    let pool = bench.pool(permits: 2, waiting: 4)
    let first = try await pool.permit(for: a, deadline: .max)
    let second = try await pool.permit(for: a, deadline: .max)
    let third = ask(pool, "third", b)
    await until { pool.counts.waiting == 1 }
    #expect(pool.counts == HashPool.Counts(waiting: 1, permits: 2))
    letGo(first)
    await until { bench.done == ["third"] }
    bench.letGo(2)
    #expect(await third.value == nil)
    let verdict = try await pool.verify(password, against: "second", in: second)
    #expect(verdict == .differs)
    #expect(bench.done == ["third", "second"])
    #expect(pool.counts == HashPool.Counts(done: 2))
  }

  @Test("a tenant that fills the queue can not keep another out, and turns alternate")
  func fairShare() async {
    let pool = bench.pool(waiting: 4)
    let tasks = await fill(pool, a, 4)
    let first = ask(pool, "b0", b)
    await until { pool.counts.refused == 1 }
    let second = ask(pool, "b1", b)
    await until { pool.counts.refused == 2 }
    // Two each: now b has its share, and pushes no other request out any more.
    #expect(await ask(pool, "b2", b).value != nil)
    bench.letGo(5)
    #expect(await first.value == nil)
    #expect(await second.value == nil)
    #expect(bench.done == ["first", "a0", "b0", "a1", "b1"])
    // The newest of a had to go.
    var refused = 0
    for task in tasks { refused += await task.value == nil ? 0 : 1 }
    #expect(refused == 2)
  }

  @Test("a request that waited past the deadline is not hashed")
  func deadline() async {
    let pool = bench.pool(waiting: 4)
    let running = ask(pool, "first", a, deadline: 100)
    await until { bench.done == ["first"] }
    // Not even given a turn, in which others would read an account first.
    let late = Task { () -> HashPoolError? in
      do throws(HashPoolError) {
        letGo(try await pool.permit(for: a, deadline: 100))
        return nil
      } catch { return error }
    }
    let patient = ask(pool, "patient", a, deadline: 101)
    await until { pool.counts.waiting == 2 }
    bench.now.withLock { $0 = 100 }
    // One more than is hashed: the extra one must not keep the last one waiting for ever.
    bench.letGo(3)
    #expect(await running.value == nil)
    #expect(await late.value == .abandoned)
    #expect(await patient.value == nil)
    #expect(bench.done == ["first", "patient"])
  }

  @Test("a caller that has gone is not hashed for")
  func cancellation() async {
    let pool = bench.pool(waiting: 4)
    let tasks = await fill(pool, a, 2)
    tasks[1].cancel()
    #expect(await tasks[1].value == .abandoned)
    bench.letGo(2)
    #expect(await tasks[2].value == nil)
    #expect(bench.done == ["first", "a1"])
    let gone = ask(pool, "gone", a)
    gone.cancel()
    bench.letGo(1)
    _ = await gone.value
    #expect(pool.counts.waiting == 0)
  }

  @Test("shutting down answers every request, lets the work in hand end, and takes no more")
  func shutDown() async {
    let pool = bench.pool(waiting: 4)
    let tasks = await fill(pool, a, 2)
    // It blocks until the work in hand has ended, so it gets a thread of its own.
    async let closed: Void = withCheckedContinuation { continuation in
      Thread.detachNewThread {
        pool.shutDown()
        continuation.resume()
      }
    }
    // Those who wait are answered before that.
    #expect(await tasks[1].value == .shutDown)
    #expect(await tasks[2].value == .shutDown)
    bench.letGo(1)
    await closed
    #expect(await tasks[0].value == nil)
    #expect(await ask(pool, "late", a).value == .shutDown)
    pool.shutDown()
    #expect(bench.done == ["first"])
  }

  @Test("the pool hashes and checks, from many tasks at once")
  func real() async throws {
    let pool = HashPool(limits: HashPool.Limits(threads: 2, waiting: 64), cost: .owaspMinimum) { 0 }
    let stored = try await pool.hash(password, in: pool.permit(for: a, deadline: .max))
    let wrong = try Password("q")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<12 {
        group.addTask { [a, password] in
          let right = index % 2 == 0
          let verdict = try await pool.verify(
            right ? password : wrong, against: index % 3 == 0 ? nil : stored, in: pool.permit(for: a, deadline: .max))
          #expect(verdict == (right && index % 3 != 0 ? .matches(needsRehash: false) : .differs))
        }
      }
      try await group.waitForAll()
    }
    #expect(pool.counts.done == 13 && pool.counts.work == 13 * 19456 * 2)
  }

  @Test("in a storm every request is answered, whichever is cancelled, and whatever the hashes are made with")
  func storm() async throws {
    let worked = LockBox(0)
    let limits = HashPool.Limits(threads: 3, permits: 6, waiting: 16)
    let hashes = PasswordHashes(cost: .owaspMinimum)
    let pool = HashPool(limits: limits, hashes: hashes, monotonic: { 0 }) { _, _ in
      worked.withLock { $0 += 1 }
      return .verdict(.differs)
    }
    let unusual = Argon2id(cost: PasswordCost(memory: 19456, passes: 3)).text(
      salt: Array(repeating: 1, count: 16), hash: Array(repeating: 2, count: 32))
    let answered = await withTaskGroup(of: Int.self) { group in
      for client in 0..<32 {
        group.addTask {
          var generator = SeededGenerator(seed: UInt64(client))
          var answered = 0
          for _ in 0..<50 {
            let isUsual = Bool.random(using: &generator)
            let caller = ask(pool, isUsual ? hashes.dummy : unusual, client % 4 == 0 ? a : b)
            if Int.random(in: 0..<8, using: &generator) == 0 { caller.cancel() }
            if await caller.value == nil { answered += 1 }
          }
          return answered
        }
      }
      return await group.reduce(0, +)
    }
    #expect(answered == worked.withLock { $0 } && answered > 0)
    let counts = pool.counts
    #expect(counts.done == answered && counts.waiting == 0 && counts.permits == 0 && counts.running == 0)
  }
}

@Suite struct FairQueueTests {
  @Test("no order of coming and going loses or repeats a request, or exceeds the capacity")
  func conservation() {
    var generator = SeededGenerator()
    let tenants = (0..<5).map { _ in UUID() }
    var queue = FairQueue<Int>(capacity: 8)
    var inside = Set<Int>()
    for element in 0..<5000 {
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: if let served = queue.next() { #expect(inside.remove(served) != nil) } else { #expect(inside.isEmpty) }
      case 1:
        let wanted = inside.randomElement(using: &generator) ?? -1
        #expect(queue.remove { $0 == wanted } == inside.remove(wanted))
      default:
        // The first tenant is much louder than the others.
        let loud = Bool.random(using: &generator)
        let tenant = tenants[loud ? 0 : Int.random(in: 0..<5, using: &generator)]
        switch queue.add(element, for: tenant) {
        case .accepted:
          #expect(inside.count < 8)
          inside.insert(element)
        case .replacing(let other):
          #expect(inside.count == 8 && inside.remove(other) != nil)
          inside.insert(element)
        case .full: #expect(inside.count == 8)
        }
      }
      #expect(queue.count == inside.count && queue.count <= 8)
    }
    #expect(Set(queue.removeAll()) == inside && queue.count == 0)
  }
}
