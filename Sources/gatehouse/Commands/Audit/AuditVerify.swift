import GatehouseIdentity
import GatehousePrimitives
import GatehouseAdminWire
import GatehouseWire

/// `gatehouse audit verify`.
enum AuditVerify {
  private static let file = Flag("file", .file, "check this export instead, without any database; - is standard input")
  private static let against = Flag(
    "against", .file, "an earlier export that the log must go on from; several in their order", repeats: true)
  private static let key = Flag(
    "key", .text("THUMBPRINT", "a key's thumbprint, as audit verify prints it"),
    "the only key that may have signed the export")

  static let command = Command(
    "audit", "verify", summary: "Check that a tenant's audit log is unchanged",
    notes: [
      "Every row is hashed together with the one before it, and the last hash is signed by a key that the database alone"
        + " does not give away. The first row that was edited, deleted, put in or moved is named by its number and id.",
      "A row that names a time more than ten minutes before rows that were sealed earlier counts as put in; a wrong"
        + " clock looks the same.",
      "A restore that gatehouse db restored recorded is shown as a gap, and is no fault.",
      "A log that was cut by audit cut is checked from the signed mark on, which an entry of the log must record. With"
        + " the exports given to --against, all of it is checked as one chain, and each file must be the one that its cut"
        + " names.",
      "A log that was cut off together with its head looks complete: keep exports elsewhere, and give the last"
        + " one to --against.",
    ],
    arguments: [AuditVerb.tenant], flags: [AuditVerb.installation, file, against, key],
    examples: [
      Example("gatehouse audit verify dd-ride", "the whole log, in the database"),
      Example("gatehouse audit verify dd-ride --against audit.ndjson", "and check that it continues an export"),
      Example("gatehouse audit verify --file audit.ndjson", "an export, on any machine"),
    ],
    exits: [
      .no: "the log or export was changed", .notFound: "no such tenant or file", .unavailable: "the database failed",
    ],
    prints: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    if let path = invocation[file] {
      guard invocation.arguments("TENANT").isEmpty, !invocation.has(AuditVerb.installation),
        invocation.all(against).isEmpty
      else {
        throw Failure(.usage, "--file is checked by itself: leave out the tenant and --against")
      }
      var join = AuditJoin()
      return try tell(AuditVerification(try AuditFiles.check(path, key: invocation[key], &join)), invocation)
    }
    guard !invocation.arguments("TENANT").isEmpty || invocation.has(AuditVerb.installation) else {
      throw Failure(.usage, "nothing to verify: give a TENANT, --installation, or an export by --file")
    }
    let name = try AuditVerb.log(invocation)
    guard invocation[key] == nil else { throw Failure(.usage, "--key is for --file: the tenant's own key is known") }
    var joined = AuditJoin()
    for path in invocation.all(against) {
      let verdict = try AuditFiles.check(path, &joined)
      guard verdict.finding == nil else { return try tell(AuditVerification(verdict), invocation) }
    }
    let join = joined
    return try await OperatorCommand.backend(invocation) { backend in
      var verdict = try await backend.send(VerifyAuditOperation.self, .init(tenant: name, known: join.known))
      if verdict.finding == nil {
        let finding = join.finding(
          beforeLogBehind: Int64(verdict.cut?.seq ?? 0), export: verdict.cut.flatMap { Hex.decode($0.export) })
        verdict.add(finding)
      }
      return try tell(verdict, invocation)
    }
  }

  private static func tell(_ verdict: AuditVerification, _ invocation: Invocation) throws -> Exit {
    var fields: [(key: String, title: String, value: Cell)] = [
      ("tenant", "tenant", .text(verdict.tenant)), ("holds", "holds", .boolean(verdict.finding == nil)),
      ("sealed", "sealed", .integer(verdict.sealed)),
      ("waiting", "waiting", verdict.waiting.map(Cell.integer) ?? .none),
      ("signed_at", "signed", verdict.signedAt.map(UserVerb.time) ?? .none),
      ("key", "key", verdict.key.map(Cell.text) ?? .none),
    ]
    if let gaps = verdict.gaps {
      fields.append(
        ("gaps", "gaps", .list(gaps.map { .text("number \($0.seq): nothing is known from \($0.from) to \($0.until)") }))
      )
    }
    if let cut = verdict.cut {
      fields += [
        ("cut", "cut up to", .integer(cut.seq)), ("cut_at", "cut", UserVerb.time(cut.at)),
        ("cut_by", "by", .text(cut.actor)), ("export", "export", .text(cut.export)),
      ]
    }
    if let finding = verdict.finding {
      fields += [
        ("finding", "finding", .text(finding)), ("seq", "number", verdict.seq.map(Cell.integer) ?? .none),
        ("id", "row", verdict.row.map(Cell.text) ?? .none), ("why", "why", verdict.why.map(Cell.text) ?? .none),
      ]
    }
    try invocation.print(Record("audit.verification", fields))
    return verdict.finding == nil ? .ok : .no
  }
}
