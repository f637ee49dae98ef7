import GatehousePostgres

/// `gatehouse db roles`.
enum DatabaseRoles {
  private static let database = Flag("name", .text("DATABASE", "a database's name"), "its name (default gatehouse)")

  static let command = Command(
    "db", "roles", summary: "Print the SQL that makes the roles of a database of your own",
    notes: [
      "Run it once as a superuser, in that database; running it again changes nothing. It sets no passwords: give each"
        + " role that logs in (gatehouse_app, gatehouse_jobs, gatehouse_migrator) one of its own, or a certificate."
    ],
    flags: [database],
    examples: [
      Example("gatehouse db roles | psql --dbname gatehouse", "make them"),
      Example("gatehouse db roles --name auth | psql --dbname auth", "in a database of another name"),
      Example("gatehouse db roles", "only read it"),
    ], run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try invocation.terminal.data(Roles.script(database: invocation[database] ?? "gatehouse") + "\n")
    return .ok
  }
}
