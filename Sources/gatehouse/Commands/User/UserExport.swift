import GatehouseIdentity
import GatehousePrimitives
import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user export`.
enum UserExport {
  static let command = Command(
    "user", "export", summary: "Print everything that is stored about a user, as JSON",
    notes: [
      "The shape is that of GET /v1/me/export, documented in /openapi.json. No password, token or code is in it, not even"
        + " hashed. The copy is an event of the audit log."
    ],
    arguments: [OperatorCommand.tenant, UserVerb.user],
    examples: [
      Example("gatehouse user export dd-ride willie@ksu.edu", "by address"),
      Example("gatehouse user export dd-ride willie@ksu.edu > willie.json", "into a file"),
      Example("gatehouse user export dd-ride 0190e5a2-5c1b-7e7c-8d3a-3a1f5b6c7d8e", "by id"),
    ], exits: UserVerb.exits, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let input = ExportUserOperation.Input(
      tenant: try invocation.argument(OperatorCommand.tenant.name), user: try invocation.argument("USER"))
    return try await OperatorCommand.backend(invocation) { backend in
      let export = try await backend.send(ExportUserOperation.self, input)
      try invocation.terminal.json(
        String(decoding: try JSONEncoding.encode(export, spelling: .contract), as: UTF8.self) + "\n")
      return .ok
    }
  }
}
