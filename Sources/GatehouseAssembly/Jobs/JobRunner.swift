package import GatehousePrimitives

/// Runs jobs. Trouble of a round is reported, and the next round tries again.
package struct JobRunner: Sendable {
  private let sleep: @Sendable (Duration) async -> Void
  private let isForAll: @Sendable () -> Bool
  /// The trace that rounds work for; nil where none is recorded.
  private let trace: TraceContext?
  private let report: @Sendable (Job.Failure, any Error) -> Void

  /// `sleep` MUST return as soon as its task is cancelled. `isForAll` says whether this server is the one that runs the
  /// jobs of one server.
  package init(
    sleep: @escaping @Sendable (Duration) async -> Void, isForAll: @escaping @Sendable () -> Bool = { true },
    trace: TraceContext? = nil,
    report: @escaping @Sendable (Job.Failure, any Error) -> Void
  ) {
    self.sleep = sleep
    self.isForAll = isForAll
    self.trace = trace
    self.report = report
  }

  /// Runs a job until the task is cancelled, and then its last round.
  package func run(_ job: Job) async {
    guard let trace else { return await work(job) }
    await Trace.$current.withValue(trace) { await work(job) }
  }

  private func work(_ job: Job) async {
    switch job.work {
    case .rounds(let round):
      if job.startsWithPause { await pause(job) }
      while !Task.isCancelled {
        // GUARD: jobs: of one server
        let isHere = job.place == .everyServer || isForAll()
        if !isHere { await pause(job) } else if await !attempt(job, round) { await pause(job) }
      }
    case .run(let run): await run({ await pause(job) }, { trouble in note(trouble, of: job) })
    }
    guard let last = job.last else { return }
    _ = await attempt(job) {
      try await last()
      return false
    }
  }

  /// Runs a round and returns whether more can be done at once; false after a failure.
  private func attempt(_ job: Job, _ round: Job.Round) async -> Bool {
    do {
      return try await round()
    } catch {
      note(error, of: job)
      return false
    }
  }

  private func note(_ trouble: any Error, of job: Job) {
    if let failure = job.failure { report(failure, trouble) }
  }

  /// One step at least, so that a round that failed is not tried again at once.
  private func pause(_ job: Job) async {
    guard let wake = job.wake else { return await sleep(job.pause) }
    var left = job.pause
    repeat {
      await sleep(min(wake.step, left))
      left -= wake.step
    } while left > .zero && !Task.isCancelled && !wake.isDue()
  }
}
