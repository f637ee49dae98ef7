import GatehousePrimitives

/// The rule for files that hold secrets, of the configuration and of the command line: their owner alone reads them.
enum OwnerOnlyFile {
  /// The fault of the file's mode, and the command that mends it; nil for a good mode.
  static func problem(_ path: String) -> (words: String, remedy: String)? {
    SecretFile.exposedMode(of: path).map {
      ("\(Quoted(path)) has mode \($0): others can read it", "chmod 0400 \(Quoted(path))")
    }
  }

  /// Refuses a file that others can read; `name` is the setting.
  static func demand(_ path: String, for name: String) throws(Failure) {
    guard let (words, remedy) = problem(path) else { return }
    throw Failure(.usage, "\(name): \(words); run: \(remedy)")
  }
}
