import GatehouseRuntime

/// The connections of one loop, for reads and for writes, and the batches that wait for one.
final class LoopConnections: @unchecked Sendable {
  // SAFETY: touched only on the loop's thread.
  let loop: Loop
  private let configuration: DatabaseConfiguration
  private let gauge: ConnectionGauge
  private let reads: [Connection]
  private let writes: [Connection]
  private var openings: Openings?
  private var waiting: [Job] = []
  private var sweep: Sweep?
  private var isClosed = false

  init(
    loop: Loop, configuration: DatabaseConfiguration, hosts: ConnectionHosts, loops: Int, gauge: ConnectionGauge
  ) {
    self.loop = loop
    self.configuration = configuration
    self.gauge = gauge
    let count = configuration.connections(perLoopOf: loops)
    reads = (0..<count.reads).map { _ in Connection(loop: loop, settings: configuration.settings(for: .read, on: hosts))
    }
    writes = (0..<count.writes).map { _ in
      Connection(loop: loop, settings: configuration.settings(for: .write, on: hosts))
    }
  }

  func open() {
    sweep = Sweep(loop: loop) { [weak self] now in self?.watchOver(now) ?? false }
    for connection in reads + writes {
      connection.events = Connection.Events(
        ready: { [unowned self] _ in
          gauge.connected()
          resubmit()
          openings?.connected()
        },
        down: { [gauge] in gauge.disconnected() },
        lost: { [unowned self] jobs in settle(jobs) },
        again: { [unowned self] job in place(job) },
        failedToConnect: { [gauge] in gauge.note($0) })
    }
    for connection in writes {
      connection.events.isGone = { [weak self] process, answer in
        self?.ask(whether: process, answer)
      }
    }
    openings = Openings(
      loop: loop, first: [reads[0], writes[0]], others: Array(reads.dropFirst() + writes.dropFirst()))
  }

  /// Whether everything that was accepted has been answered.
  var isIdle: Bool { waiting.isEmpty && (reads + writes).allSatisfy { $0.pending == 0 } }

  func close() {
    isClosed = true
    sweep?.cancel()
    openings?.cancel()
    for connection in reads + writes { connection.close() }
    for job in waiting { job.finish(.failure(.unavailable)) }
    waiting = []
  }

  /// Sends a batch on the least loaded connection of its kind, or lets it wait a little while none is connected.
  func submit(_ job: Job) {
    guard !isClosed else { return job.finish(.failure(.unavailable)) }
    if let refusal = job.refusal { return job.finish(.failure(refusal)) }
    place(job)
    sweep?.arm()
  }

  private func place(_ job: Job) {
    guard !isClosed else { return job.finish(.failure(.unavailable)) }
    let connections = job.kind == .read ? reads : writes
    guard let connection = connections.filter(\.isReady).min(by: { $0.pending < $1.pending }) else {
      guard waiting.count < configuration.waiting else { return job.finish(.failure(.overloaded)) }
      job.markWaiting()
      waiting.append(job)
      sweep?.arm()
      return
    }
    if connection.pending > 0 { openings?.openNext() }
    guard connection.pending < configuration.pendingPerConnection else { return job.finish(.failure(.overloaded)) }
    connection.send(job)
  }

  /// Asks the server, over a connection for reads, whether a backend that was left there has ended or is idle. A
  /// working backend of another server with the same pid may be mistaken for it.
  func ask(whether process: Int32, _ isGone: @escaping (Bool) -> Void) {
    submit(
      Job(
        .read,
        [
          """
          SELECT NOT EXISTS (SELECT FROM pg_stat_activity
            WHERE pid = \(process) AND usename = current_user AND state <> 'idle')
          """
        ], timeout: configuration.deadline(of: .read), patience: configuration.patience
      ) { result in isGone((try? result.get().first?[0][0]) == true) })
  }

  private func resubmit() {
    let jobs = waiting
    waiting = []
    for job in jobs { place(job) }
  }

  /// Settles the jobs of a lost connection: reads go out once more, writes end with an unknown outcome.
  private func settle(_ jobs: [Job]) {
    let now = ContinuousClock.now
    for job in jobs {
      if job.kind != .read {
        job.finish(.failure(job.lossOfConnection))
      } else if job.deadline <= now {
        job.finish(.failure(.timeout))
      } else if job.wasResent {
        job.finish(.failure(.unavailable))
      } else {
        job.wasResent = true
        // Not immediately: the connection is still being closed, and others may follow.
        loop.execute { [self] in place(job) }
      }
    }
  }

  private func watchOver(_ now: ContinuousClock.Instant) -> Bool {
    waiting.removeAll { job in
      guard job.waitsUntil <= now else { return false }
      job.finish(.failure(.unavailable))
      return true
    }
    for connection in reads + writes { connection.watchOver(at: now) }
    return !isIdle
  }
}
