import GatehouseRuntime

/// Connections that one transaction at a time has to itself. They live on one loop; callers on others hop.
final class ExclusivePool: @unchecked Sendable {
  // SAFETY: but for `lease` and `run`, touched only on the loop's thread.
  let loop: Loop
  private let configuration: DatabaseConfiguration
  private let gauge: ConnectionGauge
  private let connections: [Connection]
  private let others: LoopConnections
  private var leased: Set<ObjectIdentifier> = []
  private var waiters: [Waiter] = []
  private var sweep: Sweep?
  private var openings: Openings?
  private var isClosed = false

  private struct Waiter {
    let patience: ContinuousClock.Instant
    let continuation: UnsafeContinuation<Lease, any Error>
  }

  /// A connection that belongs to one transaction until it is given back.
  struct Lease: Sendable {
    let connection: Connection
    /// INVARIANT: a connection whose generation moved on is not the one this transaction began on.
    let generation: UInt64
  }

  /// `others` are those of the same loop.
  init(
    loop: Loop, configuration: DatabaseConfiguration, hosts: ConnectionHosts, gauge: ConnectionGauge,
    beside others: LoopConnections
  ) {
    self.loop = loop
    self.configuration = configuration
    self.gauge = gauge
    self.others = others
    connections = (0..<max(1, configuration.interactive)).map { _ in
      Connection(loop: loop, settings: configuration.settings(for: .interactive, on: hosts))
    }
  }

  func open() {
    sweep = Sweep(loop: loop) { [weak self] now in self?.watchOver(now) ?? false }
    for connection in connections {
      connection.events = Connection.Events(
        ready: { [unowned self] _ in
          gauge.connected()
          serve()
          openings?.connected()
        },
        down: { [gauge] in gauge.disconnected() },
        lost: { jobs in for job in jobs { job.finish(.failure(job.lossOfConnection)) } },
        failedToConnect: { [gauge] in gauge.note($0) },
        isGone: { [others] process, answer in others.ask(whether: process, answer) })
    }
    openings = Openings(loop: loop, first: [], others: connections)
  }

  var isIdle: Bool { leased.isEmpty && waiters.isEmpty }

  func close() {
    isClosed = true
    sweep?.cancel()
    openings?.cancel()
    for connection in connections { connection.close() }
    for waiter in waiters { waiter.continuation.resume(throwing: DatabaseError.unavailable) }
    waiters = []
  }

  /// Waits for a connection: at most as long as `transactionTimeout` while all are taken, `patience` while none is up.
  func lease() async throws -> Lease {
    try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Lease, any Error>) in
      loop.perform { [self] in
        guard !isClosed else { return continuation.resume(throwing: DatabaseError.unavailable) }
        guard waiters.count < configuration.waiting else {
          return continuation.resume(throwing: DatabaseError.overloaded)
        }
        let isUp = connections.contains { $0.isReady }
        let patience = isUp ? configuration.transactionTimeout : configuration.patience
        waiters.append(Waiter(patience: .now + patience, continuation: continuation))
        serve()
        if !waiters.isEmpty { openings?.openNext() }
        sweep?.arm()
      }
    }
  }

  /// Gives the connection to the next one. `clean` says that its transaction is known to have ended.
  func giveBack(_ lease: Lease, clean: Bool) {
    loop.perform { [self] in
      leased.remove(ObjectIdentifier(lease.connection))
      if !clean, lease.connection.generation == lease.generation { lease.connection.lose() }
      serve()
    }
  }

  /// Sends one step on a leased connection.
  func run(_ kind: Job.Kind, _ statements: [SQL], hidden: Int = 0, on lease: Lease) async throws -> [Rows] {
    gauge.began(statements.count - hidden)
    return try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<[Rows], any Error>) in
      let job = Job(kind, statements, hidden: hidden, timeout: configuration.deadline(of: kind)) { [gauge] result in
        gauge.ended(result.failure)
        continuation.resume(with: result.mapError { $0 })
      }
      loop.perform { [self] in
        guard lease.connection.generation == lease.generation else { return job.finish(.failure(.unavailable)) }
        lease.connection.send(job)
        sweep?.arm()
      }
    }
  }

  private func serve() {
    while !waiters.isEmpty,
      let free = connections.first(where: { $0.isReady && !leased.contains(ObjectIdentifier($0)) })
    {
      leased.insert(ObjectIdentifier(free))
      waiters.removeFirst().continuation.resume(returning: Lease(connection: free, generation: free.generation))
    }
  }

  private func watchOver(_ now: ContinuousClock.Instant) -> Bool {
    let isUp = connections.contains { $0.isReady }
    waiters.removeAll { waiter in
      guard waiter.patience <= now else { return false }
      waiter.continuation.resume(throwing: isUp ? DatabaseError.overloaded : DatabaseError.unavailable)
      return true
    }
    for connection in connections { connection.watchOver(at: now) }
    return !isIdle
  }
}

extension Result {
  var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}
