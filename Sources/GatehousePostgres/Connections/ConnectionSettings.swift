import Foundation

/// How a connection is opened and what it is set to before its first use.
struct ConnectionSettings: Sendable {
  /// A libpq URL or keyword string.
  let conninfo: String
  /// The servers that it names.
  let hosts: ConnectionHosts
  /// Overrides the user of `conninfo`.
  let user: String?
  let applicationName: String
  /// Run-time parameters, set on every connection before it is used.
  let parameters: [(name: String, value: String)]
  /// Overrides the database of `conninfo`.
  var database: String?
  /// Leaves the choice of a server to libpq, with its own time limit: for connections that block.
  var waitsForConnect = false
  /// The limit of one attempt, which asks one host.
  var connectTimeout: Duration = .seconds(5)
  var preparedStatements = 256

  /// Keywords and values for PQconnectStartParams with `expand_dbname`; later ones override earlier ones.
  /// - Parameter host: the server to ask, by its number in `hosts`.
  func keywords(for host: Int) -> [(String, String)] {
    // A peer that vanished without a word is noticed in seconds rather than hours.
    var keywords = [
      ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"), ("tcp_user_timeout", "15000"),
      ("fallback_application_name", applicationName),
    ]
    if waitsForConnect { keywords += [("connect_timeout", "10"), ("target_session_attrs", "primary")] }
    if hosts.targets.indices.contains(host), !waitsForConnect {
      keywords += hosts.targets[host].map { ($0.name, $0.value) }
    } else {
      keywords.append(("dbname", conninfo))
    }
    keywords.append(("client_encoding", "UTF8"))
    if let database { keywords.append(("dbname", database)) }
    if let user { keywords.append(("user", user)) }
    return keywords
  }

  /// One statement that says whether the server is a standby, and sets every parameter for the session.
  var setup: SQL {
    let calls = parameters.map { "set_config(\($0.name), \($0.value), false)" as SQL }
    return "SELECT \(SQL.joined(["pg_is_in_recovery()"] + calls, by: ", "))"
  }

  /// Calls `body` with C arrays that end with NULL.
  func withKeywords<Result>(
    for host: Int = 0,
    _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> Result
  ) -> Result {
    let pairs = keywords(for: host)
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
