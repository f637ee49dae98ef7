import GatehouseIdentity
import GatehousePostgres

/// `gatehouse db migrate`.
enum DatabaseMigrate {
  private static let plan = Flag("plan", .onOff, "print the SQL that would run, and run nothing")

  static let command = Command(
    "db", "migrate", summary: "Bring the database's schema up to this version",
    notes: [
      "It logs in as gatehouse_migrator (database.migrator_url) and is safe while servers run; many may start it at once.",
      "The private cluster is migrated by `serve` too. A database of your own first needs its roles: gatehouse db roles.",
    ],
    flags: [plan],
    examples: [
      Example("gatehouse db migrate --plan", "read the SQL first"),
      Example("gatehouse db migrate --config /etc/gatehouse/gatehouse.yaml", "before a new version serves"),
      Example("gatehouse db migrate --dry-run", "only the names"),
    ],
    exits: [
      .no: "the database does not fit this version",
      .unavailable: "the database failed; unfinished migrations are undone",
    ],
    mutating: true, settings: .store, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let config = try Config.load(invocation)
    let location = try await DatabaseLocation.open(config, for: .command)
    do {
      let exit = try await migrate(location, invocation)
      await location.close()
      return exit
    } catch {
      await location.close()
      throw failure(of: error)
    }
  }

  private static func migrate(_ location: DatabaseLocation, _ invocation: Invocation) async throws -> Exit {
    if invocation.has(plan) {
      let steps = try await location.migrator.plan()
      for step in steps { try invocation.terminal.data("-- \(step.number) \(step.name)\n\(step.sql)\n") }
      if steps.isEmpty { invocation.terminal.note("nothing is pending") }
      return .ok
    }
    let steps =
      invocation.isDryRun
      ? try await location.migrator.plan()
      : try await location.migrator.by(OperatorCommand.author(invocation).actor.text).migrate()
    for step in steps {
      let verb = invocation.isDryRun ? "would be applied" : "applied"
      invocation.terminal.note("migration \(step.number) (\(step.name)) \(verb)")
    }
    if steps.isEmpty { invocation.terminal.note("nothing is pending") }
    return .ok
  }

  private static func failure(of error: any Error) -> any Error {
    switch error {
    case is Failure: error
    case MigrationError.notMemberOfOwner:
      Failure(database: error, hint: "gatehouse db roles | psql --dbname DATABASE, as a superuser")
    case MigrationError.drifted, MigrationError.databaseIsNewer, MigrationError.outOfOrder:
      Failure(.no, "\(error)", hint: "gatehouse db status")
    default: Failure(database: error, hint: "gatehouse doctor")
    }
  }
}
