import GatehouseWire

/// `gatehouse key rotate`.
enum KeyRotate {
  static let command = Command(
    "key", "rotate", summary: "Move a tenant's signing keys one state on",
    notes: [
      "The next key signs, the signing key retires, a new next key is published, retired keys whose last token has expired go.",
      "The first rotation only publishes a next key. Rotate again once verifiers have fetched the key set (five minutes).",
    ],
    arguments: [OperatorCommand.tenant],
    examples: [
      Example("gatehouse key rotate dd-ride", "one state on"),
      Example("gatehouse key rotate dd-ride --dry-run", "show the keys as they are"),
      Example("gatehouse key rotate dd-ride --output json", "for a script"),
    ],
    exits: [
      .notFound: "no such tenant", .conflict: "somebody rotated at the same moment",
      .unavailable: "the database failed",
    ],
    mutating: true, prints: true, settings: .office, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.office(invocation) { office in
      let tenant = try invocation.argument(OperatorCommand.tenant.name)
      let keys =
        invocation.isDryRun
        ? try await office.send(ListKeysOperation.self, .init(tenant: tenant)).items
        : try await office.send(RotateKeysOperation.self, .init(tenant: tenant)).items
      try invocation.print(KeyList.table(keys))
      return .ok
    }
  }
}
