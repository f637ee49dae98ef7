import Foundation

/// A file read line by line, so that its size does not matter.
enum LineFile {
  /// Calls `body` with each line, without its line feed. `-` is standard input. Throws `Failure` where it cannot be
  /// read.
  static func read(_ path: String, _ body: ([UInt8]) throws -> Void) throws {
    guard let stream = fopen(path == "-" ? "/dev/stdin" : path, "re") else {
      throw Failure(.notFound, "cannot read \(Quoted(path)): \(String(cString: strerror(errno)))")
    }
    defer { fclose(stream) }
    var buffer: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(buffer) }
    while true {
      // SAFETY: getline(3) makes and grows the buffer, which is freed above; it holds `count` bytes of a line.
      let count = getline(&buffer, &capacity, stream)
      guard count > 0, let buffer else { return }
      var line = UnsafeRawBufferPointer(start: buffer, count: count)[...]
      if line.last == 0x0A { line = line.dropLast() }
      try body(Array(line))
    }
  }
}
