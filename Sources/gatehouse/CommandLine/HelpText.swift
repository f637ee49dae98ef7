import GatehousePolicyFile

/// Writes help from the table of commands.
struct HelpText {
  let commands: [Command]
  let nouns: [Noun]

  /// Help for the words after `help`: nothing, a noun, or a command.
  /// - Throws: exit 2 for words that name nothing.
  func text(for words: [String]) throws(Failure) -> String {
    if words.isEmpty { return overview }
    if let command = commands.first(where: { $0.words == words }) { return text(for: command) }
    if words.count == 1, let noun = nouns.first(where: { $0.name == words[0] }) { return text(for: noun) }
    let typed = words.joined(separator: " ")
    let names = commands.map(\.name) + nouns.map(\.name)
    throw Failure(
      .usage, "there is no command \(Quoted(typed))" + Suggestion.phrase(for: typed, among: names),
      hint: "gatehouse help")
  }

  /// Every command and noun.
  var overview: String {
    let single = commands.filter { $0.noun == nil }.map { ($0.name, $0.summary) }
    let groups = nouns.map { noun in (noun.name, noun.summary) }
    return """
      gatehouse: sign-up, sign-in and sessions for many apps, each by its own policy

      Usage: gatehouse COMMAND [ARGUMENT…] [--flag value…]

      Commands
      \(Self.columns(single))
      Things, each with its verbs (gatehouse help THING)
      \(Self.columns(groups))
      Data goes to standard output, everything else to standard error.
      --output json prints one JSON document there, whether the command fails or not.
      Exit codes: \(Self.codes)

      """
  }

  private static let codes =
    "0 ok, 1 refused or check failed, 2 usage, 3 not found, 4 not allowed, 5 conflict,\n"
    + "6 server, database or network, 7 done in part, 130 interrupted."

  private func text(for noun: Noun) -> String {
    let verbs = commands.filter { $0.noun == noun.name }
    return """
      gatehouse \(noun.name): \(noun.summary)

      \(Self.columns(verbs.map { ("\($0.name)", $0.summary) }))
      gatehouse \(noun.name) VERB --help tells more of one.

      """
  }

  private func text(for command: Command) -> String {
    var text = "gatehouse \(command.name): \(command.summary)\n\nUsage: \(Self.usage(command))\n"
    for note in command.notes { text += "\n" + Self.wrapped(note, to: 100).joined(separator: "\n") + "\n" }
    text += "\nExamples\n"
    for example in command.examples { text += "  # \(example.says)\n  \(example.line)\n" }
    if !command.arguments.isEmpty {
      text += "\nArguments\n" + Self.columns(command.arguments.map { ($0.name, $0.summary) })
    }
    let flags = command.flags.map { ($0.shown, $0.summary + ($0.repeats ? "; may be repeated" : "")) }
    text += "\nFlags\n" + Self.columns(flags + [("--help", "this text")])
    text += "\nExit codes\n" + Self.columns(Self.exits(command))
    return text
  }

  static func usage(_ command: Command) -> String {
    (["gatehouse", command.name] + command.arguments.map(\.shown) + (command.flags.isEmpty ? [] : ["[flags]"]))
      .joined(separator: " ")
  }

  /// Every exit code of the command with its meaning, in order.
  static func exits(_ command: Command) -> [(String, String)] {
    var meanings: [Exit: String] = [.ok: Exit.ok.meaning, .usage: Exit.usage.meaning]
    for (exit, meaning) in command.exits { meanings[exit] = meaning }
    return meanings.sorted { $0.key.rawValue < $1.key.rawValue }.map { (String($0.key.rawValue), $0.value) }
  }

  /// Two columns within 100; a left side that is too long for its column gets a line of its own.
  private static func columns(_ rows: [(String, String)]) -> String {
    let width = min(rows.map { $0.0.count }.max() ?? 0, 34)
    let indent = String(repeating: " ", count: width + 4)
    return rows.map { left, right in
      let gap = left.count > width ? "\n" + indent : String(repeating: " ", count: width - left.count + 2)
      return "  " + left + gap + wrapped(right, to: 100 - indent.count).joined(separator: "\n" + indent) + "\n"
    }.joined()
  }

  /// Lines of at most `limit` characters, broken at blanks.
  static func wrapped(_ text: String, to limit: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + word.count < limit {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
