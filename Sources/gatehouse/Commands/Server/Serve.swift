import GatehouseIdentity
import GatehouseOutbound
import GatehousePostgres
import GatehouseRuntime
import GatehouseServer

/// `gatehouse serve`.
enum Serve {
  static let command = Command(
    "serve", summary: "Run the server",
    notes: [
      "Without database.url it runs a private PostgreSQL in its data directory.",
      "With --dev it listens on this machine alone; --dev-anywhere lets other machines reach it.",
      "With --dev a browser on this machine finds the apps at / and its mails at /dev/mail.",
      "The form of smtp_url is smtp[s]://[USER[:PASSWORD]@]HOST[:PORT][?OPTION=VALUE&…]."
        + " Options: starttls=required|opportunistic|none"
        + " (with smtp://; required), ca=FILE (authorities in PEM in place of the system's), password_file=FILE,"
        + " timeout=SECONDS (1 to 300; 30), hello=NAME (the name said in EHLO). A URL with a password is refused on the"
        + " command line: use GATEHOUSE_SMTP_URL, GATEHOUSE_SMTP_URL_FILE or smtp_url_file.",
      "SIGTERM and SIGINT let requests in flight finish, then end the process with 0.",
    ],
    examples: [
      Example("gatehouse serve --dev --watch policies", "try it out: plain HTTP, mail into files, tenants from files"),
      Example("gatehouse serve --config /etc/gatehouse/gatehouse.yaml", "as a service"),
      Example("gatehouse serve --dev --listen 127.0.0.1:8081 --data-dir /tmp/gatehouse", "beside another one"),
    ],
    exits: [
      .unavailable: "the database, an address or a file cannot be used", .notAllowed: "it has rights it must not have",
    ],
    settings: .all, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let config = try Config.loadSaying(invocation)
    let writer = LogWriter(descriptor: 2)
    defer { writer.close() }
    let log = Log(
      level: config.log.level, form: LogForm(config.log.format, invocation.terminal),
      write: writer.write)
    let ended = Signals.take()
    let assembly = try await Assembly.open(config, for: .server, invocation.terminal) { log.write($0) }
    do {
      let server = try RunningServer(config, assembly, log)
      try await server.run(until: ended)
    } catch {
      await assembly.close()
      throw error
    }
    await assembly.close()
    log.write(.info, "server.stopped")
    return .ok
  }
}
