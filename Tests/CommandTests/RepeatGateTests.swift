import GatehousePrimitives
import Testing

@testable import gatehouse

@Suite("Lines of the log that repeat")
struct RepeatGateTests {
  private let clock = LockBox(0)
  private let lines = LockBox<[String]>([])

  private var log: Log {
    let (clock, lines) = (clock, lines)
    return Log(level: .info, form: .json, clock: { clock.withLock { $0 } }) { line in lines.withLock { $0.append(line) }
    }
  }

  @Test("work that fails twice a second writes one line a minute, which counts those that were kept back")
  func once() {
    let log = log
    for _ in 0..<240 {
      log.write(often: .error, "webhooks.not_delivered", .note("unavailable"))
      clock.withLock { $0 += 500 }
    }
    let written = lines.withLock { $0 }
    #expect(written.count == 2)
    #expect(!written[0].contains("repeated") && written[1].contains(#""repeated":119"#))
  }

  @Test("another cause and another event are written at once")
  func others() {
    let log = log
    log.write(often: .error, "webhooks.not_delivered", .note("unavailable"))
    log.write(often: .error, "webhooks.not_delivered", .note("conflict"))
    log.write(often: .error, "grants.not_revoked", .note("unavailable"))
    log.write(often: .error, "webhooks.not_delivered", .note("unavailable"))
    #expect(lines.withLock(\.count) == 3)
  }

  @Test("a clock that was set back keeps nothing back, and causes are bounded")
  func bounded() {
    let gate = RepeatGate()
    #expect(gate.pass("a", at: 1_000_000) == 0)
    #expect(gate.pass("a", at: 900_000) == 0)
    for number in 0...RepeatGate.most { #expect(gate.pass("b\(number)", at: 900_001) == 0) }
    #expect(gate.pass("a", at: 900_002) == 0)
  }
}
