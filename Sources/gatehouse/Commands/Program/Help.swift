/// `gatehouse help`.
enum HelpCommand {
  static let command = Command(
    "help", summary: "Explain a command",
    arguments: [Argument("COMMAND", "the words of a command, or of a group of commands", .any)],
    examples: [
      Example("gatehouse help", "all commands"),
      Example("gatehouse help config", "the verbs of one thing"),
      Example("gatehouse help config show", "everything about one command"),
    ], run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try invocation.terminal.data(Commands.help.text(for: invocation.arguments("COMMAND")))
    return .ok
  }
}
