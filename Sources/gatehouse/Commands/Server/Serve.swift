import GatehouseIdentity
import GatehouseOutbound
import GatehousePostgres
import GatehouseRuntime
import GatehouseServer
import Glibc

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
      "SIGHUP reads the configuration again: settings that only a start takes are named in the log, and the others count"
        + " at once. `gatehouse config example` says which is which. A configuration with a mistake changes nothing.",
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
    // SIGHUP ends a process that does not take it: it is taken before anything else.
    let (ended, hangUps) = (Signals.take(), Signals.takeHangUps())
    let (config, reader) = try Config.readSaying(invocation)
    let writer = LogWriter(descriptor: 2)
    defer { writer.close() }
    let log = Log(
      level: config.log.level, form: LogForm(config.log.format, invocation.terminal),
      marksPriority: Journal.reads(STDERR_FILENO, invocation.surroundings),
      write: writer.write)
    let assembly = try await Assembly.open(config, for: .server, invocation.terminal) { log.write($0) }
    do {
      let certificate = try config.tls.map { files throws(Failure) in try Certificate(files, log) }
      let service = ServiceManager(invocation.surroundings)
      let reload = Reload(
        config, reader, parts: ReloadPart.all(assembly.parts, certificate, log), files: assembly.parts.followed, log,
        service, hungUp: { hungUp(hangUps, invocation.terminal) }, tick: { certificate?.tick() },
        from: { () throws(Failure) in try Config.read(invocation) })
      let server = try RunningServer(config, assembly, certificate, reload, service, log)
      try await server.run(until: ended)
    } catch {
      await assembly.close()
      throw error
    }
    await assembly.close()
    log.write(.info, "server.stopped")
    return .ok
  }

  /// Whether the configuration is to be read again. A server whose terminal is gone ends in its place, as every program
  /// does that was started in one.
  private static func hungUp(_ hangUps: Int32, _ terminal: Terminal) -> Bool {
    guard Signals.hungUp(hangUps) else { return false }
    guard terminal.errorIsTerminal, tcgetpgrp(STDERR_FILENO) < 0 else { return true }
    kill(getpid(), SIGTERM)
    return false
  }
}
