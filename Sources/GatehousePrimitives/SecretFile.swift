import Glibc

/// Files that hold a secret: read by their owner alone, or owned by root and read by root's group, as PostgreSQL asks
/// of its key.
package enum SecretFile {
  /// The mode of a regular file that others may read or write, as `0644`; nil for one that is kept from them, for what
  /// is no regular file (a pipe, say), and for a path with nothing behind it.
  package static func exposedMode(of path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let forbidden: mode_t = status.st_uid == 0 ? 0o037 : 0o077
    // GUARD: secret files: kept from others
    guard status.st_mode & forbidden != 0 else { return nil }
    let digits = String(status.st_mode & 0o7777, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }
}
