import GatehousePostgres

/// `gatehouse db roles`.
enum DatabaseRoles {
  private static let database = Flag("name", .text("DATABASE", "a database's name"), "its name (default gatehouse)")

  private static let backup = Flag("backup", .onOff, "the role that makes dumps instead: gatehouse_backup")

  static let command = Command(
    "db", "roles", summary: "Print the SQL that makes the roles of a database of your own",
    notes: [
      "Run it once as a superuser, in that database; running it again changes nothing. It sets no passwords: give each"
        + " role that logs in (gatehouse_app, gatehouse_jobs, gatehouse_migrator) one of its own, or a certificate.",
      "With --backup it makes only gatehouse_backup, for pg_dump: it reads everything, row-level security does not bind it,"
        + " and it writes nothing but the note that a dump is done. Before migrations or behind them is the same.",
    ],
    flags: [database, backup],
    examples: [
      Example("gatehouse db roles | psql --dbname gatehouse", "make them"),
      Example("gatehouse db roles --name auth | psql --dbname auth", "in a database of another name"),
      Example("gatehouse db roles --backup | psql --dbname gatehouse", "and the one that makes dumps"),
    ], run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let name = invocation[database] ?? "gatehouse"
    let isBackup = invocation.has(backup)
    try invocation.terminal.data((isBackup ? Roles.backupScript(database: name) : Roles.script(database: name)) + "\n")
    return .ok
  }
}
