/// A command about to run: its values, its terminal and its surroundings. Commands read nothing else from outside.
struct Invocation: Sendable {
  let command: Command
  let values: Parser.Values
  let terminal: Terminal
  let surroundings: Surroundings

  /// The value of a flag, or `nil` when it was not given.
  subscript<Value>(_ flag: Flag<Value>) -> Value? {
    values.flags[flag.name]?.last.flatMap(flag.kind.parse)
  }

  /// Whether a switch was given.
  func has(_ flag: Flag<Bool>) -> Bool { self[flag] ?? false }

  /// Every value of a flag that may be repeated.
  func all<Value>(_ flag: Flag<Value>) -> [Value] {
    (values.flags[flag.name] ?? []).compactMap(flag.kind.parse)
  }

  /// The text of an argument that is always there (`.one`). The parser refuses the line without it.
  func argument(_ name: String) throws(Failure) -> String {
    guard let text = values.arguments[name]?.first else { throw Failure(.usage, "\(name) is missing") }
    return text
  }

  /// The words of an argument that may be missing or many.
  func arguments(_ name: String) -> [String] { values.arguments[name] ?? [] }

  /// Whether a thing that is there already is left as it is, if it is the same; nil where it is not asked for.
  var ifAbsent: Bool? { has(CommonFlags.ifAbsent) ? true : nil }

  var isDryRun: Bool { has(CommonFlags.dryRun) }

  /// Whether a question may be asked at all.
  var mayAsk: Bool { terminal.inputIsTerminal && terminal.errorIsTerminal && !has(CommonFlags.noInput) }
}

/// The process's environment, handed in so that tests choose it.
struct Surroundings: Sendable {
  let environment: [String: String]
  /// Effective user id; 0 is root.
  let userID: UInt32
  /// The user who logged in, where that is known.
  var loginUserID: UInt32?
  /// The name of a user of this machine.
  var accountName: @Sendable (UInt32) -> String? = { _ in nil }
  /// Where the program is installed.
  var installation = Installation(executable: nil)

  subscript(_ name: String) -> String? { environment[name] }
}
