/// Work of a server beside answering: rounds, with a pause behind each that left nothing to do at once.
package struct Job: Sendable {
  package enum Name: Sendable, CaseIterable {
    case followTenants, deliverMail, pruneExpired, deliverWebhooks, revokeGrants, warmGrants, sealAudit, expireSessions
    case tellSuppressed, backfillProofs, countDataKeyUses, writeSeenSessions, measureBacklog, announceServer
    case backfillPushDigests, giveBack, shareJobs, bindSealed, compareClocks, askDatabase, watchPolicies
    case reload, tellServiceManager, askForBackup, followFloor, watchQueues, watchEdge, eraseDeleted, exportTraces
    case moveValues
  }

  /// The names of a job's failure: a kind of `gatehouse_failures_total`, and an event of the log.
  package struct Failure: Sendable {
    package let kind: String
    package let event: StaticString

    package init(_ kind: String, _ event: StaticString) {
      self.kind = kind
      self.event = event
    }
  }

  /// True when there may be more to do at once.
  package typealias Round = @Sendable () async throws -> Bool
  package typealias Last = @Sendable () async throws -> Void
  /// Work that is no rounds: it runs until its task is cancelled, waits by `pause` where it has nothing to do, and says
  /// what went wrong.
  package typealias Run =
    @Sendable (
      _ pause: @escaping @Sendable () async -> Void, _ trouble: @escaping @Sendable (any Error) -> Void
    ) async -> Void

  /// How a job's pause may end early: this is asked after each step of the pause.
  package struct Wake: Sendable {
    let step: Duration
    let isDue: @Sendable () -> Bool

    package init(every step: Duration, when isDue: @escaping @Sendable () -> Bool) {
      self.step = step
      self.isDue = isDue
    }
  }

  /// Which of several servers on one database runs it.
  package enum Place: Sendable {
    case everyServer
    /// The one that holds the lock of jobs.
    case oneServer
  }

  enum Work: Sendable {
    case rounds(Round)
    case run(Run)
  }

  package let name: Name
  /// Nil for a job that throws nothing.
  package let failure: Failure?
  package let place: Place
  let pause: Duration
  let startsWithPause: Bool
  let wake: Wake?
  let work: Work
  /// Work that is done once more when the server stops.
  let last: Last?

  /// One round; nil for a job that is no rounds.
  package var round: Round? { if case .rounds(let round) = work { round } else { nil } }

  /// A job of rounds.
  package init(
    _ name: Name, fails failure: Failure? = nil, on place: Place = .everyServer, every pause: Duration,
    startsWithPause: Bool = false, wake: Wake? = nil, last: Last? = nil, round: @escaping Round
  ) {
    self.name = name
    self.failure = failure
    self.place = place
    self.pause = pause
    self.startsWithPause = startsWithPause
    self.wake = wake
    self.last = last
    work = .rounds(round)
  }

  /// A job that is no rounds.
  package init(_ name: Name, fails failure: Failure? = nil, every pause: Duration = .zero, runs run: @escaping Run) {
    self.name = name
    self.failure = failure
    place = .everyServer
    self.pause = pause
    startsWithPause = false
    wake = nil
    last = nil
    work = .run(run)
  }
}
