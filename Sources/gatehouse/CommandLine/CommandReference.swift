/// Writes the manual in Markdown from the table of commands: `docs/cli.md`.
struct CommandReference {
  let commands: [Command]
  let nouns: [Noun]

  /// The whole document.
  var text: String {
    var text = """
      # Commands

      `gatehouse man --markdown` writes this page from the table of commands. `gatehouse help COMMAND` shows the same in a
      terminal, `gatehouse man` as a manual page, and `gatehouse completion` writes completions for a shell.

      Data goes to standard output, everything else to standard error. A [shared flag](#shared-flags) means the same for
      each command that takes it.

      ## Answers for scripts

      With `--output json` standard output is one JSON document, whether the command did its work or not:

      ```json
      {"version":2,"kind":"user.disable","item":{"tenant":"dd-ride","id":"0190…","email":"willie@ksu.edu"},"messages":["…"]}
      {"version":2,"kind":"error","error":{"exit":3,"reason":"not_found","code":"not_found","messages":["…"],"hint":"…"}}
      ```

      `kind` names the shape of `item` or `items`; a `version` that grows tells of a key that changed its meaning or went
      away. `messages` are the lines of standard error, which says them too. `error` is there when the command failed:
      `exit` is the exit code, `reason` its word and `code` the code of the admin API where an operation refused. Data
      that came before the failure stands beside it.

            ## Exit codes

      | Code | Reason | Meaning |
      |---|---|---|

      """
    for exit in Exit.allCases { text += "| \(exit.rawValue) | `\(exit.word)` | \(cell(exit.meaning)) |\n" }
    text += "\n## Commands without a noun\n\n"
    for command in commands where command.noun == nil { text += section(command) }
    for noun in nouns {
      text += "## \(noun.name)\n\nVerbs about \(cell(noun.summary)).\n\n"
      for command in commands where command.noun == noun.name { text += section(command) }
    }
    text += "## Shared flags\n\n" + table(of: shared)
    return text
  }

  /// Flags that commands have by their nature, each form once, by name.
  private var shared: [any AnyFlag] {
    var known: Set<String> = []
    return commands.flatMap { $0.flags.dropFirst($0.ownFlags.count) }.sorted { $0.name < $1.name }
      .filter { known.insert($0.shown).inserted }
  }

  private func section(_ command: Command) -> String {
    var text = "### gatehouse \(command.name)\n\n\(cell(command.summary)).\n\n"
    text += "```\n\(HelpText.usage(command))\n```\n\n"
    for note in command.notes { text += prose(note) + "\n\n" }
    if !command.arguments.isEmpty {
      text += "| Argument | Meaning |\n|---|---|\n"
      for argument in command.arguments { text += "| `\(argument.name)` | \(cell(argument.summary)) |\n" }
      text += "\n"
    }
    if !command.ownFlags.isEmpty { text += table(of: command.ownFlags) + "\n" }
    let others = command.flags.dropFirst(command.ownFlags.count).map { "`--\($0.name)`" }
    if !others.isEmpty {
      text +=
        prose("Shared flags: " + (command.settings.isAll ? "all." : others.joined(separator: ", ") + ".")) + "\n\n"
    }
    let exits = HelpText.exits(command).filter { $0.0 != "0" && $0.0 != "2" }
    if !exits.isEmpty {
      text += prose("Exit codes: " + exits.map { "\($0.0) \(cell($0.1))" }.joined(separator: "; ") + ".") + "\n\n"
    }
    text += "```\n" + command.examples.map { "# \($0.says)\n\($0.line)\n" }.joined() + "```\n\n"
    return text
  }

  private func table(of flags: [any AnyFlag]) -> String {
    "| Flag | Meaning |\n|---|---|\n"
      + flags.map { flag in
        "| `\(flag.shown.replacing("|", with: "\\|"))` | \(cell(flag.summary))\(flag.repeats ? "; may be repeated" : "") |\n"
      }.joined()
  }

  /// Text that Markdown shows unchanged, within one line of a table.
  private func cell(_ text: String) -> String {
    text.replacing("\n", with: " ").replacing("|", with: "\\|").replacing("<", with: "&lt;").replacing("*", with: "\\*")
  }

  private func prose(_ text: String) -> String { HelpText.wrapped(cell(text), to: 120).joined(separator: "\n") }
}
