import GatehouseIdentity
import GatehousePrimitives
import GatehouseRuntime

/// The counts of all connections of a database together, and the last reason why one could not connect.
final class ConnectionGauge: Sendable {
  private let statistics = LockBox(DatabaseStatistics())
  private let writes = LockBox(WriteHealth())
  private let failure = LockBox<PrivateNote?>(nil)

  var snapshot: DatabaseStatistics { statistics.withLock { $0 } }
  var connectFailure: PrivateNote? { failure.withLock { $0 } }

  func count(_ change: (inout DatabaseStatistics) -> Void) { statistics.withLock { change(&$0) } }

  /// Why writes are refused; nil where they are not.
  var writeTrouble: WriteTrouble? { writes.withLock { $0.trouble() } }

  /// A write ended.
  func wrote(_ error: DatabaseError?) { writes.withLock { $0.note(error) } }

  func note(_ reason: PrivateNote?) { failure.withLock { $0 = reason } }

  func began(_ statements: Int) {
    count {
      $0.pending += 1
      $0.statements += statements
    }
  }

  func ended(_ error: DatabaseError?) {
    count {
      $0.pending -= 1
      switch error {
      case nil: $0.succeeded += 1
      case .overloaded:
        $0.failed += 1
        $0.refused += 1
      case .unknownOutcome:
        $0.failed += 1
        $0.unknown += 1
      default: $0.failed += 1
      }
    }
  }

  func connected() {
    count {
      $0.connected += 1
      $0.connects += 1
    }
    note(nil)
  }

  func disconnected() {
    count {
      $0.connected -= 1
      $0.lost += 1
    }
  }
}

/// Calls a body every 50 ms while it says that there is something to watch over; an idle loop is not woken.
final class Sweep {
  private let loop: Loop
  private var timer: LoopTimer?
  private let body: (ContinuousClock.Instant) -> Bool

  init(loop: Loop, _ body: @escaping (ContinuousClock.Instant) -> Bool) {
    self.loop = loop
    self.body = body
  }

  func arm() {
    guard timer == nil else { return }
    timer = loop.after(.milliseconds(50)) { [self] in
      timer = nil
      if body(.now) { arm() }
    }
  }

  func cancel() {
    timer?.cancel()
    timer = nil
  }
}

extension Loop {
  /// Runs `body` on this loop: now if the caller is on it, else as soon as the loop comes to it.
  func perform(_ body: @escaping @Sendable () -> Void) {
    if isCurrent { body() } else { execute(body) }
  }
}
