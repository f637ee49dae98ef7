import Foundation

/// How a connection is opened and what it is set to before its first use.
struct ConnectionSettings: Sendable {
  /// A libpq URL or keyword string.
  let conninfo: String
  /// Overrides the user of `conninfo`.
  let user: String?
  let applicationName: String
  /// Run-time parameters, set on every connection before it is used.
  let parameters: [(name: String, value: String)]
  /// Overrides the database of `conninfo`.
  var database: String?
  /// Gives libpq its own time limit, for connections that block.
  var waitsForConnect = false
  var connectTimeout: Duration = .seconds(5)
  var preparedStatements = 256

  /// Keywords and values for PQconnectStartParams with `expand_dbname`; later ones override earlier ones.
  var keywords: [(String, String)] {
    // A peer that vanished without a word is noticed in seconds rather than hours.
    var keywords = [
      ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"), ("tcp_user_timeout", "15000"),
      ("fallback_application_name", applicationName), ("dbname", conninfo), ("client_encoding", "UTF8"),
    ]
    if let database { keywords.append(("dbname", database)) }
    if waitsForConnect { keywords.insert(("connect_timeout", "10"), at: 0) }
    if let user { keywords.append(("user", user)) }
    return keywords
  }

  /// One statement that sets every parameter for the session.
  var setup: SQL {
    let calls = parameters.map { "set_config(\($0.name), \($0.value), false)" as SQL }
    return "SELECT \(SQL.joined(calls, by: ", "))"
  }

  /// Calls `body` with C arrays that end with NULL.
  func withKeywords<Result>(
    _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> Result
  ) -> Result {
    let pairs = keywords
    let names = pairs.map { strdup($0.0) }
    let values = pairs.map { strdup($0.1) }
    defer { for pointer in names + values { free(pointer) } }
    let nameArray = names.map { UnsafePointer($0) } + [nil]
    let valueArray = values.map { UnsafePointer($0) } + [nil]
    return nameArray.withUnsafeBufferPointer { names in
      valueArray.withUnsafeBufferPointer { values in
        // Both arrays hold at least the terminating NULL, so they have a base address.
        guard let names = names.baseAddress, let values = values.baseAddress else { preconditionFailure("empty array") }
        return body(names, values)
      }
    }
  }
}
