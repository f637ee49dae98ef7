/// One command: everything that help, completion, the man page, the parser and the tests need to know of it.
struct Command: Sendable {
  /// `["user", "disable"]`, or one word for a command without a noun.
  let words: [String]
  /// One line, without a full stop.
  let summary: String
  /// Paragraphs for `--help` and the man page, where one line is not enough.
  let notes: [String]
  let arguments: [Argument]
  /// Flags of its own; `flags` adds those it has by its nature.
  let ownFlags: [any AnyFlag]
  /// Three, each a line that works as it stands.
  let examples: [Example]
  /// The exit codes beyond 0 and 2, in the words of this command.
  let exits: KeyValuePairs<Exit, String>
  /// Changes something: takes `--dry-run`, `--yes` and `--no-input`.
  let mutating: Bool
  /// Prints a table or record: `--output` takes every form of one, else only JSON.
  let prints: Bool
  /// Makes something that has a name: takes `--if-absent`.
  let creates: Bool
  /// Asks for a secret: takes `--secret-file`.
  let takesSecret: Bool
  /// Which settings it takes as flags.
  let settings: SettingFlags
  let run: @Sendable (Invocation) async throws -> Exit

  init(
    _ words: String..., summary: String, notes: [String] = [], arguments: [Argument] = [],
    flags: [any AnyFlag] = [], examples: [Example], exits: KeyValuePairs<Exit, String> = [:],
    mutating: Bool = false, creates: Bool = false, prints: Bool = false, takesSecret: Bool = false,
    settings: SettingFlags = .none,
    run: @escaping @Sendable (Invocation) async throws -> Exit
  ) {
    self.words = words
    self.summary = summary
    self.notes = notes
    self.arguments = arguments
    self.ownFlags = flags
    self.examples = examples
    self.exits = exits
    self.mutating = mutating
    self.creates = creates
    self.prints = prints
    self.takesSecret = takesSecret
    self.settings = settings
    self.run = run
  }

  /// `user disable`.
  var name: String { words.joined(separator: " ") }
  /// The noun it belongs to, if any.
  var noun: String? { words.count > 1 ? words[0] : nil }

  /// Every flag it takes, its own first.
  var flags: [any AnyFlag] {
    var all = ownFlags
    if takesSecret { all.append(CommonFlags.secretFile) }
    all.append(prints ? CommonFlags.output : CommonFlags.answer)
    if creates { all.append(CommonFlags.ifAbsent) }
    if mutating { all += [CommonFlags.dryRun, CommonFlags.yes, CommonFlags.noInput] }
    if !mutating && takesSecret { all.append(CommonFlags.noInput) }
    return all + settings.flags
  }
}

/// A command line that a reader can copy, and what it does.
struct Example: Sendable {
  let line: String
  let says: String

  init(_ line: String, _ says: String) {
    self.line = line
    self.says = says
  }
}

/// A noun and what its verbs are about, for `gatehouse help`.
struct Noun: Sendable {
  let name: String
  let summary: String
}

/// Flags that many commands share, so that they are spelled and explained the same way everywhere.
enum CommonFlags {
  static let output = Flag("output", Kind<OutputForm>.word, "how to print the data (default table)")
  static let answer = Flag(
    "output", Kind<AnswerForm>.word, "json prints one JSON document in place of text (default text)")
  static let dryRun = Flag("dry-run", .onOff, "do everything but the change itself, and say what it would be")
  static let ifAbsent = Flag(
    "if-absent", .onOff, "leave what is there already, if it is the same; fail with 5 if it differs")
  static let yes = Flag("yes", .onOff, "answer every question with yes")
  static let noInput = Flag("no-input", .onOff, "never ask; fail where an answer would be needed")
  static let secretFile = Flag("secret-file", .file, "read the secret from this file; - is standard input")
}
