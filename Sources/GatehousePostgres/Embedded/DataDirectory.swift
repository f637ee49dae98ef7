import CPlatform
import Foundation

/// The directory that holds the cluster, and the lock on it: one owner at a time.
struct DataDirectory: Sendable {
  let configuration: EmbeddedConfiguration
  let user: OSUser

  /// Makes the directory if it is missing, and refuses one that PostgreSQL's user can not reach.
  func prepare() throws(EmbeddedError) {
    let path = configuration.dataDirectory
    try configuration.demandAbsolute()
    // 0711: another user passes through to its cluster, but can list nothing.
    try makeDirectories(path, mode: user.isOther ? 0o711 : 0o700)
    if let blocking = user.firstClosed(onTheWayTo: ClusterProcesses.realPath(path) ?? path) {
      throw .unreachable(directory: path, user: user.name, blocking: blocking)
    }
    guard access(path, W_OK | X_OK) == 0 else { throw .errno(path) }
  }

  /// Takes the lock for the life of the returned descriptor. The kernel frees it however this process ends.
  func lock() throws(EmbeddedError) -> Int32 {
    let descriptor = open(configuration.lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .errno(configuration.lock) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw .owned(directory: configuration.dataDirectory, pid: DataDirectory.owner(configuration))
    }
    let pid = "\(getpid())\n"
    _ = ftruncate(descriptor, 0)
    _ = pwrite(descriptor, pid, pid.utf8.count, 0)
    return descriptor
  }

  /// The pid in the lock file: only meaningful while the lock is held.
  static func owner(_ configuration: EmbeddedConfiguration) -> Int32? {
    guard let text = try? String(contentsOfFile: configuration.lock, encoding: .utf8) else { return nil }
    return Int32(text.prefix { $0.isNumber })
  }

  /// Whether some process holds the lock at this moment.
  static func isOwned(_ configuration: EmbeddedConfiguration) -> Bool {
    let descriptor = open(configuration.lock, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else {
      flock(descriptor, LOCK_UN)
      return false
    }
    return true
  }

  /// The version that made the cluster, or nil if there is none yet.
  func clusterVersion() -> Int? {
    let text = try? String(contentsOfFile: configuration.cluster + "/PG_VERSION", encoding: .utf8)
    return text.flatMap { Int($0.prefix { $0.isNumber }) }
  }

  /// Runs initdb beside the final place and moves the result there whole: a start that was killed leaves no half
  /// cluster.
  func initialise(_ binaries: PostgresBinaries) throws(EmbeddedError) {
    let place = configuration.unfinishedCluster
    try? FileManager.default.removeItem(atPath: place)
    guard mkdir(place, 0o700) == 0 else { throw .errno(place) }
    if user.isOther, lchown(place, user.uid, user.gid) != 0 { throw .errno(place) }
    var arguments = [
      "--pgdata=\(place)", "--username=\(Embedded.superuser)", "--auth=peer", "--encoding=UTF8", "--locale=C.UTF-8",
      "--data-checksums", "--no-instructions",
    ]
    if !configuration.isDurable { arguments.append("--no-sync") }
    let answer = try ChildProcess.run(binaries.initdb, arguments, as: user)
    guard answer.status == 0 else { throw .initFailed(log: answer.output) }
    guard rename(place, configuration.cluster) == 0 else { throw .errno(configuration.cluster) }
  }

  /// Makes what is missing of a path; only the last directory gets `mode`.
  private func makeDirectories(_ path: String, mode: mode_t) throws(EmbeddedError) {
    var parent = ""
    let parts = path.split(separator: "/")
    for (index, part) in parts.enumerated() {
      parent += "/" + part
      let isLast = index == parts.count - 1
      guard mkdir(parent, isLast ? mode : 0o755) != 0 || !isLast else {
        // mkdir(2) takes the umask away from the mode.
        chmod(parent, mode)
        continue
      }
      var info = stat()
      guard stat(parent, &info) == 0 else { throw .errno(parent) }
      guard info.st_mode & S_IFMT == S_IFDIR else { throw .unusable(path: parent, why: "it is not a directory") }
    }
  }
}
