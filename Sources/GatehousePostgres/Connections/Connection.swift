import CPostgreSQL
import Foundation
import GatehouseRuntime

/// One pipelined libpq connection on a loop: opens itself, sends batches, hands out answers, and opens itself again
/// after a loss. Everything here happens on the loop's thread.
final class Connection: @unchecked Sendable {
  // SAFETY: touched only on the loop's thread; libpq is told to own no thread and never blocks.

  /// `retiring` takes no more work and goes once what it owes is answered.
  enum State { case down, opening, settingUp, ready, retiring, closed }

  /// The answer that the server owes for each sync that was sent.
  enum Work {
    case batch(Job)
    case prepare(PreparedStatements.Key)
    case setup
    case deallocate
  }

  /// Reports to the owner. Called on the loop.
  struct Events {
    var ready: (Connection) -> Void = { _ in }
    /// The connection is gone after it had been ready.
    var down: () -> Void = {}
    /// The connection is gone; these were sent and not answered.
    var lost: ([Job]) -> Void = { _ in }
    /// A batch that was rolled back for a reason of ours and may simply be sent again.
    var again: (Job) -> Void = { $0.finish(.failure(.unavailable)) }
    var notified: (_ channel: String, _ payload: String) -> Void = { _, _ in }
    var failedToConnect: (PrivateNote) -> Void = { _ in }
    /// Whether the server's process with this number, which was given up while it worked, has ended.
    var isGone: (_ process: Int32, _ answer: @escaping (Bool) -> Void) -> Void = { $1(true) }
  }

  let loop: Loop
  let settings: ConnectionSettings
  var events = Events()
  var state = State.down
  var handle: OpaquePointer?
  var ledger = PipelineLedger<Work>()
  var statements: PreparedStatements
  var watch: Watch?
  private var watched: Int32 = -1
  private var timer: LoopTimer?
  private var round = HostRound()
  /// Rounds of attempts without any work done since.
  private var attempts = 0
  /// When an answer was complete last.
  var heardAt = ContinuousClock.now
  /// The server's process of a connection that was given up because it was silent.
  private var left: Int32?
  /// Grows with every loss, so that a transaction notices that its connection is not the one it began on.
  private(set) var generation: UInt64 = 0

  init(loop: Loop, settings: ConnectionSettings) {
    self.loop = loop
    self.settings = settings
    statements = PreparedStatements(limit: settings.preparedStatements)
  }

  /// Batches sent and not answered.
  var pending: Int { ledger.count }
  var isReady: Bool { state == .ready }

  /// Begins to connect, and keeps doing so after every loss until `close()`.
  func open() {
    guard state == .down else { return }
    state = .opening
    round.prepare(lastGood: settings.hosts.lastGood)
    handle = settings.withKeywords(for: host) { PQconnectStartParams($0, $1, 1) }
    guard let handle, PQstatus(handle) != CONNECTION_BAD else { return lose() }
    // SAFETY: the receiver runs only inside libpq calls that this object makes, and PQfinish ends it before deinit.
    PQsetNoticeReceiver(
      handle,
      { context, notice in
        guard let context, let notice else { return }
        Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().receive(notice: notice)
      }, Unmanaged.passUnretained(self).toOpaque())
    timer = loop.after(settings.connectTimeout) { [weak self] in self?.lose(because: "it let no connection in in time")
    }
    observe(handle, interest: .write)
  }

  /// Ends the connection for good; unanswered work is reported as lost.
  func close() {
    release()
    state = .closed
  }

  /// Gives the connection up and schedules the next attempt; what was owed goes to the owner. An attempt that failed is
  /// followed by one at the next host, and a whole round of them by a pause.
  /// - Parameter reason: why the attempt failed, where libpq does not know.
  func lose(because reason: String? = nil) {
    guard state != .closed else { return }
    let isAttempt = state == .opening || state == .settingUp
    if isAttempt, let handle {
      events.failedToConnect(PrivateNote(reason.map { describe(handle) + ": " + $0 } ?? message(of: handle)))
    }
    release()
    if isAttempt, round.failed(of: settings.hosts.count) {
      timer = loop.after(.zero) { [weak self] in self?.open() }
    } else {
      attempts += 1
      timer = loop.after(Connection.backOff(attempt: attempts)) { [weak self] in self?.openAgain() }
    }
  }

  /// Takes no more work from here on, and gives the connection up when what was sent is answered.
  func retire() {
    guard state == .ready else { return }
    events.down()
    state = .retiring
  }

