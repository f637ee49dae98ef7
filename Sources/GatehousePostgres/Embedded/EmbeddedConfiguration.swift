import Foundation

/// Where the private cluster lives.
package struct EmbeddedConfiguration: Sendable {
  /// An absolute path. Holds the cluster, its configuration, its log and the lock.
  package var dataDirectory: String
  /// The folder of `initdb` and `postgres`; nil searches (see `PostgresBinaries`).
  package var binaries: String?
  /// The server's database, made on the first start.
  package var database = "gatehouse"
  /// False only for throw-away test clusters: commits then survive no crash of the machine.
  package var isDurable = true
  /// Sessions at the same time: the server's own, commands beside it, and room for a second process.
  package var maxConnections = 60
  /// How long a start may take before it is given up; crash recovery gets ten times as long.
  package var startTimeout: Duration = .seconds(60)
  /// Bytes from which PostgreSQL's log is begun anew.
  package var logLimit = 16 << 20

  package init(dataDirectory: String, binaries: String? = nil) {
    self.dataDirectory = dataDirectory
    self.binaries = binaries
  }

  /// Refuses a data directory whose path is not absolute: PostgreSQL works in a directory of its own.
  package func demandAbsolute() throws(EmbeddedError) {
    guard dataDirectory.hasPrefix("/") else {
      throw .unusable(path: dataDirectory, why: "it is not an absolute path")
    }
  }

  var cluster: String { dataDirectory + "/postgres" }
  var unfinishedCluster: String { dataDirectory + "/postgres.unfinished" }
  /// Outside the cluster: a file that root writes must not lie where the unprivileged user could put a link.
  var settings: String { dataDirectory + "/config" }
  var log: PostgresLog { PostgresLog(dataDirectory + "/postgres.log", limit: logLimit) }
  var lock: String { dataDirectory + "/lock" }
  /// Names the socket directory of the running owner.
  var socketNote: String { dataDirectory + "/socket" }
}
