import CPlatform
import Synchronization

/// Bytes in the buffers of connections on several loops, and their bound. Connections tell it whole steps of theirs: a
/// request of the usual size changes nothing here.
final class BufferSum: Sendable {
  static let step = 16_384

  let bound: Int
  private let sum = Atomic<Int>(0)

  init(bound: Int) {
    self.bound = bound
  }

  var bytes: Int { sum.load(ordering: .relaxed) }

  /// Whether more than half is used: from then on peers have to take their answers quickly.
  var isCrowded: Bool { bytes > bound / 2 }

  /// Adds `change`, of a connection that had `own` bytes. Whether the others have more than the bound by themselves.
  func add(_ change: Int, own: Int) -> Bool {
    let before = sum.add(change, ordering: .relaxed).oldValue
    return before - own > bound  // GUARD: room: buffers of all connections
  }
}

/// The buffers of one or more servers: requests that are not answered, and answers that clients have not taken.
package final class BufferMemory: Sendable {
  /// Buffers that take so much are given back to the system once they are used no more, at most once a minute.
  private static let burst = 8 << 20

  let sum: BufferSum
  private let most = Atomic<Int>(0)
  private let relieved = Locked<ContinuousClock.Instant?>(nil)
  private let relief: @Sendable () -> Void

  /// - Parameter relief: is called after a burst, on any thread, and must be quick.
  init(bound: Int, relief: @escaping @Sendable () -> Void = {}) {
    sum = BufferSum(bound: bound)
    self.relief = relief
  }

  /// With `loop`, on which no request waits, memory is given back to the system a second after a burst.
  package convenience init(bound: Int, givingBackOn loop: Loop) {
    self.init(bound: bound) {
      loop.execute { loop.after(.seconds(1)) { platform_give_back_memory() } }
    }
  }

  /// Bytes in buffers, to the step.
  package var bytes: Int { sum.bytes }

  /// As `BufferSum.add`.
  func add(_ change: Int, own: Int) -> Bool {
    let isFull = sum.add(change, own: own)
    if change > 0 {
      most.max(sum.bytes, ordering: .relaxed)
    } else {
      noticeEnd()
    }
    return isFull
  }

  private func noticeEnd() {
    let most = most.load(ordering: .relaxed)
    guard most >= Self.burst, sum.bytes <= most / 8 else { return }
    let now = ContinuousClock.now
    let isDue = relieved.withLock { last in
      if let last, now - last < .seconds(60) { return false }
      last = now
      return true
    }
    guard isDue else { return }
    self.most.store(0, ordering: .relaxed)
    relief()
  }
}
