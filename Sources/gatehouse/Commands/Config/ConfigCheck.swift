/// `gatehouse config check`.
enum ConfigCheck {
  static let command = Command(
    "config", "check", summary: "Find everything that is wrong with the configuration",
    notes: [
      "Checks everything that serve checks before it opens its database: values, files and directories that are named,"
        + " certificate, keys, floor and lists. It makes no file and opens no port; kek.command is run."
    ],
    examples: [
      Example("gatehouse config check", "file, environment and defaults together"),
      Example("gatehouse config check --config deploy/gatehouse.yaml", "one file before it is installed"),
      Example("gatehouse config check --listen 0.0.0.0:8443", "with a flag on trial"),
    ],
    exits: [.no: "something is wrong; every problem is on standard error", .notFound: "the file does not exist"],
    settings: .all, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let (config, reader) = try Config.read(invocation)
    config.notePassedOver(invocation)
    for warning in ConfigLayer.unknownVariables(invocation.surroundings) {
      invocation.terminal.note("note: \(warning)")
    }
    let (parts, failures) = StartParts.read(config, for: .server, unread: reader.unread)
    for name in parts.missingLists { invocation.terminal.note("note: \(RuleLists.isMissing(name))") }
    let problems = reader.problems + failures.flatMap(\.messages)
    guard problems.isEmpty else { throw Failure(.no, problems) }
    invocation.terminal.note("the configuration is right")
    return .ok
  }
}
