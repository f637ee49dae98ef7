import GatehousePrimitives
import GatehouseRuntime

/// A lock of the database that one session holds at a time, and that is gone with the session. It has a connection of
/// its own, which is opened when it is asked for the first time.
package final class AdvisoryLock: @unchecked Sendable {
  // SAFETY: but for `isHeld` and `ask`, touched only on the loop's thread.
  private let loop: Loop
  private let connection: Connection
  private let gauge: ConnectionGauge
  private let number: Int32
  private let held = LockBox(false)
  private var sweep: Sweep?
  private var waiting: [UnsafeContinuation<Bool, Never>] = []
  private var timer: LoopTimer?
  private var isOpen = false
  private var isClosed = false

  /// "gate" as a number: locks of two numbers are others than those of one, which transactions take.
  private static let family: Int32 = 0x6761_7465
  /// How long an answer is awaited, and the connection.
  private static let patience = Duration.seconds(5)

  init(
    _ number: Int32, loop: Loop, configuration: DatabaseConfiguration, hosts: ConnectionHosts, gauge: ConnectionGauge
  ) {
    self.number = number
    self.loop = loop
    self.gauge = gauge
    connection = Connection(loop: loop, settings: configuration.settings(for: .lock, on: hosts))
  }

  /// Whether this program holds it, as of the last answer.
  package var isHeld: Bool { held.withLock { $0 } }

  /// Asks for it, or makes sure of it. A holder that has not asked for half a minute, as one whose machine sleeps,
  /// loses it with its session.
  @discardableResult
  package func ask() async -> Bool {
    await withUnsafeContinuation { continuation in
      loop.perform { [self] in
        guard !isClosed else { return continuation.resume(returning: false) }
        waiting.append(continuation)
        guard waiting.count == 1 else { return }
        if connection.isReady { return send() }
        if !isOpen { open() }
        timer = loop.after(AdvisoryLock.patience) { [weak self] in
          if let self, !connection.isReady { answer(false) }
        }
      }
    }
  }

  func close() {
    isClosed = true
    sweep?.cancel()
    timer?.cancel()
    connection.close()
    answer(false)
  }

  private func open() {
    isOpen = true
    sweep = Sweep(loop: loop) { [weak self] now in
      guard let self else { return false }
      connection.watchOver(at: now)
      return connection.pending > 0
    }
    connection.events = Connection.Events(
      ready: { [weak self, gauge] _ in
        gauge.connected()
        if let self, !waiting.isEmpty { send() }
      },
      down: { [held, gauge] in
        gauge.disconnected()
        held.withLock { $0 = false }
      },
      lost: { jobs in for job in jobs { job.finish(.failure(.unavailable)) } },
      failedToConnect: { [gauge] in gauge.note($0) })
    connection.open()
  }

  private func send() {
    // Asked for a second time, the session would hold it twice.
    let statement: SQL =
      isHeld ? "SELECT true" : "SELECT pg_try_advisory_lock(\(AdvisoryLock.family), \(number))"
    connection.send(
      Job(.read, [statement], timeout: AdvisoryLock.patience) { [weak self] result in
        self?.answer((try? result.get().first?[0][0]) == true)
      })
    sweep?.arm()
  }

  private func answer(_ isHeld: Bool) {
    held.withLock { $0 = isHeld }
    let waiting = waiting
    self.waiting = []
    for continuation in waiting { continuation.resume(returning: isHeld) }
  }
}
