import Glibc

/// A file that is written anew. A reader meanwhile finds the old text or the new one, never half of either.
enum ReplacedFile {
  /// Written beside it, forced to disk and moved into its place, with its permissions; links are followed.
  /// - Parameter isNew: Whether the file may be missing: it is made then, for all to read.
  /// - Throws: exit 6 where that fails; the old text stays.
  static func write(_ text: String, to path: String, isNew: Bool = false) throws(Failure) {
    var status = stat()
    var target = path
    if let resolved = realpath(path, nil) {
      defer { free(resolved) }
      target = String(cString: resolved)
      guard stat(target, &status) == 0 else { throw failure(path) }
    } else {
      guard isNew, errno == ENOENT else { throw failure(path) }
      status.st_mode = 0o644
    }
    let draft = "\(target).\(getpid())"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(path) }
    let isWritten =
      fill(descriptor, Array(text.utf8)) && fchmod(descriptor, status.st_mode & 0o7777) == 0
      && fsync(descriptor) == 0 && rename(draft, target) == 0
    let problem = errno
    close(descriptor)
    guard isWritten else {
      unlink(draft)
      throw failure(path, problem)
    }
  }

  private static func fill(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      // SAFETY: the buffer is valid for the call and write(2) only reads it.
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 { rest = rest.dropFirst(count) } else if count == 0 || errno != EINTR { return false }
    }
    return true
  }

  private static func failure(_ path: String, _ number: Int32 = errno) -> Failure {
    Failure(.unavailable, "cannot write \(Quoted(path)): \(String(cString: strerror(number)))")
  }
}
