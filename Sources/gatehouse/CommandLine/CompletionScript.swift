/// Writes completion scripts for shells from the table of commands: words, flags, choices, files and directories.
struct CompletionScript {
  /// Shells that take one.
  enum Shell: String, CaseIterable {
    case bash, zsh, fish
  }

  let commands: [Command]
  let nouns: [Noun]

  func text(shell: Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  /// The words that may stand first: commands without a noun, and nouns.
  private var firstWords: [(name: String, summary: String)] {
    commands.filter { $0.noun == nil }.map { ($0.name, $0.summary) } + nouns.map { ($0.name, $0.summary) }
  }

  private func verbs(of noun: Noun) -> [Command] { commands.filter { $0.noun == noun.name } }

  private var bash: String {
    var text = """
      # bash completion for gatehouse: source <(gatehouse completion bash)
      _gatehouse_words() { "${COMP_WORDS[0]}" __complete "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null; }
      _gatehouse() {
        local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}"
        local path="${COMP_WORDS[1]}"
        COMPREPLY=()
        if [[ $COMP_CWORD -eq 1 ]]; then
          COMPREPLY=($(compgen -W "\(firstWords.map(\.name).joined(separator: " "))" -- "$cur"))
          return
        fi
        case "$path" in
          \(nouns.map(\.name).joined(separator: "|")))
            if [[ $COMP_CWORD -eq 2 ]]; then
              case "$path" in

      """
    for noun in nouns {
      let words = verbs(of: noun).map { $0.words[1] }.joined(separator: " ")
      text += "          \(noun.name)) COMPREPLY=($(compgen -W \"\(words)\" -- \"$cur\"));;\n"
    }
    text +=
      "        esac\n        return\n      fi\n      path=\"$path ${COMP_WORDS[2]}\";;\n  esac\n  case \"$path\" in\n"
    for command in commands { text += bashCase(command) }
    return text + "  esac\n}\ncomplete -F _gatehouse gatehouse\n"
  }

  private func bashCase(_ command: Command) -> String {
    var text = "    \"\(command.name)\")\n      case \"$prev\" in\n"
    for flag in command.flags where flag.takesValue {
      let reply =
        if !flag.choices.isEmpty {
          "COMPREPLY=($(compgen -W \"\(flag.choices.joined(separator: " "))\" -- \"$cur\"))"
        } else if flag.completes == .file {
          "COMPREPLY=($(compgen -f -- \"$cur\"))"
        } else if flag.completes == .directory {
          "COMPREPLY=($(compgen -d -- \"$cur\"))"
        } else if flag.completes.isAsked {
          bashWords
        } else {
          ":"
        }
      text += "        --\(flag.name)) \(reply); return;;\n"
    }
    text += "      esac\n"
    let flags = (command.flags.map { "--\($0.name)" } + ["--help"]).joined(separator: " ")
    text += "      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W \"\(flags)\" -- \"$cur\"))\n"
    let isAsked = command.arguments.contains { $0.completes.isAsked }
    let isFile = command.arguments.contains { $0.completes == .file }
    if isAsked || isFile {
      text += "      else\n"
      if isAsked { text += "        \(bashWords)\n" }
      if isAsked && isFile { text += "        [[ ${#COMPREPLY[@]} -gt 0 ]] ||\n" }
      if isFile { text += "        COMPREPLY=($(compgen -f -- \"$cur\"))\n" }
    }
    return text + "      fi;;\n"
  }

  /// The words that the program itself knows for this place; after the `=` of a field a value follows.
  private let bashWords =
    "COMPREPLY=($(compgen -W \"$(_gatehouse_words)\" -- \"$cur\")); [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace"
    + " 2>/dev/null; true"

  private var zsh: String {
    var text =
      "#compdef gatehouse\n# zsh completion for gatehouse: gatehouse completion zsh > \"${fpath[1]}/_gatehouse\"\n"
    text += "_gatehouse_words() {\n  local -a found_\n"
    text += "  found_=(${(f)\"$($words[1] __complete ${words[2,CURRENT-1]} 2>/dev/null)\"})\n"
    text += "  (( $#found_ )) && compadd -S '' -a found_\n}\n"
    text += "_gatehouse() {\n  local -a words_\n  if (( CURRENT == 2 )); then\n    words_=(\n"
    for (name, summary) in firstWords { text += "      \(quoted("\(name):\(summary)"))\n" }
    text += "    )\n    _describe command words_\n    return\n  fi\n  local path_=$words[2]\n  case $path_ in\n"
    for noun in nouns {
      text += "    \(noun.name))\n      if (( CURRENT == 3 )); then\n        words_=(\n"
      for command in verbs(of: noun) { text += "          \(quoted("\(command.words[1]):\(command.summary)"))\n" }
      text += "        )\n        _describe verb words_\n        return\n      fi\n      path_=\"$path_ $words[3]\";;\n"
    }
    text += "  esac\n  case $path_ in\n"
    for command in commands {
      text += "    \(quoted(command.name)))\n      _arguments \\\n"
      for flag in command.flags { text += "        \(quoted(zshFlag(flag))) \\\n" }
      let isAsked = command.arguments.contains { $0.completes.isAsked }
      let rest = isAsked ? "*:argument:{_gatehouse_words || _files}" : "*::argument:_files"
      text += "        '--help[this text]' \\\n        '\(rest)';;\n"
    }
    return text
      + "  esac\n}\nif [ \"$funcstack[1]\" = _gatehouse ]; then _gatehouse; else compdef _gatehouse gatehouse; fi\n"
  }

  private func zshFlag(_ flag: any AnyFlag) -> String {
    let summary = flag.summary.replacing("[", with: "(").replacing("]", with: ")").replacing(":", with: ",")
    let head = (flag.repeats ? "*" : "") + "--\(flag.name)[\(summary)]"
    guard flag.takesValue else { return head }
    let values =
      if !flag.choices.isEmpty { "(\(flag.choices.joined(separator: " ")))" } else if flag.completes == .file {
        "_files"
      } else if flag.completes == .directory { "_files -/" } else if flag.completes.isAsked {
        "{_gatehouse_words}"
      } else { " " }
    return "\(head):\(flag.name):\(values)"
  }

  private var fish: String {
    var text = "# fish completion for gatehouse: gatehouse completion fish | source\ncomplete -c gatehouse -f\n"
    for (name, summary) in firstWords {
      text += "complete -c gatehouse -n __fish_use_subcommand -a \(name) -d \(quoted(summary))\n"
    }
    for noun in nouns {
      for command in verbs(of: noun) {
        let names = verbs(of: noun).map { $0.words[1] }.joined(separator: " ")
        let test = "__fish_seen_subcommand_from \(noun.name); and not __fish_seen_subcommand_from \(names)"
        text += "complete -c gatehouse -n \(quoted(test)) -a \(command.words[1]) -d \(quoted(command.summary))\n"
      }
    }
    for command in commands { text += fishFlags(command) }
    return text
  }

  private func fishFlags(_ command: Command) -> String {
    let test = command.words.map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and ")
    let asks = "-a '(gatehouse __complete (commandline -opc)[2..] 2>/dev/null)'"
    let arguments =
      command.arguments.contains { $0.completes.isAsked }
      ? "complete -c gatehouse -n \(quoted(test)) \(asks)\n" : ""
    return arguments
      + command.flags.map { flag in
        var line = "complete -c gatehouse -n \(quoted(test)) -l \(flag.name) -d \(quoted(flag.summary))"
        if flag.takesValue {
          line += flag.choices.isEmpty ? " -r" : " -x -a \(quoted(flag.choices.joined(separator: " ")))"
          if flag.completes == .file || flag.completes == .directory { line += " -F" }
          if flag.completes.isAsked { line += " " + asks }
        }
        return line + "\n"
      }.joined()
  }

  /// In single quotation marks, safe for all three shells.
  private func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "’") + "'" }
}

extension Completes {
  /// Whether a shell asks the program for the words of the place.
  var isAsked: Bool {
    switch self {
    case .nothing, .file, .directory: false
    case .words, .tenant, .field, .rule: true
    }
  }
}
