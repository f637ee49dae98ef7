import GatehousePolicyFile

/// `gatehouse policy schema`.
enum PolicySchema {
  static let command = Command(
    "policy", "schema", summary: "Print the JSON Schema of policy files, for editors",
    examples: [
      Example("gatehouse policy schema", "read it"),
      Example("gatehouse policy schema > policies/policy.schema.json", "keep it beside the policies"),
      Example("gatehouse policy schema | jq '.properties.password'", "look up one section"),
    ], run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try invocation.terminal.json(String(decoding: PolicyFile.schema(), as: UTF8.self))
    return .ok
  }
}
