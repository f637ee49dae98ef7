import GatehouseIdentity

/// `gatehouse floor remove`.
enum FloorRemove {
  private static let reason = Flag("reason", .text(), "why, for the history")

  static let command = Command(
    "floor", "remove", summary: "Let tenants' policies be bounded by nothing",
    notes: [
      "Earlier revisions stay in the history. Servers whose policy.floor names a file are not ready until that setting or"
        + " the file is gone."
    ],
    flags: [reason],
    examples: [
      Example("gatehouse floor remove", "asks first"),
      Example("gatehouse floor remove --dry-run", "only say what would happen"),
      Example("gatehouse floor remove --yes --reason \"one tenant is left\"", "without questions"),
    ],
    exits: [.conflict: "another floor was applied at the same moment", .unavailable: "the database failed"],
    mutating: true, prints: true, settings: .store, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    return try await OperatorCommand.run(invocation) { services in
      if services.floor.now.floor != nil {
        try invocation.confirm(["Nothing will bound the policies of tenants."], typing: "remove")
      }
      let outcome = try await Floors.apply(
        nil, author: try OperatorCommand.author(invocation, services, reason: invocation[reason]),
        isDryRun: invocation.isDryRun, services)
      try invocation.print(FloorOutcome.record("floor.remove", outcome, below: 0, invocation))
      return .ok
    }
  }
}
