import GatehousePolicyFile

/// Writes the manual in roff (man(7)) from the table of commands.
struct ManPage {
  let commands: [Command]
  let nouns: [Noun]

  /// The whole manual as one page, or the page of one command.
  func text(for words: [String]) throws(Failure) -> String {
    if words.isEmpty { return whole }
    guard let command = commands.first(where: { $0.words == words }) else {
      let typed = words.joined(separator: " ")
      throw Failure(
        .usage, "there is no command \(Quoted(typed))" + Suggestion.phrase(for: typed, among: commands.map(\.name)))
    }
    return title("gatehouse-" + command.words.joined(separator: "-"), command.summary) + body(command, section: ".SH")
  }

  private var whole: String {
    var text = title("gatehouse", "sign-up, sign-in and sessions for many apps, each by its own policy")
    text += ".SH SYNOPSIS\n.B gatehouse\n.I command\n[argument ...] [--flag value ...]\n".roffDashes
    text += ".SH EXIT STATUS\n"
    for exit in Exit.allCases { text += ".TP\n\(exit.rawValue)\n\(roff(exit.meaning))\n" }
    text += ".SH COMMANDS\n"
    for command in commands {
      text += ".SS gatehouse \(roff(command.name))\n\(roff(command.summary)).\n" + body(command, section: ".PP\n.B")
    }
    return text
  }

  private func title(_ name: String, _ summary: String) -> String {
    ".TH \(name.uppercased().roffDashes) 1 \"\" \"Gatehouse \(Gatehouse.version)\" \"Gatehouse manual\"\n"
      + ".SH NAME\n\(name.roffDashes) \\- \(roff(summary))\n"
  }

  private func body(_ command: Command, section: String) -> String {
    var text = "\(section) SYNOPSIS\n.PP\n\(roff(HelpText.usage(command)))\n"
    if !command.notes.isEmpty { text += "\(section) DESCRIPTION\n" }
    for note in command.notes { text += ".PP\n\(roff(note))\n" }
    if !command.arguments.isEmpty { text += "\(section) ARGUMENTS\n" }
    for argument in command.arguments { text += ".TP\n.I \(roff(argument.name))\n\(roff(argument.summary))\n" }
    if !command.flags.isEmpty { text += "\(section) OPTIONS\n" }
    for flag in command.flags { text += ".TP\n.B \(roff(flag.shown))\n\(roff(flag.summary))\n" }
    text += "\(section) EXIT STATUS\n"
    for (code, meaning) in HelpText.exits(command) { text += ".TP\n\(code)\n\(roff(meaning))\n" }
    text += "\(section) EXAMPLES\n"
    for example in command.examples { text += ".PP\n\(roff(example.says)):\n.PP\n.EX\n\(roff(example.line))\n.EE\n" }
    return text
  }

  /// Text as roff shows it unchanged: backslashes, dashes, and dots or quotes at the start of a line.
  private func roff(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let escaped = String(line).replacing("\\", with: "\\e").roffDashes
      return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
    }.joined(separator: "\n")
  }
}

extension String {
  /// A dash in a name or flag must stay a dash that can be copied.
  fileprivate var roffDashes: String { replacing("-", with: "\\-") }
}
