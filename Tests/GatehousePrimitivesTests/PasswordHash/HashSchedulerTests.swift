import Foundation
import GatehouseTesting
import Testing

@testable import GatehousePrimitives

/// When answers are given, seen from the only thread there is: the test's.
@Suite(.timeLimit(.minutes(1))) struct HashSchedulerTests {
  /// One thread, so two answers at a time; one turn, so that a second who wants one waits.
  private let scheduler: HashScheduler
  private let hashes = PasswordHashes(cost: .owaspMinimum)
  private let password: Password

  init() throws { try self.init(batchesAnswers: true) }

  private init(batchesAnswers: Bool) throws {
    scheduler = HashScheduler(
      limits: HashPool.Limits(threads: 1, permits: 1, waiting: 4, batchesAnswers: batchesAnswers), arena: 0,
      monotonic: { 0 }, perform: { _, _ in .verdict(.differs) })
    password = try Password("p")
  }

  private func until(_ condition: () -> Bool) async { while !condition() { await Task.yield() } }

  /// A request that has the turn, and one that waits for it.
  private func storm() async -> [Task<HashPoolError?, Never>] {
    let tasks = (1...2).map { id in
      Task {
        await withCheckedContinuation {
          scheduler.enter(HashWaiter(id: UInt64(100 + id), deadline: .max, continuation: $0), for: UUID())
        }
      }
    }
    await until { scheduler.counts.waiting == 1 }
    return tasks
  }

  /// Hands in jobs of these ids, in this order. The task ends when the caller is told.
  private func submit(_ ids: ClosedRange<UInt64>, stored: String? = nil) async -> [Task<Void, Never>] {
    var tasks: [Task<Void, Never>] = []
    for id in ids {
      let isIn = LockBox(false)
      tasks.append(
        Task {
          _ = await withCheckedContinuation {
            let work = HashWork.verify(password, stored: stored)
            scheduler.submit(
              HashJob(id: id, deadline: .max, work: work, isUsual: work.isUsual(for: hashes), continuation: $0))
            isIn.withLock { $0 = true }
          }
        })
      await until { isIn.withLock { $0 } }
    }
    return tasks
  }

  /// What the thread does next, done: whose answers it gives, and whose job it does then.
  private func step() -> [[UInt64]] {
    guard let errand = scheduler.next() else { return [] }
    for answer in errand.answers { answer.give() }
    if let job = errand.job { scheduler.work(on: job) }
    return [errand.answers.map(\.job.id), errand.job.map { [$0.id] } ?? []]
  }

  private func end(_ callers: [Task<Void, Never>], _ storm: [Task<HashPoolError?, Never>] = []) async {
    for caller in callers { await caller.value }
    scheduler.close()
    #expect(step() == [])
    for task in storm { _ = await task.value }
  }

  @Test("in a storm answers are given two for each thread at a time, and the last at once")
  func together() async {
    let storm = await storm()
    let callers = await submit(1...5)
    #expect(step() == [[], [1]])
    #expect(step() == [[], [2]])
    #expect(step() == [[1, 2], [3]])
    #expect(step() == [[], [4]])
    #expect(step() == [[3, 4], [5]])
    #expect(step() == [[5], []])
    await end(callers, storm)
  }

  @Test("where answers are not batched, a storm gives each before the next job")
  func oneByOne() async throws {
    let plain = try HashSchedulerTests(batchesAnswers: false)
    let storm = await plain.storm()
    let callers = await plain.submit(1...3)
    #expect(plain.step() == [[], [1]])
    #expect(plain.step() == [[1], [2]])
    #expect(plain.step() == [[2], [3]])
    #expect(plain.step() == [[3], []])
    await plain.end(callers, storm)
  }

  @Test("an answer is given at once where no request waits for a turn")
  func calm() async {
    let callers = await submit(1...2)
    #expect(step() == [[], [1]])
    #expect(step() == [[1], [2]])
    #expect(step() == [[2], []])
    await end(callers)
  }

  private func stored(_ memory: UInt32, _ passes: UInt32) -> String {
    Argon2id(cost: PasswordCost(memory: memory, passes: passes)).text(
      salt: Array(repeating: 1, count: 16), hash: Array(repeating: 2, count: 32))
  }

  @Test(
    "no answer waits for a hash that is dearer than new ones",
    arguments: [(memory: 19456, passes: 3), (memory: 262_144, passes: 2)] as [(UInt32, UInt32)])
  func unusual(memory: UInt32, passes: UInt32) async {
    let storm = await storm()
    let callers =
      await submit(1...1) + submit(2...2, stored: stored(memory, passes)) + submit(3...3, stored: hashes.dummy)
    #expect(step() == [[], [1]])
    #expect(step() == [[1], [2]])
    #expect(step() == [[], [3]])
    #expect(step() == [[2, 3], []])
    await end(callers, storm)
  }

  @Test("a hash that is cheaper than new ones is waited for as they are")
  func cheaper() async {
    let storm = await storm()
    let callers = await submit(1...1) + submit(2...2, stored: stored(8, 16))
    #expect(step() == [[], [1]])
    #expect(step() == [[], [2]])
    #expect(step() == [[1, 2], []])
    await end(callers, storm)
  }

  @Test("while a thread is at a hash that is dearer than new ones, the others keep no answers")
  func besideUnusual() async throws {
    let storm = await storm()
    let callers = await submit(1...1, stored: stored(262_144, 16)) + submit(2...4)
    let long = try #require(scheduler.next()?.job)
    #expect(step() == [[], [2]])
    #expect(step() == [[2], [3]])
    scheduler.work(on: long)
    // Of two, which is when they are given, one is its own.
    #expect(step() == [[3, 1], [4]])
    #expect(step() == [[4], []])
    await end(callers, storm)
  }

  @Test(
    "an answer that was kept is given when the job it waited for has gone, or the pool closes",
    arguments: [false, true])
  func gone(closes: Bool) async {
    let storm = await storm()
    let callers = await submit(1...2)
    #expect(step() == [[], [1]])
    if closes { scheduler.close() } else { scheduler.abandon(2) }
    #expect(step() == [[1], []])
    await end(callers, storm)
  }
}
