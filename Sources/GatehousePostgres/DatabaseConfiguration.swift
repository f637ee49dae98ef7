package import Foundation

/// How a process talks to its database.
package struct DatabaseConfiguration: Sendable {
  /// A libpq URL or keyword string. Of several hosts the primary is found; a standby is never used.
  package var conninfo: String
  /// Overrides the user that `conninfo` names.
  package var user: String?
  /// Shown in `pg_stat_activity`.
  package var applicationName = "gatehouse"
  /// Connections of the process for batches, divided over its loops; every loop has at least 1 for reads and 2 for
  /// writes.
  package var connections = 20
  /// Connections for interactive transactions, beside those for batches.
  package var interactive = 2
  /// How long one of several hosts has to let a connection in before the next one is asked. Where two hosts of three
  /// are silent, the first connection is there after 4 s; later ones begin at the host that answered.
  package var hostTimeout: Duration = .seconds(2)
  /// Batches that may wait for an answer on one connection; more are refused as overloaded.
  package var pendingPerConnection = 256
  /// Batches per loop, and transactions, that may wait for a connection.
  package var waiting = 512
  /// How long one of those waits before it is answered `unavailable`.
  package var patience: Duration = .seconds(1)
  /// Limits of the server per statement. The answer is awaited twice as long and 1 s more; then the connection is
  /// dropped, never cancelled.
  package var readTimeout: Duration = .seconds(1)
  package var writeTimeout: Duration = .seconds(3)
  package var transactionTimeout: Duration = .seconds(10)
  /// How long the answer to a write or a commit is awaited once it was sent, where that is set. Statements of writes
  /// end before it: what the server gives up by itself has a known outcome.
  package var writeDeadline: Duration?
  /// Moves the clock by which stored things expire (`gatehouse.now()`). Only tests have one.
  package var clock: (@Sendable () -> Date)?
  /// Where unqualified names are looked up, after `pg_catalog`.
  package var searchPath = "gatehouse, pg_temp"

  /// Defaults for everything but the address.
  package init(conninfo: String, user: String? = nil) {
    self.conninfo = conninfo
    self.user = user
  }

  /// Connections for reads and for writes on each of `loops` loops. Reads want few connections (batched wake-ups),
  /// writes want many (group commit).
  func connections(perLoopOf loops: Int) -> (reads: Int, writes: Int) {
    let share = max(0, connections) / max(1, loops)
    let reads = max(1, share / 8)
    return (reads, max(2, share - reads))
  }

  /// How long the answer to a job of this kind is awaited once it was sent.
  func deadline(of kind: Job.Kind) -> Duration {
    switch kind {
    case .read: readTimeout * 2 + .seconds(1)
    case .write: writeDeadline ?? writeTimeout * 2 + .seconds(1)
    case .step: transactionTimeout * 2 + .seconds(1)
    case .commit: writeDeadline ?? transactionTimeout * 2 + .seconds(1)
    }
  }

  enum Use { case read, write, interactive, listen, lock }

  func settings(for use: Use, on hosts: ConnectionHosts) -> ConnectionSettings {
    let statement: Duration =
      switch use {
      case .read: readTimeout
      case .write: writeDeadline.map { min(writeTimeout, $0 * 2 / 3) } ?? writeTimeout
      case .interactive: transactionTimeout
      case .listen, .lock: .zero
      }
    var parameters = [
      ("statement_timeout", statement.milliseconds), ("lock_timeout", statement.milliseconds),
      ("search_path", searchPath), ("TimeZone", "UTC"), ("client_min_messages", "warning"), ("jit", "off"),
      ("default_transaction_isolation", "read committed"),
      ("default_transaction_read_only", use == .read ? "on" : "off"),
      // Everything here is found by a key. A plan that reads a small table whole would be kept while the table grows.
      ("enable_seqscan", "off"),
    ]
    if use == .interactive {
      parameters.append(("idle_in_transaction_session_timeout", transactionTimeout.milliseconds))
    }
    // Its holder asks every ten seconds. One that is frozen must not keep it.
    if use == .lock { parameters.append(("idle_session_timeout", Duration.seconds(30).milliseconds)) }
    var settings = ConnectionSettings(
      conninfo: conninfo, hosts: hosts, user: user, applicationName: applicationName, parameters: parameters)
    if hosts.count > 1 { settings.connectTimeout = hostTimeout }
    return settings
  }
}

extension Duration {
  /// Whole milliseconds as the server's settings want them; at most an hour.
  fileprivate var milliseconds: String {
    let bounded = min(max(self, .zero), .seconds(3600)).components
    return String(bounded.seconds * 1000 + bounded.attoseconds / 1_000_000_000_000_000)
  }
}
