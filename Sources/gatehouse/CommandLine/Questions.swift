import Glibc

/// Questions to the person at the terminal. Without a terminal nothing is asked: the command fails and names the flag
/// that would have answered.
extension Invocation {
  /// Asks before something is lost. `--yes` and `--dry-run` answer it.
  /// - Parameters:
  ///   - loss: what will go, as complete lines.
  ///   - word: what the person must type: the name of the thing.
  func confirm(_ loss: [String], typing word: String) throws(Failure) {
    if has(CommonFlags.yes) || isDryRun { return }
    for line in loss { terminal.note(line) }
    guard mayAsk else {
      throw Failure(.usage, "\(command.name) asks before it does this; add --yes to go ahead")
    }
    terminal.prompt("Type \(Visible.line(word)) to go on: ")
    guard let answer = terminal.readLine(), Array(answer.utf8) == Array(word.utf8) else {
      throw Failure(.interrupted, "nothing was changed")
    }
  }

  /// The secret of a command with `takesSecret`: from `--secret-file`, else typed without echo.
  /// - Throws: exit 2 where the command can not ask; exit 3 when the file is missing.
  func secret(_ prompt: String) throws(Failure) -> [UInt8] {
    if let path = self[CommonFlags.secretFile] {
      return try SecretText.read(path: path, for: "--secret-file")
    }
    guard mayAsk else {
      throw Failure(.usage, "--secret-file is missing: a file with the secret, or - for standard input")
    }
    guard let typed = terminal.readWithoutEcho("\(prompt): "), !typed.isEmpty else {
      throw Failure(.interrupted, "no secret was typed; nothing was changed")
    }
    return Array(typed.utf8)
  }
}

/// Secrets in files: one value, at most 64 KiB, a single line end at its end is not part of it.
enum SecretText {
  static let limit = 64 * 1024

  /// Refuses a file that others can read or write.
  /// - Parameter name: the flag, variable or key that named the file, for messages. The content never appears in one.
  static func read(path: String, for name: String) throws(Failure) -> [UInt8] {
    if path != "-" { try OwnerOnlyFile.demand(path, for: name) }
    var bytes: [UInt8]
    switch FileText.read(path, limit: limit) {
    case .success(let content): bytes = content
    case .failure(let problem):
      throw Failure(problem.isMissing ? .notFound : .usage, "\(name): \(problem)")
    }
    if bytes.last == 0x0A { bytes.removeLast() }
    if bytes.last == 0x0D { bytes.removeLast() }
    if bytes.isEmpty { throw Failure(.usage, "\(name): \(Quoted(path)) is empty") }
    if bytes.contains(0) { throw Failure(.usage, "\(name): \(Quoted(path)) holds a NUL byte") }
    return bytes
  }
}

/// Reads small files whole; `-` is standard input.
enum FileText {
  /// Why a file could not be read.
  struct Problem: Error, CustomStringConvertible {
    let path: String
    let reason: String
    let isMissing: Bool
    var description: String { "cannot read \(Quoted(path)): \(reason)" }
  }

  /// - Returns: The whole file; a problem where it has more than `limit` bytes.
  static func read(_ path: String, limit: Int) -> Result<[UInt8], Problem> {
    head(path, atMost: limit + 1).flatMap { bytes in
      guard bytes.count > limit else { return .success(bytes) }
      return .failure(Problem(path: path, reason: "it is larger than \(limit / 1024) KiB", isMissing: false))
    }
  }

  /// - Returns: The first bytes of the file; no more than so many are read.
  static func head(_ path: String, atMost most: Int) -> Result<[UInt8], Problem> {
    func problem(_ reason: String, missing: Bool = false) -> Result<[UInt8], Problem> {
      .failure(Problem(path: path, reason: reason, isMissing: missing))
    }
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return problem(String(cString: strerror(errno)), missing: errno == ENOENT) }
    defer { if path != "-" { close(descriptor) } }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16 * 1024)
    while bytes.count < most {
      let count = Glibc.read(descriptor, &piece, min(piece.count, most - bytes.count))
      if count == 0 { break }
      if count < 0 {
        if errno == EINTR { continue }
        return problem(String(cString: strerror(errno)))
      }
      bytes += piece[..<count]
    }
    return .success(bytes)
  }
}
