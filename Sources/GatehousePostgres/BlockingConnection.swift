import CPostgreSQL
import Foundation

/// A plain connection that waits for each answer. Only for start-up, migrations and tests, and only off the loops.
final class BlockingConnection {
  private let handle: OpaquePointer

  /// Connects; throws `server` with the reason in its note.
  init(conninfo: String, user: String? = nil, database: String? = nil) throws(DatabaseError) {
    var settings = ConnectionSettings(
      conninfo: conninfo, hosts: ConnectionHosts(conninfo: conninfo), user: user, applicationName: "gatehouse admin",
      parameters: [])
    settings.database = database
    settings.waitsForConnect = true
    guard let handle = settings.withKeywords({ PQconnectdbParams($0, $1, 1) }) else { throw .unavailable }
    guard PQstatus(handle) == CONNECTION_OK else {
      let note = PrivateNote(String(cString: PQerrorMessage(handle)))
      PQfinish(handle)
      throw .server(sqlState: "08001", constraint: nil, note: note)
    }
    // Notices of "IF NOT EXISTS" and the like would go to stderr.
    PQsetNoticeProcessor(handle, { _, _ in }, nil)
    self.handle = handle
  }

  deinit { PQfinish(handle) }

  /// Whether a transaction is open and sound.
  var isInTransaction: Bool { PQtransactionStatus(handle) == PQTRANS_INTRANS }

  /// Runs one statement with bound values.
  @discardableResult
  func run(_ statement: SQL) throws(DatabaseError) -> Rows {
    let types = statement.parameters.map(\.type)
    var answer: OpaquePointer?
    let text = statement.text
    _ = withParameters(statement.parameters) { values, lengths, formats in
      answer = PQexecParams(handle, text, Int32(types.count), types, values, lengths, formats, 1)
      return true
    }
    return try BlockingConnection.check(answer)
  }

  /// Runs a script of several statements.
  func run(script: String) throws(DatabaseError) {
    _ = try BlockingConnection.check(PQexec(handle, script))
  }

  private static func check(_ answer: OpaquePointer?) throws(DatabaseError) -> Rows {
    guard let answer else { throw .unavailable }
    switch PQresultStatus(answer) {
    case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: return Rows(Answer(answer))
    default:
      defer { PQclear(answer) }
      throw DatabaseError(result: answer)
    }
  }
}

/// Runs blocking work on a thread of its own, so that neither a loop nor the shared thread pool waits.
func offLoop<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Value, any Error>) in
    let thread = Thread { continuation.resume(with: Result(catching: body)) }
    thread.name = "gatehouse-admin"
    thread.start()
  }
}
