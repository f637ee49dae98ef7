import CPlatform
import Glibc
import Testing

@testable import GatehouseRuntime

@Suite("Loops go first, while they have little to do")
struct PrecedenceTests {
  /// Milliseconds that pass, those of a processor among them, and whether the loop goes first afterwards.
  typealias Step = (passes: Int, uses: Int, isFirst: Bool)

  @Test(
    "who is busy for longer is an ordinary thread, until it is calm",
    arguments: [
      [(19, 19, true), (1, 1, false)],
      [(20, 10, true), (20, 11, false)],
      [(1000, 1, true), (19, 19, true), (1, 0, false)],
      [(20, 20, false), (20, 0, false), (79, 0, false), (1, 0, true)],
      [(20, 20, false), (100, 51, false), (100, 50, true), (20, 20, false)],
    ] as [[Step]])
  func judgement(_ steps: [Step]) {
    let start = ContinuousClock.now
    let told = Locked<[Bool]>([])
    var (now, used) = (start, Duration.seconds(7))
    var precedence = Precedence(at: now, used: used) { isFirst in told.withLock { $0.append(isFirst) } }
    var expected: [Bool] = []
    for step in steps {
      if step.isFirst != precedence.isFirst { expected.append(step.isFirst) }
      now += .milliseconds(step.passes)
      used += .milliseconds(step.uses)
      precedence.judge(at: now) { used }
      #expect(precedence.isFirst == step.isFirst, "\(now - start)")
    }
    #expect(told.withLock { $0 } == expected)
  }

  /// Whether this machine lets a thread go first; tried on one of its own.
  private static let isAllowed: Bool = {
    var isAllowed = false
    let group = LoopGroup(count: 1)
    group.start()
    defer { group.stop() }
    Self.run(on: group.loops[0]) { isAllowed = platform_go_first(true) == 0 }
    return isAllowed
  }()

  /// Runs `body` in a turn of the loop and waits for it.
  private static func run(on loop: Loop, _ body: () -> Void) {
    withoutActuallyEscaping(body) { body in
      nonisolated(unsafe) let body = body
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { return }
      let (read, write) = (ends[0], ends[1])
      loop.execute {
        body()
        _ = Glibc.write(write, [1], 1)
      }
      var byte: UInt8 = 0
      _ = Glibc.read(read, &byte, 1)
      close(read)
      close(write)
    }
  }

  /// The policy of the calling thread, without SCHED_RESET_ON_FORK.
  private static var policy: Int32 { sched_getscheduler(0) & ~0x4000_0000 }

  @Test("a loop's thread goes first where it may, what it starts does not, and neither does a busy one")
  func thread() throws {
    let began = ContinuousClock.now
    let group = LoopGroup(count: 1)
    group.start()
    defer { group.stop() }
    let loop = group.loops[0]
    var (calm, started, busy) = (Int32(-1), Int32(-1), Int32(-1))
    Self.run(on: loop) {
      calm = Self.policy
      var thread = pthread_t()
      let found = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
      defer { found.deallocate() }
      let failure = pthread_create(
        &thread, nil,
        { context in
          context?.storeBytes(of: sched_getscheduler(0), as: Int32.self)
          return nil
        }, found)
      guard failure == 0 else { return }
      pthread_join(thread, nil)
      started = found.pointee
    }
    // Until this alone has had a processor for two thirds of all the time since before the loop was there, and for long enough
    // to be judged, however long others kept it waiting. An ordinary thread might never come to that, and stays what it is.
    Self.run(on: loop) {
      let (entered, usedBefore) = (ContinuousClock.now, Precedence.timeOfThisThread())
      while calm == SCHED_RR {
        let (now, used) = (ContinuousClock.now, Precedence.timeOfThisThread() - usedBefore)
        if now - entered >= Precedence.watched, used * 3 > (now - began) * 2 { return }
      }
    }
    Self.run(on: loop) { busy = Self.policy }
    #expect(calm == (Self.isAllowed ? SCHED_RR : SCHED_OTHER))
    #expect(started == SCHED_OTHER)
    #expect(busy == SCHED_OTHER)
  }
}
