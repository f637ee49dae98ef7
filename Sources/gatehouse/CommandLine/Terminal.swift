import Glibc

/// Standard input, output and error. Standard output carries data alone; everything said to a person goes to standard
/// error.
struct Terminal: Sendable {
  let inputIsTerminal: Bool
  let outputIsTerminal: Bool
  let errorIsTerminal: Bool
  /// Columns of the terminal that shows standard output; `nil` when it is not one, and nothing is cut then.
  let width: Int?
  /// Whether standard output, and standard error, may carry colour.
  let colour: (output: Bool, error: Bool)

  /// Collects what is printed, where the run answers with one JSON document.
  var answer: Answer?

  /// Looks at this process's descriptors. Colour needs a terminal, no `NO_COLOR` (https://no-color.org) and a `TERM`
  /// other than `dumb`.
  init(_ surroundings: Surroundings) {
    inputIsTerminal = isatty(STDIN_FILENO) == 1
    outputIsTerminal = isatty(STDOUT_FILENO) == 1
    errorIsTerminal = isatty(STDERR_FILENO) == 1
    let wanted = (surroundings["NO_COLOR"] ?? "").isEmpty && surroundings["TERM"] != "dumb"
    colour = (wanted && outputIsTerminal, wanted && errorIsTerminal)
    width = outputIsTerminal ? Self.columns(surroundings) : nil
  }

  private static func columns(_ surroundings: Surroundings) -> Int {
    if let text = surroundings["COLUMNS"], let number = Int(text), (20...10_000).contains(number) { return number }
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 20 else { return 80 }
    return Int(size.ws_col)
  }

  /// Writes data to standard output: as it is into a file or a pipe, and on a terminal so that no character of it acts
  /// there. A reader that went away (`| head`) is no failure; a full disk is.
  func data(_ text: String) throws(Failure) {
    if let answer { return answer.add(text: text) }
    try write(text)
  }

  private func write(_ text: String) throws(Failure) {
    let text = outputIsTerminal ? Visible.lines(text, colour: colour.output) : text
    if let code = Self.write(text, to: STDOUT_FILENO), code != EPIPE {
      throw Failure(.unavailable, "cannot write to standard output: \(String(cString: strerror(code)))")
    }
  }

  /// Writes a JSON text to standard output; on a terminal it is the same JSON, with escapes.
  func json(_ text: String) throws(Failure) {
    if let answer {
      return answer.add([Cell.Field(key: "document", value: .json(text))])
    }
    try write(outputIsTerminal ? JSONOutput.shown(text) : text)
  }

  /// Writes data of a shape of its own as one JSON document.
  func document(kind: String, key: String, value: Cell) throws(Failure) {
    if let answer { return answer.add(kind: kind, key: key, value: value) }
    try write(JSONOutput.document(kind: kind, key: key, value: value) + "\n")
  }

  /// Writes one of many JSON texts at once, on a line of its own; in an answer as one of its items.
  func item(_ json: String) throws(Failure) {
    let text = outputIsTerminal ? JSONOutput.shown(json) : json
    try write(answer?.next(text) ?? text + "\n")
  }

  /// Writes what is left of the answer, if the run has one.
  func end(_ failure: Failure?) throws(Failure) {
    guard let rest = answer?.rest(failure) else { return }
    try write(outputIsTerminal ? JSONOutput.shown(rest) : rest)
  }

  /// Says one line to the person, on standard error.
  func note(_ line: String) {
    answer?.add(message: line)
    prompt(line + "\n")
  }

  /// Says a failure: `gatehouse: …` for each message, then the hint.
  func report(_ failure: Failure) {
    let mark = colour.error ? "\u{1B}[31mgatehouse:\u{1B}[0m " : "gatehouse: "
    for message in failure.messages { prompt(mark + message + "\n") }
    if let hint = failure.hint { prompt("  see: " + hint + "\n") }
  }

  func prompt(_ text: String) { draw(Visible.lines(text, colour: colour.error)) }

  /// Writes what moves the cursor. No text from outside goes into it.
  func draw(_ text: String) { _ = Self.write(text, to: STDERR_FILENO) }

  /// One line from standard input without its end; `nil` at the end of input or for bytes that are not UTF-8.
  func readLine() -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let count = read(STDIN_FILENO, &byte, 1)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return bytes.isEmpty ? nil : String(validating: bytes, as: UTF8.self) }
      if byte == 0x0A { return String(validating: bytes, as: UTF8.self) }
      bytes.append(byte)
      if bytes.count > SecretText.limit { return nil }
    }
  }

  /// One line typed while the terminal shows nothing; the terminal is put back however this ends, Ctrl-C included
  /// (the flag that turns it into a signal is off meanwhile).
  func readWithoutEcho(_ text: String) -> String? {
    var before = termios()
    guard tcgetattr(STDIN_FILENO, &before) == 0 else { return nil }
    var silent = before
    silent.c_lflag &= ~tcflag_t(ECHO | ISIG)
    guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0 else { return nil }
    defer {
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
      note("")
    }
    prompt(text)
    guard let line = readLine(), !line.utf8.contains(0x03) else { return nil }
    return line
  }

  /// Writes everything; the error number where that failed.
  private static func write(_ text: String, to descriptor: Int32) -> Int32? {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      // SAFETY: the buffer is valid for the call and write(2) only reads it.
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&ready, 1, 1000)
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }
}
