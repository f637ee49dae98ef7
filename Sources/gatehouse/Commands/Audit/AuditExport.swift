import GatehouseIdentity
import GatehouseAdminWire
import GatehouseWire

/// `gatehouse audit export`.
enum AuditExport {
  private static let after = Flag(
    "after", .integer(0...1_000_000_000_000), "only rows after this number (default 0: all)")

  static let command = Command(
    "audit", "export", summary: "Copy a tenant's audit log with its hashes and signed head",
    notes: [
      "One JSON object a line: whose log it is and by which key its head is signed, then the rows with their hashes,"
        + " then the head, an ES256 JWS. The file alone is enough to check it: gatehouse audit verify --file.",
      "The copy is itself an event of the log.",
    ],
    arguments: [AuditVerb.tenant], flags: [AuditVerb.installation, after],
    examples: [
      Example("gatehouse audit export dd-ride > audit.ndjson", "all of it"),
      Example("gatehouse audit export dd-ride --after 12000 >> archive.ndjson", "what came since"),
      Example("gatehouse audit export dd-ride | gatehouse audit verify --file -", "and check it at once"),
    ],
    exits: [
      .no: "the log does not hold; see audit verify", .notFound: "no such tenant, or no row after that number",
      .conflict: "a user was erased meanwhile", .unavailable: "the database failed",
    ], settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let tenant = try AuditVerb.log(invocation)
    return try await OperatorCommand.backend(invocation) { backend in
      try await AuditCopy.write { cursor in
        try await backend.send(
          ExportAuditOperation.self, .init(tenant: tenant, after: invocation[after], cursor: cursor))
      } to: { line in
        try invocation.terminal.item(line)
      }
      return .ok
    }
  }
}
