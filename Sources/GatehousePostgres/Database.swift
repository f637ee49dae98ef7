package import Foundation
package import GatehouseIdentity
import GatehousePrimitives
package import GatehouseRuntime

/// The process's way to PostgreSQL.
///
/// A batch (the statements of one `read` or `write`) is one implicit transaction in one round trip: all of it happens,
/// or none. With a tenant, row-level security shows that tenant's rows and no others; without, none. A caller on a loop
/// uses that loop's connections, any other caller hops to one. A cancelled task still waits for its answer: what was
/// sent is never cancelled.
package final class Database: Sendable {
  private let connections: [LoopConnections]
  private let pool: ExclusivePool
  private let listener: NotificationListener
  private let gauge = ConnectionGauge()
  /// Held by the one program that does what one does for all.
  package let jobsLock: AdvisoryLock
  private let configuration: DatabaseConfiguration
  private let turn = LockBox(0)

  /// Connects nothing yet. `loops` must not be empty.
  package init(loops: [Loop], configuration: DatabaseConfiguration) {
    precondition(!loops.isEmpty, "a database needs a loop")
    self.configuration = configuration
    let gauge = gauge
    let hosts = ConnectionHosts(conninfo: configuration.conninfo)
    connections = loops.map {
      LoopConnections(loop: $0, configuration: configuration, hosts: hosts, loops: loops.count, gauge: gauge)
    }
    pool = ExclusivePool(
      loop: loops[0], configuration: configuration, hosts: hosts, gauge: gauge, beside: connections[0])
    listener = NotificationListener(loop: loops[0], configuration: configuration, hosts: hosts, gauge: gauge)
    jobsLock = AdvisoryLock(1, loop: loops[0], configuration: configuration, hosts: hosts, gauge: gauge)
  }

  /// Opens what is needed first and waits until every loop can read and write; other connections follow when they are
  /// needed, or a second later. Throws `unavailable` after `timeout`, with the reason in `connectFailure`; the
  /// connections keep trying. The loops must run.
  package func start(timeout: Duration = .seconds(10)) async throws {
    for connection in connections { connection.loop.perform { connection.open() } }
    pool.loop.perform { [pool, listener] in
      pool.open()
      listener.open()
    }
    try await withThrowingTaskGroup { [self] answers in
      for connection in connections {
        for kind in [Job.Kind.read, .write] {
          answers.addTask { _ = try await self.submit(kind, nil, ["SELECT 1"], on: connection, patience: timeout) }
        }
      }
      try await answers.waitForAll()
    }
  }

  /// Lets accepted work finish, at most `grace`, and closes every connection. Later calls throw `unavailable`.
  package func stop(grace: Duration = .seconds(5)) async {
    let end = ContinuousClock.now + grace
    while await !isIdle(), ContinuousClock.now < end {
      try? await pool.loop.sleep(for: .milliseconds(10))
      if Task.isCancelled { break }
    }
    for connection in connections { await on(connection.loop) { connection.close() } }
    await on(pool.loop) { [pool, listener, jobsLock] in
      pool.close()
      listener.close()
      jobsLock.close()
    }
  }

  /// Runs statements that change nothing (the server refuses others here). A lost connection is made good once.
  package func read(_ tenant: UUID?, _ statements: [SQL]) async throws -> [Rows] {
    try await traced(statements) {
      try await submit(.read, tenant, statements, on: connection(), patience: configuration.patience)
    }
  }

  /// One reading statement.
  package func read(_ tenant: UUID?, _ statement: SQL) async throws -> Rows {
    try await Database.only(read(tenant, [statement]))
  }

  /// Runs statements as one transaction. Throws `unknownOutcome` when the connection went away before the answer.
  package func write(_ tenant: UUID?, _ statements: [SQL], flushed: Flush = .beforeAnswer) async throws -> [Rows] {
    try await traced(statements) {
      try await submit(.write, tenant, statements, flushed: flushed, on: connection(), patience: configuration.patience)
    }
  }

  /// Sends statements as one span of the trace, where there is one.
  private func traced(_ statements: [SQL], _ send: () async throws -> [Rows]) async throws -> [Rows] {
    guard let span = Trace.begin(.statement) else { return try await send() }
    let summary = SQL.summary(of: statements)
    let about = [
      SpanAttribute("db.system.name", "postgresql"), SpanAttribute("db.query.summary", summary),
      SpanAttribute("db.operation.batch.size", statements.count),
    ]
    do {
      let rows = try await send()
      span.end(summary, about)
      return rows
    } catch {
      span.end(summary, about, error: (error as? DatabaseError)?.sqlState ?? "failed")
      throw error
    }
  }

  /// One writing statement.
  package func write(_ tenant: UUID?, _ statement: SQL) async throws -> Rows {
    try await Database.only(write(tenant, [statement]))
  }

  /// Runs `body` in a transaction on a connection of its own and commits. Serialization failures and deadlocks run
  /// `body` again, up to 3 times, and a server that takes no writes once: it must have no effect outside the
  /// transaction.
  package func transaction<Value>(
    _ tenant: UUID?, isolation: Transaction.Isolation = .readCommitted,
    _ body: (Transaction) async throws -> Value
  ) async throws -> Value {
    var attempt = 0
    while true {
      let lease = try await pool.lease()
      let transaction = Transaction(
        pool: pool, lease: lease, tenant: tenant, now: configuration.clock?(), isolation: isolation)
      do {
        let value = try await body(transaction)
        try await transaction.commit()
        gauge.wrote(nil)
        pool.giveBack(lease, clean: true)
        return value
      } catch {
        pool.giveBack(lease, clean: await transaction.rollBack())
        let cause = transaction.failure ?? error as? DatabaseError
        if let cause { gauge.wrote(cause) }
        guard let cause, attempt < cause.repetitions else { throw error }
        attempt += 1
        try await pool.loop.sleep(for: .milliseconds(Int.random(in: 1...(20 << attempt))))
      }
    }
  }

  /// Payloads of NOTIFY on a channel. An empty payload means that listening began, or began anew after a loss:
  /// look for yourself, something may have been missed. Ends with `stop()`.
  package func listen(_ channel: String) -> AsyncStream<String> { listener.listen(to: channel) }

  /// Counts and state for metrics.
  package var statistics: DatabaseStatistics { gauge.snapshot }

  /// Why writes are refused, as of those of the last minute; nil where they are not.
  package var writeTrouble: WriteTrouble? { gauge.writeTrouble }

  /// Why the last attempt to connect failed, for the operator; nil once one succeeded.
  package var connectFailure: PrivateNote? { gauge.connectFailure }

  private static func only(_ answers: [Rows]) throws -> Rows {
    guard let rows = answers.first else { throw DatabaseError.unexpectedRow("no answer") }
    return rows
  }

  private func connection() -> LoopConnections {
    if let current = Loop.current, let connection = connections.first(where: { $0.loop === current }) {
      return connection
    }
    return connections[
      turn.withLock {
        $0 = ($0 + 1) % connections.count
        return $0
      }]
  }

  private func submit(
    _ kind: Job.Kind, _ tenant: UUID?, _ statements: [SQL], flushed: Flush = .beforeAnswer,
    on connection: LoopConnections,
    patience: Duration
  ) async throws -> [Rows] {
    guard !statements.isEmpty else { return [] }
    let prefix = Job.opening(tenant, now: configuration.clock?(), flushed: flushed)
    gauge.began(statements.count)
    return try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<[Rows], any Error>) in
      let job = Job(
        kind, prefix + statements, hidden: prefix.count, timeout: configuration.deadline(of: kind), patience: patience
      ) { [gauge] result in
        gauge.ended(result.failure)
        if kind == .write { gauge.wrote(result.failure) }
        continuation.resume(with: result.mapError { $0 })
      }
      connection.loop.perform { connection.submit(job) }
    }
  }

  private func isIdle() async -> Bool {
    for connection in connections where await !on(connection.loop, { connection.isIdle }) { return false }
    return await on(pool.loop) { [pool] in pool.isIdle }
  }

  private func on<Value: Sendable>(_ loop: Loop, _ body: @escaping @Sendable () -> Value) async -> Value {
    await withUnsafeContinuation { continuation in
      loop.perform { continuation.resume(returning: body()) }
    }
  }
}
