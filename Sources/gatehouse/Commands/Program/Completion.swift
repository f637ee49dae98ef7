import GatehousePolicyFile

/// `gatehouse completion`.
enum CompletionCommand {
  static let command = Command(
    "completion", summary: "Print a script that completes commands and flags in a shell",
    arguments: [
      Argument(
        "SHELL", "bash, zsh or fish", completes: .words(CompletionScript.Shell.allCases.map(\.rawValue)))
    ],
    examples: [
      Example("gatehouse completion bash > /etc/bash_completion.d/gatehouse", "for every user's bash"),
      Example("gatehouse completion zsh > ~/.zfunc/_gatehouse", "for your zsh, with ~/.zfunc in fpath"),
      Example("gatehouse completion fish > ~/.config/fish/completions/gatehouse.fish", "for your fish"),
    ], run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let word = try invocation.argument("SHELL")
    guard let shell = CompletionScript.Shell(rawValue: word) else {
      let shells = CompletionScript.Shell.allCases.map(\.rawValue)
      throw Failure(
        .usage, "SHELL: \(Quoted(word)) is not bash, zsh or fish" + Suggestion.phrase(for: word, among: shells))
    }
    let script = CompletionScript(commands: Commands.all, nouns: Commands.nouns).text(shell: shell)
    try invocation.terminal.data(script)
    return .ok
  }
}
