import CPostgreSQL
import Foundation

extension Connection {
  /// Takes everything the socket holds and answers what is complete.
  func receive() {
    guard let handle else { return }
    let alive = PQconsumeInput(handle) == 1
    while self.handle == handle, !ledger.isEmpty, PQisBusy(handle) == 0 {
      let event = next(on: handle)
      // After a loss libpq answers NULL for ever: the rest is settled by lose().
      if case .endOfStatement = event, PQstatus(handle) == CONNECTION_BAD { break }
      if let entry = ledger.receive(event) { finish(entry) }
    }
    guard self.handle == handle else { return }
    deliverNotifications(handle)
    if !alive || PQstatus(handle) == CONNECTION_BAD || (state == .retiring && ledger.isEmpty) { return lose() }
    // An answer may have made room for more, and reading may have been what the server waited for.
    flush()
  }

  private func next(on handle: OpaquePointer) -> PipelineLedger<Work>.Event {
    guard let result = PQgetResult(handle) else { return .endOfStatement }
    switch PQresultStatus(result) {
    case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: return .rows(Rows(Answer(result)))
    case PGRES_PIPELINE_ABORTED:
      PQclear(result)
      return .aborted
    case PGRES_PIPELINE_SYNC:
      PQclear(result)
      return .sync
    case PGRES_FATAL_ERROR:
      defer { PQclear(result) }
      return .failure(DatabaseError(result: result))
    default:
      PQclear(result)
      return .unexpected
    }
  }

  private func finish(_ entry: PipelineLedger<Work>.Entry) {
    heardAt = .now
    switch (entry.work, entry.outcome) {
    case (.batch(let job), .done(let rows)):
      noteWork()
      job.finish(.success(rows))
    case (.batch(let job), .failed(let error)): refuse(job, error, entry)
    case (.batch(let job), .doubtful):
      job.finish(job.kind == .read ? .success(entry.results) : .failure(.unknownOutcome))
    case (.batch(let job), .broken):
      lose()
      job.finish(.failure(job.lossOfConnection))
    case (.setup, .done(let rows)):
      // GUARD: lane: a standby is never read from
      if isStandby(rows) { return lose(because: "it is a standby, which takes no writes") }
      becomeReady()
    case (.setup, .failed(let error)):
      if case .server(_, _, let note) = error { return lose(because: note.revealed) }
      lose()
    case (.prepare(let key), .failed(let error)):
      statements.remove(key)
      // The batch behind it was sent with it and can only fail; this is why.
      ledger.fail(error) { if case .batch = $0 { true } else { false } }
    case (.prepare, .done), (.deallocate, .done), (.deallocate, .failed): break
    default: lose()
    }
  }

  private func isStandby(_ answers: [Rows]) -> Bool { (try? answers.first?.first?[0] as Bool?) != false }

  /// The server rolled the batch back. Two reasons are ours and are cured by sending it again, once.
  private func refuse(_ job: Job, _ error: DatabaseError, _ entry: PipelineLedger<Work>.Entry) {
    if DatabaseError.endsConnection(error) {
      // The backend was told to go: what it had done by then is not known for sure.
      lose()
      if job.kind == .read, !job.wasResent {
        job.wasResent = true
        return events.again(job)
      }
      return job.finish(.failure(job.lossOfConnection))
    }
    if error.isRefusedWrite, job.kind != .read {
      // GUARD: lane: a server that takes no writes is left
      retire()
      guard job.kind == .write, !job.wasResent else { return job.finish(.failure(.readOnly)) }
      job.wasResent = true
      return events.again(job)
    }
    guard error.isStatementStale else { return job.finish(.failure(error.asSeenOutside)) }
    if entry.results.count < job.statements.count {
      let name = statements.remove(PreparedStatements.Key(job.statements[entry.results.count]))
      if let name { deallocate(name) }
    }
    // A step of a transaction can not be repeated alone; the whole transaction is (see isRetryable).
    guard !job.wasPreparedAnew, !job.isAnswered, job.kind == .read || job.kind == .write else {
      return job.finish(.failure(error))
    }
    job.wasPreparedAnew = true
    events.again(job)
  }

  /// Called by libpq for each warning that arrives with an answer.
  func receive(notice: OpaquePointer) {
    // The name of the server's function does not depend on the language of its messages.
    if field(notice, .function) == "SyncRepWaitForLSN"
      || field(notice, .message)?.contains("wait for synchronous replication") == true
    {
      // GUARD: lane: what no standby confirmed is not known
      ledger.markDoubtful()
    }
  }

  private func deliverNotifications(_ handle: OpaquePointer) {
    while let notification = PQnotifies(handle) {
      events.notified(String(cString: notification.pointee.relname), String(cString: notification.pointee.extra))
      PQfreemem(notification)
    }
  }
}

/// The fields of an error or notice; the codes of `postgres_ext.h`, which are macros the importer leaves out.
enum DiagnosticField: UInt8 {
  case state = 0x43  // C
  case message = 0x4D  // M
  case constraint = 0x6E  // n
  case function = 0x52  // R
}

/// One field of an error or notice, or nil.
func field(_ result: OpaquePointer, _ name: DiagnosticField) -> String? {
  PQresultErrorField(result, Int32(name.rawValue)).map { String(cString: $0) }
}

extension DatabaseError {
  /// Raised by our own statements; its message is the guard's name.
  static let guardState = "GH001"
  /// Not a state of PostgreSQL: a prepared plan no longer fits its tables.
  private static let stalePlanState = "0A000/RevalidateCachedQuery"

  init(result: OpaquePointer) {
    let state = field(result, .state) ?? "08006"
    let message = field(result, .message) ?? String(cString: PQresultErrorMessage(result))
    switch state {
    case DatabaseError.guardState: self = .guardFailed(message)
    case "0A000" where field(result, .function) == "RevalidateCachedQuery":
      self = .server(sqlState: DatabaseError.stalePlanState, constraint: nil, note: PrivateNote(message))
    default:
      self = .server(
        sqlState: state, constraint: field(result, .constraint), note: PrivateNote(message))
    }
  }

  /// Whether the server closes the connection with this error: class 08, and shutdown, crash or startup (57P01–57P05).
  static func endsConnection(_ error: DatabaseError) -> Bool {
    guard let state = error.sqlState else { return false }
    return state.hasPrefix("08") || state.hasPrefix("57P") || state == "25P03"
  }

  /// Whether the statement only has to be prepared again: it is unknown (26000) or its plan is outdated.
  var isStatementStale: Bool {
    sqlState == "26000" || sqlState == DatabaseError.stalePlanState
  }

  /// Whether the session takes no writes. Those of reads are our own fault, in those of others the server changed.
  var isRefusedWrite: Bool { sqlState == "25006" }

  /// Time limits of the server (statement 57014, lock 55P03) are one case to callers.
  var asSeenOutside: DatabaseError {
    switch sqlState {
    case "57014", "55P03": .timeout
    default: self
    }
  }
}
