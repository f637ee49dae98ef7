import Glibc

/// A file that gets its name when all of it is on the disk: a reader, also after a crash, finds the whole file or none.
/// It never replaces another one.
final class WholeFile {
  private let path: String
  private let draft: String
  private let descriptor: Int32
  private var waiting: [UInt8] = []

  /// - Throws: exit 6 where the file cannot be written.
  init(_ path: String) throws(Failure) {
    self.path = path
    draft = path + ".part"
    // What a former run left behind is of no use.
    descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Self.failure(draft) }
  }

  deinit { close(descriptor) }

  func write(_ text: String) throws(Failure) {
    waiting += Array(text.utf8)
    if waiting.count >= 1 << 20 { try drain() }
  }

  /// Forces everything to disk, under the file's name.
  func finish() throws(Failure) {
    try drain()
    guard fsync(descriptor) == 0 else { throw Self.failure(draft) }
    // link(2), unlike rename(2), fails where the name is taken.
    guard link(draft, path) == 0 else { throw Self.failure(path) }
    unlink(draft)
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw Self.failure(folder) }
    defer { close(directory) }
    guard fsync(directory) == 0 else { throw Self.failure(folder) }
  }

  private func drain() throws(Failure) {
    var rest = waiting[...]
    while !rest.isEmpty {
      // SAFETY: the buffer is valid for the call and write(2) only reads it.
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 || count < 0 && errno == EINTR else { throw Self.failure(draft) }
      rest = rest.dropFirst(max(0, count))
    }
    waiting = []
  }

  private static func failure(_ path: String) -> Failure {
    Failure(.unavailable, "cannot write \(Quoted(path)): \(String(cString: strerror(errno)))")
  }
}
