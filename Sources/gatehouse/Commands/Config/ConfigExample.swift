/// `gatehouse config example`.
enum ConfigExample {
  static let command = Command(
    "config", "example", summary: "Print a configuration file with every setting, its meaning and its default",
    examples: [
      Example("gatehouse config example", "read it"),
      Example("gatehouse config example > /etc/gatehouse/gatehouse.yaml", "start a file"),
      Example("gatehouse config example | grep -A 3 smtp", "look up one setting"),
    ], run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try invocation.terminal.data(ConfigText.whole)
    return .ok
  }
}
