import Foundation

/// Why the private cluster could not be had. Each says what to do.
package enum EmbeddedError: Error, Sendable, Equatable, CustomStringConvertible {
  case noBinaries(searched: [String])
  case noBinariesForCluster(version: String, directory: String)
  case noUnprivilegedUser
  case unreachable(directory: String, user: String, blocking: String)
  /// Another process owns the directory; its pid where it is known.
  case owned(directory: String, pid: Int32?)
  case unusable(path: String, why: String)
  case initFailed(log: String)
  case startFailed(log: String)
  case leftoverRuns(pid: Int32)

  package var description: String {
    switch self {
    case .noBinaries(let searched):
      "PostgreSQL 15 or newer was not found (searched \(searched.joined(separator: ", "))); "
        + "install postgresql or set GATEHOUSE_PG_BIN to the folder that holds initdb"
    case .noBinariesForCluster(let version, let directory):
      "\(directory) was made by PostgreSQL \(version), whose programs are not installed; "
        + "install postgresql-\(version), or move the data with pg_upgrade"
    case .noUnprivilegedUser:
      "PostgreSQL refuses to run as root and neither a user gatehouse nor a user postgres exists; create one"
    case .unreachable(let directory, let user, let blocking):
      "user \(user), which runs PostgreSQL, can not reach \(directory): \(blocking) is closed to it; "
        + "open it (chmod o+x) or choose another data directory"
    case .owned(let directory, let pid?): "\(directory) is in use by the gatehouse process \(pid)"
    case .owned(let directory, nil): "\(directory) is in use by another gatehouse process"
    case .unusable(let path, let why): "\(path) can not be used: \(why)"
    case .initFailed(let log): "initdb failed:\n\(log)"
    case .startFailed(let log): "PostgreSQL did not start:\n\(log)"
    case .leftoverRuns(let pid): "a PostgreSQL process (\(pid)) of an earlier run does not end; stop it by hand"
    }
  }

  /// The last error of the operating system.
  static func errno(_ path: String) -> EmbeddedError {
    .unusable(path: path, why: String(cString: strerror(Foundation.errno)))
  }
}
