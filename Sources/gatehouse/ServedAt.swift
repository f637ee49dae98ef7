import Foundation
import Glibc

/// The addresses and the watched policy files of a running server, for the commands beside it in the same data
/// directory. Each may have come from a flag of the server's that the commands were not given.
struct ServedAt {
  private let path: String
  private let descriptor: Int32

  private static func path(_ config: Config) -> String { config.dataDirectory + "/served_at" }

  /// Writes it down for as long as this process lives. Nil where that cannot be done: commands then go by their own
  /// configuration.
  static func announce(_ config: Config, operations: Address) -> ServedAt? {
    let path = path(config)
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { return nil }
    // The lock goes with the process, however it ends: what a dead server wrote is not believed.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, ftruncate(descriptor, 0) == 0 else {
      close(descriptor)
      return nil
    }
    let text = ([config.reachedAt, operations.description] + (config.watch.map { [absolute($0)] } ?? [])).joined(
      separator: "\n")
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

  private static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
  }

  /// The words of a server.
  struct Words {
    let url: String
    let operations: Address
    let watch: String?
  }

  /// The words of the server that runs now; nil when none does.
  static func read(_ config: Config) -> Words? {
    let descriptor = open(path(config), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
    // An address, and a path.
    var bytes = [UInt8](repeating: 0, count: 1024 + Int(PATH_MAX))
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    let lines = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n", maxSplits: 2)
    guard let url = lines.first, url.hasPrefix("http"), lines.count > 1, let operations = Address(String(lines[1]))
    else { return nil }
    return Words(url: String(url), operations: operations, watch: lines.count > 2 ? String(lines[2]) : nil)
  }
}

extension Config {
  /// Where people reach the server: as configured, or where it listens, in development by the name `localhost`.
  var reachedAt: String {
    guard let publicURL else { return (tls == nil ? "http://" : "https://") + (localName ?? listen.description) }
    return publicURL
  }

  /// The name of a development server, to which browsers bind passkeys; they bind none to an address. Nil where
  /// `localhost` does not lead to the server.
  private var localName: String? {
    dev && listen.host == "127.0.0.1" && listen.port != 0 ? "localhost:\(listen.port)" : nil
  }

  /// As above, for a command beside the server: without a public URL of its own, where the running server says it is.
  var reachedNow: String { publicURL == nil ? ServedAt.read(self)?.url ?? reachedAt : reachedAt }

  /// The directory whose policy files are watched: by the server that runs, else by one that would be started like
  /// this.
  var watchedNow: String? { ServedAt.read(self)?.watch ?? watch }
}