  /// Called every 50 ms while batches wait for answers. A write that is overdue is told as unknown. The connection is
  /// dropped if nothing came for as long as its next answer may take. A commit is never cancelled: cancelling one that
  /// waits for a standby would report success for what may be lost.
  func watchOver(at now: ContinuousClock.Instant) {
    var next: Job?
    for case .batch(let job) in ledger.owed {
      if next == nil { next = job }
      // GUARD: lane: an overdue write is told as unknown
      if job.kind == .write || job.kind == .commit, job.deadline <= now { job.finish(.failure(.unknownOutcome)) }
    }
    if let next, next.silence(since: heardAt) <= now {
      // GUARD: lane: one process of a silent server for each connection
      left = handle.map { PQbackendPID($0) }
      // GUARD: lane: a commit is never cancelled
      lose()
    }
  }

  /// Opens it once the server's process before it is gone: it may wait for a standby that does not come, and so would
  /// the next one, until the server has none left.
  private func openAgain() {
    guard let left else { return open() }
    events.isGone(left) { [weak self] isGone in
      guard let self, state == .down, self.left == left else { return }
      if isGone {
        self.left = nil
        open()
      } else {
        timer = loop.after(.milliseconds(500)) { [weak self] in self?.openAgain() }
      }
    }
  }

  /// 50 ms doubling to 2 s, half of it random, so that many connections do not return at the same moment.
  static func backOff(attempt: Int) -> Duration {
    let longest = min(2_000, 50 << min(max(0, attempt - 1), 6))
    return .milliseconds(Int.random(in: longest / 2...longest))
  }

  private var host: Int { round.host(of: settings.hosts.count) }

  private func message(of handle: OpaquePointer) -> String { String(cString: PQerrorMessage(handle)) }

  private func describe(_ handle: OpaquePointer) -> String {
    let (host, port) = (PQhost(handle).map { String(cString: $0) }, PQport(handle).map { String(cString: $0) })
    return "\(host ?? "the server") port \(port ?? "")"
  }

  private func release() {
    timer?.cancel()
    timer = nil
    watch?.cancel()
    watch = nil
    watched = -1
    if let handle { PQfinish(handle) }
    handle = nil
    generation += 1
    statements = PreparedStatements(limit: settings.preparedStatements)
    if state == .ready { events.down() }
    state = .down
    let jobs = ledger.drain().compactMap { if case .batch(let job) = $0 { job } else { nil } }
    if !jobs.isEmpty { events.lost(jobs) }
  }

  /// libpq may use another descriptor after each step of connecting.
  private func observe(_ handle: OpaquePointer, interest: Readiness) {
    let descriptor = PQsocket(handle)
    if descriptor != watched || watch == nil || state != .ready {
      watch?.cancel()
      watched = descriptor
      watch = loop.watch(descriptor) { [weak self] readiness in self?.advance(readiness) }
    }
    watch?.interest = interest
  }

  private func advance(_ readiness: Readiness) {
    switch state {
    case .opening: poll()
    case .settingUp, .ready, .retiring:
      // Reading goes on while a write is held up: both sides waiting on full buffers would wait for ever.
      if readiness.contains(.read) { receive() }
      if readiness.contains(.write) { flush() }
    case .down, .closed: break
    }
  }

  private func poll() {
    guard let handle else { return }
    switch PQconnectPoll(handle) {
    case PGRES_POLLING_READING: observe(handle, interest: .read)
    case PGRES_POLLING_WRITING: observe(handle, interest: .write)
    case PGRES_POLLING_OK: setUp(handle)
    default: lose()
    }
  }

  /// From here on the connection is non-blocking and pipelined; its first exchange asks whether the server is a standby
  /// and sets the session's parameters.
  private func setUp(_ handle: OpaquePointer) {
    guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else { return lose() }
    state = .settingUp
    observe(handle, interest: .read)
    guard send(statement: settings.setup, on: handle), PQpipelineSync(handle) == 1 else { return lose() }
    ledger.append(.setup, statements: 1)
    flush()
  }

  /// Work was done: the next loss is a new one. Not before, so that a connection which is let in and then is of no use
  /// is not asked for again and again without a pause.
  func noteWork() { attempts = 0 }

  /// The session is set up: batches may come.
  func becomeReady() {
    timer?.cancel()
    timer = nil
    settings.hosts.answered(host)
    round.succeeded()
    state = .ready
    events.ready(self)
  }

  deinit {
    // Only reached after close(): the loop's watch and timer hold no strong reference.
    if let handle { PQfinish(handle) }
  }
}
