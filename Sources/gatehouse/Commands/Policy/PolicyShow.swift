import GatehouseAdminWire
import GatehouseWire

/// `gatehouse policy show`.
enum PolicyShow {
  private static let revision = Flag(
    "revision", .integer(1...1_000_000_000), "an older revision instead of the live one")

  private static let isExact = Flag("exact", .onOff, "the text alone, without the line that names its revision")

  static let command = Command(
    "policy", "show", summary: "Print a tenant's policy, as it was applied",
    notes: [
      "The last line names the revision. policy apply takes a file with this line only while that revision is live, so that"
        + " no change of another operator is lost; the line itself is not applied."
    ],
    arguments: [OperatorCommand.tenant], flags: [revision, isExact],
    examples: [
      Example("gatehouse policy show dd-ride", "the live text"),
      Example(
        "gatehouse policy show dd-ride > dd-ride.yaml", "to edit it, and gatehouse policy apply dd-ride dd-ride.yaml"),
      Example("gatehouse policy show dd-ride --revision 2 --exact", "an older one, byte for byte"),
    ],
    exits: [.notFound: "no such tenant or revision", .unavailable: "the database failed"], settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.backend(invocation) { backend in
      let found = try await backend.send(
        ShowPolicyOperation.self,
        .init(tenant: try invocation.argument(OperatorCommand.tenant.name), revision: invocation[revision]))
      let text = found.text.hasSuffix("\n") ? found.text : found.text + "\n"
      let mark = RevisionMark(tenant: try invocation.argument(OperatorCommand.tenant.name), revision: found.revision)
      try invocation.terminal.data(invocation.has(isExact) ? text : text + mark.line + "\n")
      return .ok
    }
  }
}
