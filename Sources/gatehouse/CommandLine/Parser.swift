import GatehousePolicyFile

/// Turns the words of a command line into a command and its values, or into every problem they have. Pure: it reads no
/// file, no environment and no terminal.
struct Parser {
  let commands: [Command]
  let nouns: [Noun]

  /// The request of a command line.
  enum Request {
    /// Help for everything, a noun, or a command.
    case help([String])
    case version
    case run(Command, Values)
  }

  /// The given values, still as text; every text fits the kind of its flag.
  struct Values: Sendable {
    var arguments: [String: [String]] = [:]
    var flags: [String: [String]] = [:]
  }

  /// - Throws: `Failure` with exit 2 and all problems at once.
  func parse(_ words: [String]) throws(Failure) -> Request {
    guard let first = words.first, first != "--help", first != "-h" else { return .help([]) }
    if first == "--version" || first == "-V" { return .version }
    if first.hasPrefix("-") {
      throw Failure(
        .usage, "\(Quoted(first)) stands before the command; flags come after it", hint: "gatehouse help")
    }
    if let command = commands.first(where: { $0.words == [first] }) {
      return try parse(command, Array(words.dropFirst()))
    }
    guard let noun = nouns.first(where: { $0.name == first }) else { throw unknownCommand(first) }
    return try parse(noun, Array(words.dropFirst()))
  }

  private func parse(_ noun: Noun, _ words: [String]) throws(Failure) -> Request {
    guard let verb = words.first else {
      throw Failure(.usage, "\(noun.name) needs a verb: \(verbs(of: noun))", hint: "gatehouse help \(noun.name)")
    }
    if verb == "--help" || verb == "-h" { return .help([noun.name]) }
    guard let command = commands.first(where: { $0.words == [noun.name, verb] }) else {
      let candidates = commands.filter { $0.noun == noun.name }.map { $0.words[1] }
      throw Failure(
        .usage, "\(noun.name) has no verb \(Quoted(verb))" + Suggestion.phrase(for: verb, among: candidates),
        hint: "gatehouse help \(noun.name)")
    }
    return try parse(command, Array(words.dropFirst()))
  }

  private func verbs(of noun: Noun) -> String {
    commands.filter { $0.noun == noun.name }.map { $0.words[1] }.joined(separator: ", ")
  }

  private func unknownCommand(_ word: String) -> Failure {
    let candidates = nouns.map(\.name) + commands.filter { $0.noun == nil }.map(\.name)
    return Failure(
      .usage, "there is no command \(Quoted(word))" + Suggestion.phrase(for: word, among: candidates),
      hint: "gatehouse help")
  }

  private func parse(_ command: Command, _ words: [String]) throws(Failure) -> Request {
    var reading = Reading(command: command)
    reading.read(words)
    if reading.askedForHelp { return .help(command.words) }
    reading.placeArguments()
    guard reading.problems.isEmpty else {
      throw Failure(.usage, reading.problems, hint: "gatehouse \(command.name) --help")
    }
    return .run(command, reading.values)
  }
}

/// One pass over the words after the command.
private struct Reading {
  let command: Command
  let flags: [any AnyFlag]
  var values = Parser.Values()
  var positional: [String] = []
  var problems: [String] = []
  var askedForHelp = false

  init(command: Command) {
    self.command = command
    flags = command.flags
  }

  mutating func read(_ words: [String]) {
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        positional += rest
        return
      }
      if word == "--help" || word == "-h" {
        askedForHelp = true
      } else if word.hasPrefix("--") {
        readFlag(word.dropFirst(2), rest: &rest)
      } else if word.hasPrefix("-"), word.utf8.count > 1 {
        problems.append("there is no flag \(Quoted(word)); flags have two dashes and a whole word")
      } else {
        positional.append(word)
      }
    }
  }

  private mutating func readFlag(_ word: Substring, rest: inout ArraySlice<String>) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let flag = flags.first(where: { $0.name == name }) else {
      let names = (flags.map(\.name) + ["help"]).map { "--" + $0 }
      let meant = Suggestion.phrase(for: "--" + name, among: names)
      problems.append("\(command.name) has no flag \(Quoted("--\(name)"))\(meant)")
      // The word after an unknown flag is taken for its value, so that one mistake is one message.
      if parts.count == 1, let next = rest.first, !next.hasPrefix("-") { rest.removeFirst() }
      return
    }
    if let text = value(of: flag, given: parts.count > 1 ? String(parts[1]) : nil, rest: &rest) {
      keep(text, for: flag)
    }
  }

  private mutating func value(
    of flag: any AnyFlag, given: String?, rest: inout ArraySlice<String>
  ) -> String? {
    if !flag.takesValue {
      if given != nil { problems.append("--\(flag.name) takes no value") }
      return "true"
    }
    if let given { return given }
    if let next = rest.first, !next.hasPrefix("--"), next == "-" || !next.hasPrefix("-") {
      rest.removeFirst()
      return next
    }
    problems.append("--\(flag.name) needs a value: \(flag.shown)")
    return nil
  }

  private mutating func keep(_ text: String, for flag: any AnyFlag) {
    if let problem = flag.problem(with: text) {
      problems.append("--\(flag.name): \(problem)")
    } else if values.flags[flag.name] != nil, !flag.repeats {
      problems.append("--\(flag.name) is given twice")
    } else {
      values.flags[flag.name, default: []].append(text)
    }
  }

  /// Gives the words without dashes to the arguments, in order; a list takes what is left.
  mutating func placeArguments() {
    var rest = positional[...]
    for argument in command.arguments {
      switch argument.count {
      case .one:
        guard let word = rest.popFirst() else { return missing(argument) }
        values.arguments[argument.name] = [word]
      case .optional:
        values.arguments[argument.name] = rest.popFirst().map { [$0] } ?? []
      case .any, .some:
        if rest.isEmpty, argument.count == .some { return missing(argument) }
        values.arguments[argument.name] = Array(rest)
        rest = []
      }
    }
    if let extra = rest.first { problems.append("\(Quoted(extra)) is one argument too many") }
  }

  private mutating func missing(_ argument: Argument) {
    problems.append("\(argument.name) is missing: \(argument.summary)")
  }
}
