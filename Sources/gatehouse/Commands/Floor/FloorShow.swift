import GatehouseIdentity

/// `gatehouse floor show`.
enum FloorShow {
  private static let revision = Flag("revision", .integer(1...1_000_000_000), "an older revision")

  static let command = Command(
    "floor", "show", summary: "Print the floor, exactly as it was applied",
    flags: [revision],
    examples: [
      Example("gatehouse floor show", "the one in force"),
      Example("gatehouse floor show > floor.yaml", "to edit it, and gatehouse floor apply floor.yaml"),
      Example("gatehouse floor show --revision 2", "an older one"),
    ],
    exits: [.notFound: "there is no floor, or no such revision", .unavailable: "the database failed"],
    settings: .store, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.run(invocation) { services in
      let wanted = invocation[revision]
      let found =
        if let wanted { try await services.floors.floor(wanted) } else { try await services.floors.newestFloor() }
      guard let found else {
        throw Failure(
          .notFound, wanted.map { "the floor has no revision \($0)" } ?? "there is no floor",
          hint: wanted == nil ? "gatehouse floor apply FILE" : "gatehouse floor history")
      }
      guard let text = found.text else {
        throw Failure(
          .notFound, "the floor was removed with revision \(found.number)", hint: "gatehouse floor history")
      }
      try invocation.terminal.data(text.hasSuffix("\n") ? text : text + "\n")
      return .ok
    }
  }
}
