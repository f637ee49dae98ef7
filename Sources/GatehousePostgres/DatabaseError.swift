/// Why the database did not do what was asked.
///
/// Descriptions carry codes and names only. The server's own message may quote values and stays in `PrivateNote`.
package enum DatabaseError: Error, Sendable, CustomStringConvertible {
  /// The server refused; the whole batch or transaction was rolled back.
  case server(sqlState: String, constraint: String?, note: PrivateNote)
  /// A statement raised `SQLSTATE GH001` with this name: a condition of the batch did not hold; rolled back.
  case guardFailed(String)
  /// Too much is pending; nothing was sent. Answer 503 with Retry-After.
  case overloaded
  /// No connection; nothing was done. Answer 503.
  case unavailable
  /// The server takes no writes: it is no primary any more. Nothing was done. Answer 503.
  case readOnly
  /// The connection was lost, or the standby did not confirm, before the answer to a write: it may or may not have
  /// happened. Answer 503 `unknown_outcome`; never repeat without an idempotency key.
  case unknownOutcome
  /// The time limit passed; nothing was changed.
  case timeout
  /// A row did not have the shape the program expects. Names columns and types, never values.
  case unexpectedRow(String)

  /// The five characters of SQLSTATE where the server refused.
  package var sqlState: String? {
    guard case .server(let state, _, _) = self else { return nil }
    return state
  }

  /// The name of the violated constraint, if one was.
  package var constraint: String? {
    guard case .server(_, let constraint, _) = self else { return nil }
    return constraint
  }

  /// Whether a transaction that failed so may be tried again: serialization failure, deadlock, or a prepared statement
  /// that a schema change made stale.
  package var isRetryable: Bool { sqlState == "40001" || sqlState == "40P01" || isStatementStale }

  /// Classes of SQLSTATE that say what the database lacks or who stops it: insufficient resources, operator
  /// intervention, system error.
  // GUARD: store: want of room is no defect
  static let impairments: Set<Substring> = ["53", "57", "58"]

  /// How often a transaction that failed so is tried again.
  var repetitions: Int {
    if case .readOnly = self { return 1 }
    return isRetryable ? 3 : 0
  }

  package var description: String {
    switch self {
    case .server(let state, let constraint?, _): "database refused: \(state) by \(constraint)"
    case .server(let state, nil, _): "database refused: \(state)"
    case .guardFailed(let name): "guard failed: \(name)"
    case .overloaded: "database overloaded"
    case .unavailable: "database unavailable"
    case .readOnly: "database takes no writes"
    case .unknownOutcome: "outcome unknown"
    case .timeout: "database timeout"
    case .unexpectedRow(let what): "unexpected row: \(what)"
    }
  }
}

/// A message for the operator's eyes: it may quote stored values, so neither description nor reflection shows it.
package struct PrivateNote: Sendable, CustomStringConvertible, CustomReflectable {
  /// The message. Never send it to a client and never write it to a log that people other than operators read.
  package let revealed: String

  package init(_ text: String) { revealed = text }

  package var description: String { "<private>" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
