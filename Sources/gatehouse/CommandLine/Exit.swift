/// How a command ends. The numbers are a contract with scripts and never change their meaning.
enum Exit: Int32, Sendable, CaseIterable {
  /// The command did what it was asked.
  case ok = 0
  /// The answer is "no": a difference, a failed check, a finding. Nothing went wrong.
  case no = 1
  /// The command line or the configuration is wrong; nothing was done.
  case usage = 2
  /// The tenant, user, revision or file that was named does not exist.
  case notFound = 3
  /// The caller may not do this.
  case notAllowed = 4
  /// Another caller changed it first, or it exists already.
  case conflict = 5
  /// The server, the database or the network failed; trying again may help.
  case unavailable = 6
  /// Some of the work was done, some was not.
  case partial = 7
  /// Stopped by Ctrl-C (128 + SIGINT).
  case interrupted = 130

  /// The word for it in an answer of `--output json`.
  var word: String {
    switch self {
    case .ok: "ok"
    case .no: "refused"
    case .usage: "usage"
    case .notFound: "not_found"
    case .notAllowed: "not_allowed"
    case .conflict: "conflict"
    case .unavailable: "unavailable"
    case .partial: "partial"
    case .interrupted: "interrupted"
    }
  }

  /// The meaning in help, where a command has no words of its own.
  var meaning: String {
    switch self {
    case .ok: "done"
    case .no: "the operation was refused, or a check failed"
    case .usage: "the command line or the configuration is wrong; nothing was done"
    case .notFound: "not found"
    case .notAllowed: "not allowed"
    case .conflict: "it exists already, or was changed meanwhile"
    case .unavailable: "the server, the database or the network failed"
    case .partial: "done in part"
    case .interrupted: "interrupted"
    }
  }
}

/// A command that could not do its work: what to tell the person, and how the process ends.
struct Failure: Error, Equatable {
  let exit: Exit
  /// One or more complete lines, each a problem of its own.
  let messages: [String]
  /// The remedy, on one line.
  let hint: String?
  /// The code of the problem, where an operation refused with one.
  let code: String?

  init(_ exit: Exit, _ messages: [String], hint: String? = nil, code: String? = nil) {
    self.exit = exit
    self.messages = messages
    self.hint = hint
    self.code = code
  }

  init(_ exit: Exit, _ message: String, hint: String? = nil) {
    self.init(exit, [message], hint: hint)
  }
}
