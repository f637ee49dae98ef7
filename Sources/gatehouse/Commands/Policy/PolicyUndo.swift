import GatehouseAdminWire
import GatehouseWire

/// `gatehouse policy undo`.
enum PolicyUndo {
  static let command = Command(
    "policy", "undo", summary: "Put back what user set --background replaced",
    notes: [
      "Works while the revision of the policy is live that the order ran under, and for 30 days. A value that was"
        + " changed since stays.",
      "It answers at once; policy backfills tells how far it is. An order that still runs is stopped by it.",
    ],
    arguments: [
      OperatorCommand.tenant,
      Argument("ID", "the id that user set --background printed; without it the newest order", .optional),
    ],
    examples: [
      Example("gatehouse policy undo dd-ride", "the newest order"),
      Example("gatehouse policy undo dd-ride 0198c2f4-55aa-7cc1-8d13-0a2b8f3f1c11", "asks first"),
      Example("gatehouse policy undo dd-ride 0198c2f4-55aa-7cc1-8d13-0a2b8f3f1c11 --yes", "without questions"),
    ],
    exits: [
      .notFound: "no such tenant, or no such order", .notAllowed: "another revision is live, or it is undone",
      .unavailable: "the database failed",
    ], mutating: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let tenant = try invocation.argument(OperatorCommand.tenant.name)
    let id = invocation.arguments("ID").first
    return try await OperatorCommand.backend(invocation) { backend in
      let known = try await backend.send(ListBackfillsOperation.self, .init(tenant: tenant)).items.first {
        $0.renamedFrom == nil && $0.id == id ?? $0.id
      }
      if let known {
        let fields = known.fields.map(Visible.line).joined(separator: ", ")
        let line = "\(Words.count(known.moved, "user")) of \(tenant) get back what \(fields) was"
        guard !invocation.isDryRun else {
          invocation.terminal.note(line)
          return .ok
        }
        try invocation.confirm([line], typing: tenant)
      }
      let undone = try await backend.send(UndoBackfillOperation.self, .init(tenant: tenant, backfill: id))
      invocation.answer(["id": .text(undone.id), "state": .text(undone.state)])
      invocation.terminal.note("it is being undone; gatehouse policy backfills \(tenant) tells how far it is")
      return .ok
    }
  }
}
