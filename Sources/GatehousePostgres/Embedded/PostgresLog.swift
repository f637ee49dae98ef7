import Foundation

/// The output of a PostgreSQL server of ours, in one file of bounded size: strangers' requests can write lines to it,
/// as each refused condition is one.
struct PostgresLog: Sendable {
  let path: String
  /// Bytes from which the file is begun anew. It can grow beyond by what is written within `interval`.
  let limit: Int

  /// Seconds between two looks at a running server's file.
  static let interval: TimeInterval = 2

  init(_ path: String, limit: Int = 16 << 20) {
    self.path = path
    self.limit = limit
  }

  /// The end of it.
  func tail(bytes: Int = 2000) -> String {
    guard let file = FileHandle(forReadingAtPath: path) else { return "" }
    defer { try? file.close() }
    let size = (try? file.seekToEnd()) ?? 0
    try? file.seek(toOffset: size - min(size, UInt64(bytes)))
    return String(decoding: (try? file.readToEnd()) ?? Data(), as: UTF8.self)
  }

  /// Begins the file anew once it has reached its limit; one old file, `.1`, is kept.
  ///
  /// The server holds the file open and writes at its end. So the lines are copied and the file is emptied, as
  /// `copytruncate` of logrotate does: a line that comes between the two is lost, and the server needs no signal.
  func rotate() {
    let file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return }
    defer { close(file) }
    var info = stat()
    // GUARD: postgres log: is begun anew
    guard fstat(file, &info) == 0, info.st_size >= limit else { return }
    let copy = open(path + ".1", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard copy >= 0 else { return }
    defer { close(copy) }
    var position: off_t = 0
    while position < info.st_size, sendfile(copy, file, &position, info.st_size - position) > 0 {}
    // A full disk is no reason to keep what fills it.
    ftruncate(file, 0)
  }
}
