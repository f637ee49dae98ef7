/// `gatehouse version`.
enum VersionCommand {
  static let command = Command(
    "version", summary: "Print the version",
    examples: [
      Example("gatehouse version", "the version, for a person"),
      Example("gatehouse version --output json", "the same for a script"),
      Example("gatehouse version --output csv", "and for a spreadsheet"),
    ], prints: true, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try invocation.print(Record("version", [("gatehouse", "gatehouse", .text(Gatehouse.version))]))
    return .ok
  }
}
