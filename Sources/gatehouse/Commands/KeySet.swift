import GatehouseIdentity
import GatehousePrimitives
import GatehouseWire

/// `gatehouse key jwks`.
enum KeySet {
  static let command = Command(
    "key", "jwks", summary: "Print a tenant's public keys, as its key set address answers them",
    arguments: [OperatorCommand.tenant],
    examples: [
      Example("gatehouse key jwks dd-ride", "read it"),
      Example("gatehouse key jwks dd-ride > jwks.json", "for a backend that can not fetch it"),
      Example("gatehouse key jwks dd-ride | jq '.keys[].kid'", "their ids"),
    ], exits: [.notFound: "no such tenant", .unavailable: "the database failed"], settings: .store, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.run(invocation) { _, _, call in
      let set = try JSONEncoding.encode(["keys": call.tenant.keys.jwks])
      try invocation.terminal.data(String(decoding: set, as: UTF8.self) + "\n")
      return .ok
    }
  }
}
