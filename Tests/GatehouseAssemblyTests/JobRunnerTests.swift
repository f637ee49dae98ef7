import GatehouseAssembly
import GatehousePrimitives
import Testing

@Suite("The runner of jobs")
struct JobRunnerTests {
  private struct Trouble: Error {}

  /// What a job did, in order. Pauses are not waited for; a given one cancels the task, as the stop of the server does.
  private final class Diary: Sendable {
    private let lines = LockBox<[String]>([])
    private let pauses = LockBox(0)
    private let stop: Int

    init(stopsAtPause stop: Int) { self.stop = stop }

    var all: [String] { lines.withLock { $0 } }

    func note(_ line: String) { lines.withLock { $0.append(line) } }

    func count(of line: String) -> Int { all.count { $0 == line } }

    func pause(_ length: Duration) {
      note("pause \(length)")
      let paused = pauses.withLock { pauses in
        pauses += 1
        return pauses
      }
      if paused == stop { withUnsafeCurrentTask { $0?.cancel() } }
    }
  }

  private static let failure = Job.Failure("grants_not_revoked", "grants.not_revoked")

  /// Runs a job in a task of its own until it ends.
  private func run(stopsAtPause stop: Int, _ job: @escaping @Sendable (Diary) -> Job) async -> Diary {
    let diary = Diary(stopsAtPause: stop)
    let runner = JobRunner {
      diary.pause($0)
    } report: { failure, error in
      diary.note("\(failure.kind) \(failure.event) \(error)")
    }
    await Task { await runner.run(job(diary)) }.value
    return diary
  }

  @Test("a round that left nothing to do is followed by the job's pause, and by the next round")
  func rounds() async {
    let diary = await run(stopsAtPause: 2) { diary in
      Job(.revokeGrants, every: .seconds(7)) {
        diary.note("round")
        return false
      }
    }
    #expect(diary.all == ["round", "pause 7.0 seconds", "round", "pause 7.0 seconds"])
  }

  @Test("a round that left something to do is followed by the next one at once")
  func more() async {
    let diary = await run(stopsAtPause: 1) { diary in
      Job(.revokeGrants, every: .seconds(7)) {
        diary.note("round")
        return diary.count(of: "round") < 3
      }
    }
    #expect(diary.all == ["round", "round", "round", "pause 7.0 seconds"])
  }

  @Test("trouble of a round is reported by the job's names, and the next round comes behind the pause")
  func trouble() async {
    let diary = await run(stopsAtPause: 2) { diary in
      Job(.revokeGrants, fails: Self.failure, every: .seconds(7)) {
        if diary.count(of: "round") == 0 {
          diary.note("round")
          throw Trouble()
        }
        diary.note("round")
        return false
      }
    }
    let told = "grants_not_revoked grants.not_revoked Trouble()"
    #expect(diary.all == ["round", told, "pause 7.0 seconds", "round", "pause 7.0 seconds"])
  }

  @Test("a job of one server runs no round while another server is the one, and each of its rounds asks anew")
  func oneServer() async {
    let diary = Diary(stopsAtPause: 3)
    let runner = JobRunner {
      diary.pause($0)
    } isForAll: {
      diary.count(of: "pause 7.0 seconds") == 1
    } report: { _, _ in
    }
    let job = Job(.revokeGrants, on: .oneServer, every: .seconds(7)) {
      diary.note("round")
      return false
    }
    await Task { await runner.run(job) }.value
    let pause = "pause 7.0 seconds"
    #expect(diary.all == [pause, "round", pause, pause])
  }

  @Test("a job may begin with its pause")
  func pauseFirst() async {
    let diary = await run(stopsAtPause: 2) { diary in
      Job(.revokeGrants, every: .seconds(7), startsWithPause: true) {
        diary.note("round")
        return false
      }
    }
    #expect(diary.all == ["pause 7.0 seconds", "round", "pause 7.0 seconds"])
  }

  @Test("the last round comes once, when the task is cancelled, and its trouble is reported")
  func last() async {
    let diary = await run(stopsAtPause: 2) { diary in
      Job(
        .revokeGrants, fails: Self.failure, every: .seconds(7),
        last: {
          diary.note("last, cancelled \(Task.isCancelled)")
          throw Trouble()
        }
      ) {
        diary.note("round")
        return false
      }
    }
    #expect(
      diary.all.suffix(3) == [
        "pause 7.0 seconds", "last, cancelled true", "grants_not_revoked grants.not_revoked Trouble()",
      ])
  }

  @Test("a task that is cancelled during a round begins no other one, though there was more to do")
  func cancelled() async {
    let diary = await run(stopsAtPause: 1) { diary in
      Job(.revokeGrants, every: .seconds(7)) {
        diary.note("round")
        withUnsafeCurrentTask { $0?.cancel() }
        return true
      }
    }
    #expect(diary.all == ["round"])
  }

  @Test("a pause that may end early goes by steps, and ends when it is asked to")
  func wake() async {
    let diary = await run(stopsAtPause: 6) { diary in
      Job(
        .revokeGrants, every: .seconds(3), startsWithPause: true,
        wake: .init(every: .seconds(1)) { diary.all.count == 2 }
      ) {
        diary.note("round")
        return false
      }
    }
    let step = "pause 1.0 seconds"
    #expect(diary.all == [step, step, "round", step, step, step, "round", step])
  }

  @Test("a pause that is asked to end takes one step at least: a round that fails is not tried again at once")
  func alwaysDue() async {
    let diary = await run(stopsAtPause: 2) { diary in
      Job(.revokeGrants, fails: Self.failure, every: .seconds(3), wake: .init(every: .seconds(1)) { true }) {
        throw Trouble()
      }
    }
    let told = "grants_not_revoked grants.not_revoked Trouble()"
    #expect(diary.all == [told, "pause 1.0 seconds", told, "pause 1.0 seconds"])
  }

  @Test("a job without rounds gets its pause, and its trouble is reported")
  func run() async {
    let diary = await run(stopsAtPause: 1) { _ in
      Job(.deliverWebhooks, fails: Self.failure, every: .milliseconds(500)) { pause, trouble in
        trouble(Trouble())
        await pause()
      }
    }
    #expect(diary.all == ["grants_not_revoked grants.not_revoked Trouble()", "pause 0.5 seconds"])
  }
}
