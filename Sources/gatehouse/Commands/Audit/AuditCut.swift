import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseAdminWire
import GatehouseWire
import Glibc

/// `gatehouse audit cut`.
enum AuditCutCommand {
  private static let before = Flag("before", .day, "only what was sealed before this day began (UTC)")
  private static let export = Flag("export", .file, "the file that the entries are copied to first")

  static let command = Command(
    "audit", "cut", summary: "Copy old entries of a tenant's audit log to a file, and delete them",
    notes: [
      "The file is written, forced to disk and checked first. Then a signed mark says in the log up to which number it"
        + " was cut, when, by which operator, and with which file (its SHA-256 digest). Only then the entries are deleted."
        + " The log is verified from the mark on; audit verify --against FILE joins both.",
      "It may be stopped at any moment and run again with the same flags. A file that is there already and holds is taken"
        + " as the copy. Without flags it goes on with a cut whose file was made and marked.",
      "Only entries older than the setting audit.retention can be cut, and none without that setting. The file holds what"
        + " the entries said of users, also of those who are deleted later: keep it as long as you may, away from the server.",
    ],
    arguments: [AuditVerb.tenant], flags: [AuditVerb.installation, before, export],
    examples: [
      Example(
        "gatehouse audit cut dd-ride --before 2026-01-01 --export dd-ride-2025.ndjson", "all of last year; asks first"),
      Example(
        "gatehouse audit cut dd-ride --before 2026-01-01 --export dd-ride-2025.ndjson --dry-run",
        "only make and check the copy"),
      Example("gatehouse audit cut dd-ride --yes", "go on with a cut that was interrupted"),
    ],
    exits: [
      .no: "the log or the file does not hold, or audit.retention keeps the entries",
      .notFound: "no such tenant, or no entry before that day", .conflict: "another cut goes as far already",
      .unavailable: "the database failed, or the file cannot be written",
    ], mutating: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let tenant = try AuditVerb.log(invocation)
    var input = CutAuditOperation.Input(tenant: tenant)
    return try await OperatorCommand.backend(invocation) { backend in
      switch (invocation[before].flatMap { Day($0) }, invocation[export]) {
      case (let day?, let path?):
        let part = try await copy(tenant, before: day, to: path, invocation, backend)
        let loss = [
          "entries \(part.after + 1) to \(part.seq) of the audit log of \(AuditVerb.shown(tenant)) will be deleted, for good.",
          "\(path) holds them: SHA-256 \(Hex.encode(part.digest)).",
        ]
        try invocation.confirm(loss, typing: tenant)
        if invocation.isDryRun {
          for line in loss { invocation.terminal.note(line) }
          return .ok
        }
        (input.extract, input.export) = (part.token, Hex.encode(part.digest))
      case (nil, nil):
        if invocation.isDryRun { return .ok }
      default:
        throw Failure(.usage, "--before and --export go together")
      }
      var deleted = 0
      var output: CutAuditOperation.Output
      repeat {
        output = try await backend.send(CutAuditOperation.self, input)
        deleted += output.deleted
      } while !output.done
      invocation.terminal.note(
        "the audit log of \(AuditVerb.shown(tenant)) is cut up to \(output.seq); \(deleted) entries were deleted")
      return .ok
    }
  }

  /// The copy as a file that holds: the one that is there, or a new one.
  private static func copy(
    _ tenant: String, before day: Day, to path: String, _ invocation: Invocation, _ backend: OperatorBackend
  ) async throws -> AuditPart {
    let moment = GatehouseWire.Timestamp(seconds: day.startSeconds)
    if access(path, F_OK) != 0 {
      let file = try WholeFile(path)
      try await AuditCopy.write { cursor in
        try await backend.send(ExportAuditOperation.self, .init(tenant: tenant, before: moment, cursor: cursor))
      } to: { line in
        try file.write(line + "\n")
      }
      try file.finish()
    }
    // What is on the disk counts, not what was sent there.
    var join = AuditJoin()
    let verdict = try AuditFiles.check(path, &join)
    guard verdict.finding == nil, join.parts.count == 1, let part = join.parts.first, part.tenantName == tenant,
      part.extract?.before == moment.seconds
    else {
      throw Failure(
        .no,
        "\(Quoted(path)) is not a whole copy of the entries of \(AuditVerb.shown(tenant)) before \(day)"
          + (verdict.finding.map { ": \($0.why)" } ?? ""),
        hint: "name a file that is not there yet")
    }
    return part
  }
}
