import Foundation
import GatehouseTesting
import Testing

@testable import GatehouseRuntime

@Suite("A loop that answers people is judged calm or busy, and goes first while it is calm")
struct LoopLoadTests {
  /// Milliseconds that pass, those of a processor among them, and whether it is calm afterwards.
  typealias Step = (passes: Int, uses: Int, isCalm: Bool)

  @Test(
    "a loop that is busy for longer is not calm, until there is little to do",
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
    var (now, used) = (start, Duration.seconds(7))
    var load = LoopLoad(at: now, used: { used })
    for step in steps {
      let wasCalm = load.isCalm
      now += .milliseconds(step.passes)
      used += .milliseconds(step.uses)
      let news = load.judge(at: now)
      #expect(load.isCalm == step.isCalm, "\(now - start)")
      #expect(news == (step.isCalm == wasCalm ? nil : step.isCalm), "\(now - start)")
    }
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

  /// What was seen of a loop's thread, and whether the loop was calm meanwhile.
  private struct Seen: Equatable {
    var goesFirst = false
    var isCalm = false
  }

  private static func look(at loop: Loop) -> Seen {
    var seen = Seen()
    // The judgement of the turn before is known in the next one.
    for _ in 0..<2 { run(on: loop) { seen = Seen(goesFirst: RealTime.goesFirst(0), isCalm: loop.isCalm) } }
    return seen
  }

  /// Keeps a calm loop until it alone has had a processor for half of all the time since `began`, which is before the
  /// loop was there, and for long enough to be judged, however long others kept it waiting.
  private static func keepBusy(_ loop: Loop, since began: ContinuousClock.Instant) {
    run(on: loop) {
      let (entered, usedBefore) = (ContinuousClock.now, LoopLoad.timeOfProcessor())
      while true {
        let (now, used) = (ContinuousClock.now, LoopLoad.timeOfProcessor() - usedBefore)
        if now - entered >= LoopLoad.watched, used * 2 > now - began { return }
      }
    }
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
    // An ordinary thread might never have a processor for so long, and stays what it is.
    if calm { Self.keepBusy(loop, since: began) }
    Self.run(on: loop) { busy = RealTime.goesFirst(0) }
    #expect(calm == RealTime.isAllowed)
    #expect(!started && !busy)
  }

  @Test("without priority a loop is judged all the same, and its thread is an ordinary one")
  func withoutPriority() {
    let group = LoopGroup(count: 1, for: .requests(priority: false))
    group.start()
    defer { try? group.stop() }
    #expect(Self.look(at: group.loops[0]) == Seen(goesFirst: false, isCalm: true))
  }

  @Test("loops on which no request waits are ordinary threads, and not calm")
  func background() {
    let group = LoopGroup(count: 1, named: "beside", for: .background)
    group.start()
    defer { try? group.stop() }
    #expect(Self.look(at: group.loops[0]) == Seen(goesFirst: false, isCalm: false))
  }
}
