import GatehouseIdentity
import GatehousePolicyFile

/// `gatehouse floor apply`.
enum FloorApply {
  private static let file = Argument("FILE", "a floor file; left out: the configured one", .optional, completes: .file)
  private static let reason = Flag("reason", .text(), "why, for the history")

  static let command = Command(
    "floor", "apply", summary: "Put bounds in force that no tenant's policy may weaken",
    notes: [
      "The floor is kept in the database: every server and every command of the installation holds policies to it from"
        + " then on. It is set on a machine of the installation alone, by no token.",
      "Policies that are live already go on serving. Those below it are named, and an edit of one is refused only where"
        + " it is further below than the live revision.",
      "A server whose policy.floor is another file is not ready until it is applied. A database that never held a floor"
        + " takes it at the start of a server.",
    ],
    arguments: [file], flags: [reason],
    examples: [
      Example("gatehouse floor apply /etc/gatehouse/floor.yaml", "in force within a second, everywhere"),
      Example("gatehouse floor apply floor.yaml --dry-run", "which tenants would be below it?"),
      Example("gatehouse floor apply --reason \"audit of March\"", "the configured file"),
    ],
    exits: [
      .notFound: "the file does not exist", .conflict: "another floor was applied at the same moment",
      .unavailable: "the database failed",
    ], mutating: true, prints: true, settings: .store, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let config = try Config.load(invocation)
    guard let path = invocation.arguments(file.name).first ?? FloorFile.present(config) else {
      throw Failure(.usage, "FILE is missing, and policy.floor names none", hint: "gatehouse floor apply FILE")
    }
    let floor = try FloorFile.read(path)
    return try await OperatorCommand.run(invocation) { services in
      let below = try await Floors.below(floor, services)
      for tenant in below {
        invocation.terminal.note("tenant \(tenant.tenant) is below it: \(tenant.places.joined(separator: "; "))")
      }
      let outcome = try await Floors.apply(
        floor, author: try OperatorCommand.author(invocation, services, reason: invocation[reason]),
        isDryRun: invocation.isDryRun, services)
      try invocation.print(FloorOutcome.record("floor.apply", outcome, below: below.count, invocation))
      return .ok
    }
  }
}

/// The answer of the verbs that change the floor.
enum FloorOutcome {
  static func record(_ kind: String, _ outcome: Floors.Outcome, below: Int, _ invocation: Invocation) -> Record {
    let (word, revision) =
      switch outcome {
      case .unchanged(let revision): ("unchanged", revision)
      case .applied(let revision): (invocation.isDryRun ? "would be applied" : "applied", revision)
      }
    return Record(
      kind,
      [
        ("outcome", "floor", .text(word)), ("revision", "revision", .integer(revision)),
        ("tenants_below", "tenants below it", .integer(below)),
      ])
  }
}
