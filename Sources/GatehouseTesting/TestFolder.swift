import Foundation
import GatehousePrimitives

/// Files of tests: all in one directory of this process, which goes with it. The only way to a file that is not in the
/// package, so that no test leaves anything behind; those of a process that was killed go with the next one.
package enum TestFolder {
  /// A new, empty directory, for its owner or for all users. Its path is short enough for sockets in it.
  package static func make(_ name: String, forEverybody: Bool = false) throws -> String {
    let path = path(name)
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false,
      attributes: [.posixPermissions: forEverybody ? 0o755 : 0o700])
    return path
  }

  /// A path at which nothing is yet.
  package static func path(_ name: String) -> String {
    let number = count.withLock { count in
      count += 1
      return count
    }
    return "\(root)/\(name)-\(number)"
  }

  /// Where other programs put what they keep for a while, as `TMPDIR` tells them.
  package static let root: String = {
    sweep()
    let path = "\(base)/\(prefix)\(getpid())"
    // A process with the same number was killed.
    try? FileManager.default.removeItem(atPath: path)
    mkdir(path, 0o755)
    // With any mask: users of clusters and proxies pass through it.
    chmod(path, 0o755)
    atexit { try? FileManager.default.removeItem(atPath: TestFolder.root) }
    return path
  }()

  private static let base = "/tmp"
  private static let prefix = "gatehouse-files-"
  private static let count = LockBox(0)

  /// Removes what killed test runs left behind.
  private static func sweep() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: base)) ?? [] where name.hasPrefix(prefix) {
      guard let owner = pid_t(name.dropFirst(prefix.count)), kill(owner, 0) != 0, errno == ESRCH else { continue }
      try? FileManager.default.removeItem(atPath: "\(base)/\(name)")
    }
  }
}
