/// `gatehouse config check`.
enum ConfigCheck {
  static let command = Command(
    "config", "check", summary: "Find everything that is wrong with the configuration",
    examples: [
      Example("gatehouse config check", "file, environment and defaults together"),
      Example("gatehouse config check --config deploy/gatehouse.yaml", "one file before it is installed"),
      Example("gatehouse config check --listen 0.0.0.0:8443", "would this flag be taken?"),
    ],
    exits: [.no: "something is wrong; every problem is on standard error", .notFound: "the file does not exist"],
    settings: .all, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let (_, reader) = try Config.read(invocation)
    for warning in ConfigLayer.unknownVariables(invocation.surroundings) {
      invocation.terminal.note("note: \(warning)")
    }
    guard reader.problems.isEmpty else { throw Failure(.no, reader.problems) }
    invocation.terminal.note("the configuration is right")
    return .ok
  }
}
