import GatehouseAdminWire
import GatehouseWire

/// `gatehouse key jwks`.
enum KeyJWKS {
  static let command = Command(
    "key", "jwks", summary: "Print a tenant's public keys, as its key set address answers them",
    arguments: [OperatorCommand.tenant],
    examples: [
      Example("gatehouse key jwks dd-ride", "read it"),
      Example("gatehouse key jwks dd-ride > jwks.json", "for a backend that can not fetch it"),
      Example("gatehouse key jwks dd-ride | jq '.keys[].kid'", "their ids"),
    ], exits: [.notFound: "no such tenant", .unavailable: "the database failed"], settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let tenant = try invocation.argument(OperatorCommand.tenant.name)
    return try await OperatorCommand.backend(invocation) { backend in
      try invocation.terminal.json(try await backend.send(ShowKeySetOperation.self, .init(tenant: tenant)).jwks + "\n")
      return .ok
    }
  }
}
