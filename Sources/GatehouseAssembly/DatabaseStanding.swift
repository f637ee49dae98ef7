package import GatehouseIdentity
package import GatehousePostgres
import GatehousePrimitives

/// The state of the database as a server knows it: whether it answers, when tenants, policies and keys were last
/// compared with it, and when a dump of it was last noted. Kept by jobs, so that neither readiness nor metrics wait for
/// the database.
package final class DatabaseStanding: Sendable {
  /// How long a server may serve what it did not compare while the database answers.
  package static let patience = 30

  private enum Answer {
    case none
    case given(since: UInt64)
    case missing(String)
  }

  private let database: Database
  /// The same, as the jobs' role.
  private let jobs: Database
  private let monotonic: @Sendable () -> UInt64
  private let answers = LockBox(Answer.none)
  private let lastLook: LockBox<(at: UInt64, count: Int)>
  private let told = LockBox<(trouble: WriteTrouble, at: UInt64)?>(nil)
  private let lastBackup = LockBox<(age: Int, at: UInt64)?>(nil)

  /// - Parameter monotonic: nanoseconds of a clock that never goes back.
  package init(_ database: Database, jobs: Database, monotonic: @escaping @Sendable () -> UInt64) {
    self.database = database
    self.jobs = jobs
    self.monotonic = monotonic
    lastLook = LockBox((monotonic(), 0))
  }

  /// Asks the database, and notes whether it answers.
  package func ask() async {
    do {
      _ = try await database.read(nil, "SELECT 1")
      note(trouble: nil)
    } catch {
      note(trouble: "\(error)")
    }
  }

  /// Notes an answer of the database, or why there was none.
  package func note(trouble: String?) {
    let now = monotonic()
    answers.withLock { answer in
      if let trouble {
        answer = .missing(trouble)
      } else if case .given = answer {
        return
      } else {
        answer = .given(since: now)
      }
    }
  }

  /// Notes that everything is as the database holds it.
  package func noteLook() {
    let now = monotonic()
    lastLook.withLock { $0 = (now, $0.count + 1) }
  }

  /// Asks the database when a dump of it was last noted. An answer stays while the database is away: a dump does not go
  /// by that.
  package func askForBackup() async {
    guard let age = try? await database.backupState().age else { return }
    let now = monotonic()
    lastBackup.withLock { $0 = (age, now) }
  }

  /// Seconds since a dump was last noted; nil where none is known.
  package var backupAge: Int? {
    lastBackup.withLock { $0 }.map { $0.age + seconds(since: $0.at) }
  }

  package var isAnswering: Bool { answers.withLock { if case .given = $0 { true } else { false } } }

  /// The state of the database in the answer of `/readyz`.
  package var answer: String {
    switch answers.withLock({ $0 }) {
    case .none: "not asked yet"
    case .given: writeTrouble.map { "answers, and refuses writes: \($0.sentence)" } ?? "answers"
    case .missing(let why): "does not answer: \(why)"
    }
  }

  /// Why the database refuses writes; nil where it does not.
  package var writeTrouble: WriteTrouble? { database.writeTrouble ?? jobs.writeTrouble }

  /// News of refused writes: once when they begin and once a minute after that, and when they end.
  package var writeNews: WriteNews? {
    let (trouble, now) = (writeTrouble, monotonic())
    return told.withLock { told in
      guard let trouble else {
        defer { told = nil }
        return told == nil ? nil : .over
      }
      if let told, told.trouble == trouble, now < told.at + 60_000_000_000 { return nil }
      told = (trouble, now)
      return .refused(trouble)
    }
  }

  package enum WriteNews: Sendable {
    case refused(WriteTrouble)
    case over
  }

  package var secondsSinceLook: Int { seconds(since: lastLook.withLock { $0.at }) }

  /// The number of times that everything was found to be as the database holds it.
  package var looks: Int { lastLook.withLock { $0.count } }

  /// Why this server does not know that it is up to date. Nil while the database is away, when there is nothing newer
  /// to be had, and for as long as a look may take once it is back.
  package var notFollowed: String? {
    guard case .given(let since) = answers.withLock({ $0 }) else { return nil }
    let quiet = min(secondsSinceLook, seconds(since: since))
    // GUARD: follow: a server that follows nothing is not ready
    guard quiet >= Self.patience else { return nil }
    return "tenants, policies and keys were not compared with the database for \(quiet) s"
  }

  private func seconds(since moment: UInt64) -> Int {
    let now = monotonic()
    return now > moment ? Int(clamping: (now - moment) / 1_000_000_000) : 0
  }
}
