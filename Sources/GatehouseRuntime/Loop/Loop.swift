import CEvent
import CPlatform
import Glibc

/// A thread that is one libevent base and one Swift executor.
///
/// State that is confined to a loop (watches, timers, connections of the database) needs no lock. As a task executor it
/// keeps async functions, child tasks, default actors and code after a continuation resumed elsewhere on its thread; an
/// unstructured `Task {}` does not inherit it. A loop runs from `LoopGroup.start()` to `LoopGroup.stop()`; work given
/// to it before waits for the start, work given after the stop never runs.
package final class Loop: TaskExecutor, SerialExecutor, @unchecked Sendable {
  // SAFETY: everything below but `remote` and `wakeDescriptor` is touched only by the loop's own thread, or before that
  // thread starts and after it was joined.

  /// How many jobs run before the loop looks at its descriptors again: ready jobs can not starve I/O. A loop that has
  /// little to do looks often, for the sake of requests that are answered without a job (public documents); a busy loop
  /// gains more from doing similar work together.
  static let jobsPerTurn = (calm: 4, busy: 512)
  /// For how long a loop that has little to do begins further jobs in a turn.
  static let timePerTurn: Duration = .microseconds(100)

  let base: OpaquePointer
  /// Nil where time is the machine's.
  let clock: ManualClock?
  private let name: String
  private let wakeDescriptor: Int32
  private var wakeEvent: OpaquePointer?
  private let remote = Locked<[Work]>([])
  private var taken: [Work] = []
  private var ready = WorkQueue()
  private var atEndOfTurn: [() -> Void] = []
  private var flushing: [() -> Void] = []
  private var stopping = false
  /// Whether the loop has little to do; judged as it runs.
  var isCalm = true
  /// Descriptors that were ready since the last turn.
  private var served = 0

  init(name: String, clock: ManualClock? = nil) {
    self.name = name
    self.clock = clock
    // Only out of memory or of descriptors at start can make these fail, and then there is no server to run.
    guard let base = event_base_new() else { fatalError("libevent: no event base") }
    let descriptor = platform_wake_descriptor()
    guard descriptor >= 0 else { fatalError("eventfd: errno \(errno)") }
    self.base = base
    wakeDescriptor = descriptor
    wakeEvent = event_new(
      base, descriptor, Int16(EV_READ | EV_PERSIST),
      { descriptor, _, _ in
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
      }, nil)
    event_add(wakeEvent, nil)
  }

  deinit {
    event_free(wakeEvent)
    event_base_free(base)
    close(wakeDescriptor)
  }

  /// The loop whose thread this is, or nil on any other thread.
  package static var current: Loop? {
    // SAFETY: the value is set by `run` to the loop it keeps alive, and cleared before `run` returns.
    platform_thread_value().map { Unmanaged<Loop>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Whether the caller is on this loop's thread.
  package var isCurrent: Bool { platform_thread_value() == Unmanaged.passUnretained(self).toOpaque() }

  /// The time that timers and deadlines of this loop go by.
  package var now: ContinuousClock.Instant { clock?.now ?? .now }

  /// Runs `body` on the loop, after what is already waiting there. From any thread.
  package func execute(_ body: @escaping @Sendable () -> Void) { submit(.body(body)) }

  /// Runs `body` once, before the loop looks at its descriptors again: everything this turn wrote goes out together;
  /// but bytes that a calm loop wrote while it looked do not wait for jobs. Loop thread only. A body that is registered
  /// by such a body runs the next time, and the loop does not wait for anything else before that.
  package func endOfTurn(_ body: @escaping () -> Void) {
    assert(isCurrent)
    atEndOfTurn.append(body)
  }

  package func enqueue(_ job: consuming ExecutorJob) { submit(.job(UnownedJob(job))) }

  package func checkIsolated() { precondition(isCurrent, "not on the loop") }

  package func isIsolatingCurrentContext() -> Bool? { isCurrent }

  /// A descriptor is ready. Told by its watch.
  func servesDescriptor() { served += 1 }

  private func submit(_ work: Work) {
    if isCurrent {
      ready.append(work)
      return
    }
    let wasEmpty = remote.withLock { queue in
      queue.append(work)
      return queue.count == 1
    }
    guard wasEmpty else { return }
    var one: UInt64 = 1
    _ = write(wakeDescriptor, &one, 8)
  }
}

extension Loop {
  /// Turns until `stop`. The calling thread is the loop's thread from here on.
  func run(for purpose: LoopGroup.Purpose) {
    platform_name_this_thread(name)
    // GUARD: loops: those that answer no request are ordinary
    var load = purpose.isJudged ? LoopLoad.ofThisThread() : nil
    let priority = purpose.hasPriority ? RealTimePriority() : nil
    onThisThread {
      while !stopping {
        turn(waits: true)
        if let news = load?.judge(at: .now) { priority?.set(news) }
        isCalm = load?.isCalm ?? false
      }
      // Work that was ready when the stop came still runs, so that no caller waits for it in vain.
      isCalm = false
      takeRemote()
      runReady()
      runEndOfTurn()
    }
  }

  /// Makes the calling thread the loop's own for `body`, in which a loop without a thread may be used and turned.
  func onThisThread<Result>(_ body: () throws -> Result) rethrows -> Result {
    platform_set_thread_value(Unmanaged.passUnretained(self).toOpaque())
    defer { platform_set_thread_value(nil) }
    return try withExtendedLifetime(self) { try body() }
  }

  /// Makes `run` return after the present turn. From any thread.
  func stop() {
    execute { [self] in stopping = true }
  }

  /// Runs what is ready and looks at the descriptors once; with `waits` it waits for something to happen.
  func turn(waits: Bool) {
    takeRemote()
    // GUARD: loops: what a calm one answered waits for no job
    if isCalm { runEndOfTurn() }
    runReady()
    runEndOfTurn()
    served = 0
    let idle = waits && ready.isEmpty && atEndOfTurn.isEmpty && !stopping
    event_base_loop(base, Int32(EVLOOP_ONCE) | (idle ? 0 : Int32(EVLOOP_NONBLOCK)))
  }

  private func takeRemote() {
    remote.withLock { swap(&$0, &taken) }
    for work in taken { ready.append(work) }
    taken.removeAll(keepingCapacity: true)
  }

  private func runReady() {
    let serial = asUnownedSerialExecutor()
    let preference = asUnownedTaskExecutor()
    // I/O cannot starve jobs: as many jobs run as there were descriptors.
    // GUARD: loops: descriptors starve no job
    let least = max(served, 1)
    // GUARD: loops: a calm one looks at its descriptors after few jobs
    let most = isCalm ? Loop.jobsPerTurn.calm : Loop.jobsPerTurn.busy
    let end = isCalm ? now + Loop.timePerTurn : nil
    var count = 0
    while count < least
      || count < most
        && (end.map { now < $0 } ?? true),  // GUARD: loops: a calm one ends its turn by time
      let work = ready.popFirst()
    {
      count += 1
      switch work {
      case .job(let job): job.runSynchronously(isolatedTo: serial, taskExecutor: preference)
      case .body(let body): body()
      }
    }
  }

  private func runEndOfTurn() {
    guard !atEndOfTurn.isEmpty else { return }
    swap(&atEndOfTurn, &flushing)
    for body in flushing { body() }
    flushing.removeAll(keepingCapacity: true)
  }
}
