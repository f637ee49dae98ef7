import GatehouseIdentity
import GatehouseAdminWire
import GatehouseWire

/// `gatehouse key rotate`.
enum KeyRotate {
  static let command = Command(
    "key", "rotate", summary: "Move a tenant's signing keys one state on",
    notes: [
      "The oldest next key signs once it has been published for \(Keys.leadSeconds) seconds: by then every verifier has fetched it. The key that signed retires, a new next key is published, retired keys whose last token has expired go.",
      "It can run at any time: a key that is not due yet waits for the next run.",
    ],
    arguments: [OperatorCommand.tenant], flags: [now],
    examples: [
      Example("gatehouse key rotate dd-ride", "one state on, for the keys that are due"),
      Example("gatehouse key rotate dd-ride --now", "at once, though verifiers may refuse tokens for five minutes"),
      Example("gatehouse key rotate dd-ride --output json", "for a script"),
    ],
    exits: [
      .notFound: "no such tenant", .conflict: "the keys were rotated at the same moment",
      .unavailable: "the database failed",
    ],
    mutating: true, prints: true, settings: .backend, run: run)

  private static let now = Flag(
    "now", .onOff, "let the next key sign at once, though verifiers may not have fetched it")

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.backend(invocation) { backend in
      let tenant = try invocation.argument(OperatorCommand.tenant.name)
      let keys =
        invocation.isDryRun
        ? try await backend.send(ListKeysOperation.self, .init(tenant: tenant)).items
        : try await backend.send(
          RotateKeysOperation.self, .init(tenant: tenant, now: invocation.has(now))
        ).items
      try invocation.print(KeyList.table(keys))
      return .ok
    }
  }
}
