import GatehousePrimitives
import Glibc

/// The server's log: one line per event on standard error, JSON for machines or plain for a person.
struct Log: Sendable {
  private let threshold: LockBox<LogLevel>
  /// Whether each line begins with its priority, as the journal reads it.
  private let marksPriority: Bool
  let form: LogForm
  private let clock: @Sendable () -> Int
  private let gate = RepeatGate()
  private let write: @Sendable (String) -> Void

  /// - Parameters:
  ///   - clock: milliseconds since 1970.
  ///   - write: takes a whole line with its end; must not block.
  init(
    level: LogLevel, form: LogForm, marksPriority: Bool = false, clock: @escaping @Sendable () -> Int = Log.now,
    write: @escaping @Sendable (String) -> Void
  ) {
    threshold = LockBox(level)
    self.marksPriority = marksPriority
    self.form = form
    self.clock = clock
    self.write = write
  }

  /// The least important events that are written. It may change while the server runs.
  var level: LogLevel {
    get { threshold.withLock { $0 } }
    nonmutating set { threshold.withLock { $0 = newValue } }
  }

  /// Writes an event (`server.started`, `request`) unless its level is below the log's.
  func write(_ level: LogLevel, _ event: StaticString, _ fields: LogField...) { write(level, event, fields) }

  /// As above, with fields that were gathered.
  func write(_ level: LogLevel, _ event: StaticString, _ fields: [LogField]) {
    guard level >= self.level else { return }
    write((marksPriority ? level.priority : "") + form.line(milliseconds: clock(), level, event, fields) + "\n")
  }

  /// Writes an event of work that is tried again and again: one line in a minute for one cause, which is the event with
  /// its fields. `repeated` says how many lines were kept back since the one before.
  func write(often level: LogLevel, _ event: StaticString, _ fields: LogField...) {
    guard level >= self.level else { return }
    let cause = "\(event) " + fields.map { "\($0.key)=\($0.value.text)" }.joined(separator: " ")
    guard let repeated = gate.pass(cause, at: clock()) else { return }
    write(level, event, fields + (repeated > 0 ? [.count("repeated", repeated)] : []))
  }

  /// The wall clock in milliseconds.
  @Sendable static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }
}

extension LogLevel {
  /// The mark of sd-daemon(3), which the journal takes away and keeps as the line's priority (syslog(3)).
  fileprivate var priority: String {
    switch self {
    case .debug: "<7>"
    case .info: "<6>"
    case .warning: "<4>"
    case .error: "<3>"
    }
  }
}

/// The journal of systemd as a reader of standard error.
enum Journal {
  /// Whether this process's standard error is the stream that JOURNAL_STREAM names by device and inode
  /// (systemd.exec(5)).
  static func reads(_ descriptor: Int32, _ surroundings: Surroundings) -> Bool {
    var status = stat()
    guard let stream = surroundings["JOURNAL_STREAM"], fstat(descriptor, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }
}

/// How log lines look, as the configuration says it.
enum LogFormat: String, CaseIterable, Sendable {
  case auto, json, pretty
}

/// How a log line looks.
enum LogForm: Sendable, Equatable {
  case json
  case pretty(colour: Bool)

  /// `auto` is pretty on a terminal.
  init(_ setting: LogFormat, _ terminal: Terminal) {
    let pretty = setting == .pretty || setting == .auto && terminal.errorIsTerminal
    self = pretty ? .pretty(colour: terminal.colour.error) : .json
  }

  func line(milliseconds: Int, _ level: LogLevel, _ event: StaticString, _ fields: [LogField]) -> String {
    let time = Timestamp.text(milliseconds: milliseconds)
    switch self {
    case .json:
      var line = "{\"time\":\"\(time)\",\"level\":\"\(level.rawValue)\",\"event\":\(JSONOutput.string("\(event)"))"
      for field in fields {
        let (text, isNumber) = field.value
        line += ",\(JSONOutput.string(field.key)):" + (isNumber ? text : JSONOutput.string(text))
      }
      return line + "}"
    case .pretty(let colour):
      let name = level.rawValue + String(repeating: " ", count: 7 - level.rawValue.count)
      let mark = colour ? "\(Self.colour(level))\(name)\u{1B}[0m" : name
      // Date and zone are left out: a person looks at a terminal now.
      let clock = time.dropFirst(11).dropLast()
      let rest = fields.map { " \($0.key)=\(Visible.line($0.value.text))" }.joined()
      return "\(clock) \(mark) \(event)\(rest)"
    }
  }

  private static func colour(_ level: LogLevel) -> String {
    switch level {
    case .debug: "\u{1B}[2m"
    case .info: "\u{1B}[32m"
    case .warning: "\u{1B}[33m"
    case .error: "\u{1B}[31m"
    }
  }
}
