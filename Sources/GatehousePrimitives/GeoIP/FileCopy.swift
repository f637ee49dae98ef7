import CPlatform
import Foundation

/// A file's bytes in memory that has a path, for a library that only opens paths.
enum FileCopy {
  /// More than any such file there is.
  private static let limit = 1 << 30

  /// Calls `body` with the path of a copy, which is good for that long; what `body` maps by it stays.
  static func with<Answer>(of path: String, _ body: (String) -> Answer) throws(GeoIPDatabase.Trouble) -> Answer {
    // A pipe would keep us waiting for its writer.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw trouble() }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw trouble() }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .unreadable("it is not a regular file") }
    let copy = platform_memory_file("places")
    guard copy >= 0 else { throw trouble() }
    defer { close(copy) }
    try fill(copy, from: file)
    return body("/proc/self/fd/\(copy)")
  }

  private static func fill(_ copy: Int32, from file: Int32) throws(GeoIPDatabase.Trouble) {
    var piece = [UInt8](repeating: 0, count: 1 << 18)
    var total = 0
    while true {
      let count = read(file, &piece, piece.count)
      if count == 0 { return }
      if count < 0, errno == EINTR { continue }
      // A write into memory is whole, or there is no memory.
      guard count > 0, write(copy, piece, count) == count else { throw trouble() }
      total += count
      guard total <= limit else { throw .unreadable("it is larger than 1 GiB") }
    }
  }

  private static func trouble() -> GeoIPDatabase.Trouble { .unreadable(String(cString: strerror(errno))) }
}
