import GatehousePolicyFile

/// `gatehouse policy check`: offline, without a database or a configuration.
enum PolicyCheck {
  private static let file = Argument("FILE", "a policy file; - is standard input", .some, completes: .file)

  static let command = Command(
    "policy", "check", summary: "Find everything that is wrong with policy files",
    arguments: [file],
    examples: [
      Example("gatehouse policy check policies/dd-ride.yaml", "one file, each error with its line and a caret"),
      Example("gatehouse policy check policies/messai.yaml policies/vibes.yaml", "several files"),
      Example("gatehouse policy check policies/dd-ride.yaml --output json", "the findings for an editor or a script"),
    ],
    exits: [.no: "a file is wrong; every error is printed", .notFound: "a file does not exist"],
    prints: true, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    var refusals: [PolicyFileRefusal] = []
    for path in invocation.arguments("FILE") {
      if case .failure(let refusal) = PolicyFile.read(try PolicyInput.bytes(path), name: path) {
        refusals.append(refusal)
      } else {
        invocation.terminal.note("\(Visible.line(path)): right")
      }
    }
    try PolicyInput.print(refusals, invocation)
    return refusals.isEmpty ? .ok : .no
  }
}
