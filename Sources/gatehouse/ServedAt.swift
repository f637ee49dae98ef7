import Glibc

/// Where the running server of a data directory is reached, for the commands beside it: the address may have come from a
/// flag of the server's that they were not given.
struct ServedAt {
  private let path: String
  private let descriptor: Int32

  private static func path(_ config: Config) -> String { config.dataDirectory + "/served_at" }

  /// Writes it down for as long as this process lives. Nil where that cannot be done: commands then go by their own
  /// configuration.
  static func announce(_ config: Config) -> ServedAt? {
    let path = path(config)
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { return nil }
    // The lock goes with the process, however it ends: what a dead server wrote is not believed.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, ftruncate(descriptor, 0) == 0 else {
      close(descriptor)
      return nil
    }
    let text = config.reachedAt
    guard write(descriptor, text, text.utf8.count) == text.utf8.count else {
      close(descriptor)
      return nil
    }
    return ServedAt(path: path, descriptor: descriptor)
  }

  /// The server ends.
  func withdraw() {
    unlink(path)
    close(descriptor)
  }

  /// What the server that runs now wrote; nil when none does.
  static func read(_ config: Config) -> String? {
    let descriptor = open(path(config), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    let text = String(decoding: bytes.prefix(count), as: UTF8.self)
    return text.hasPrefix("http") ? text : nil
  }
}

extension Config {
  /// Where people reach the server: as configured, or where it listens.
  var reachedAt: String {
    guard let publicURL else { return "http://\(listen)" }
    return publicURL.hasSuffix("/") ? String(publicURL.dropLast()) : publicURL
  }

  /// As above, for a command beside the server: without a public URL of its own, where the running server says it is.
  var reachedNow: String { publicURL == nil ? ServedAt.read(self) ?? reachedAt : reachedAt }
}
