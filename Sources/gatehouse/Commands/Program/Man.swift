/// `gatehouse man`.
enum ManCommand {
  private static let markdown = Flag("markdown", .onOff, "the whole manual as a Markdown document")

  static let command = Command(
    "man", summary: "Print the manual, whole or of one command, as roff",
    arguments: [Argument("COMMAND", "the words of a command", .any)], flags: [markdown],
    examples: [
      Example("gatehouse man | man -l -", "read the manual"),
      Example("gatehouse man config show | man -l -", "read about one command"),
      Example("gatehouse man > /usr/local/share/man/man1/gatehouse.1", "install it"),
    ], run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    if invocation.has(markdown) {
      guard invocation.arguments("COMMAND").isEmpty else {
        throw Failure(.usage, "--markdown writes the whole manual, and takes no command")
      }
      let reference = CommandReference(commands: Commands.all, nouns: Commands.nouns)
      try invocation.terminal.data(reference.text)
      return .ok
    }
    let page = ManPage(commands: Commands.all, nouns: Commands.nouns)
    try invocation.terminal.data(page.text(for: invocation.arguments("COMMAND")))
    return .ok
  }
}
