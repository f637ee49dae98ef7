import Foundation
import GatehouseTesting
import Testing

@testable import GatehouseRuntime

@Suite("Whoever answers people goes first, while there is little to do")
struct PrecedenceTests {
  /// Milliseconds that pass, those of a processor among them, and whether it goes first afterwards.
  typealias Step = (passes: Int, uses: Int, isFirst: Bool)

  @Test(
    "who is busy for longer is ordinary, until it is calm",
    arguments: [
      [(99, 99, true), (1, 0, false)],
      [(100, 33, true), (100, 34, false)],
      [(40, 0, true), (20, 20, true), (40, 13, true)],
      [(1000, 1, true), (99, 99, true), (1, 0, false)],
      [(100, 100, false), (99, 0, false), (1, 0, true)],
      [(100, 34, false), (100, 34, false), (100, 33, true), (100, 100, false)],
    ] as [[Step]])
  func judgement(_ steps: [Step]) {
    let start = ContinuousClock.now
    let told = Locked<[Bool]>([])
    var (now, used) = (start, Duration.seconds(7))
    var precedence = Precedence(at: now, used: { used }) { isFirst in told.withLock { $0.append(isFirst) } }
    var expected: [Bool] = []
    for step in steps {
      if step.isFirst != precedence.isFirst { expected.append(step.isFirst) }
      now += .milliseconds(step.passes)
      used += .milliseconds(step.uses)
      precedence.judge(at: now)
      #expect(precedence.isFirst == step.isFirst, "\(now - start)")
    }
    #expect(told.withLock { $0 } == expected)
  }

  /// Runs `body` in a turn of the loop and waits for it. The loop lets go of it a little later, so it escapes.
  private static func run(on loop: Loop, _ body: @escaping () -> Void) {
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

  @Test("a loop's thread goes first where it may, what it starts does not, and neither does a busy one")
  func thread() throws {
    let began = ContinuousClock.now
    let group = LoopGroup(count: 1)
    group.start()
    defer { try? group.stop() }
    let loop = group.loops[0]
    var (calm, started, busy) = (false, false, false)
    Self.run(on: loop) {
      calm = RealTime.goesFirst(0)
      var thread = pthread_t()
      let found = UnsafeMutablePointer<Bool>.allocate(capacity: 1)
      defer { found.deallocate() }
      let failure = pthread_create(
        &thread, nil,
        { context in
          context?.storeBytes(of: RealTime.goesFirst(0), as: Bool.self)
          return nil
        }, found)
      guard failure == 0 else { return }
      pthread_join(thread, nil)
      started = found.pointee
    }
    // Until this alone has had a processor for half of all the time since before the loop was there, and for long enough
    // to be judged, however long others kept it waiting. An ordinary thread might never come to that, and stays what it is.
    Self.run(on: loop) {
      let (entered, usedBefore) = (ContinuousClock.now, Precedence.timeOfProcessor())
      while calm {
        let (now, used) = (ContinuousClock.now, Precedence.timeOfProcessor() - usedBefore)
        if now - entered >= Precedence.watched, used * 2 > now - began { return }
      }
    }
    Self.run(on: loop) { busy = RealTime.goesFirst(0) }
    #expect(calm == RealTime.isAllowed)
    #expect(!started && !busy)
  }

  @Test("loops on which nobody waits are ordinary threads, and not calm")
  func background() {
    let group = LoopGroup(count: 1, named: "beside", goFirst: false)
    group.start()
    defer { try? group.stop() }
    var (isFirst, isCalm) = (true, true)
    for _ in 0..<2 {
      Self.run(on: group.loops[0]) { (isFirst, isCalm) = (RealTime.goesFirst(0), group.loops[0].isCalm) }
    }
    #expect(!isFirst && !isCalm)
  }
}
