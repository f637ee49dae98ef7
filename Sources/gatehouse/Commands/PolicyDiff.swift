import GatehouseIdentity
import GatehousePolicyFile

/// `gatehouse policy diff`.
enum PolicyDiff {
  static let command = Command(
    "policy", "diff", summary: "Say what a file would change, and whether it is stricter or weaker",
    arguments: [OperatorCommand.tenant, Argument("FILE", "a policy file; - is standard input", completes: .file)],
    examples: [
      Example("gatehouse policy diff dd-ride policies/dd-ride.yaml", "against the live policy"),
      Example("gatehouse policy diff dd-ride policies/dd-ride.yaml --output json", "for a script"),
      Example("gatehouse policy diff messai policies/messai.yaml --data-dir /tmp/gatehouse", "of another server"),
    ],
    exits: [
      .no: "they differ in what they mean, or the file is wrong", .notFound: "no such tenant",
      .unavailable: "the database failed",
    ], prints: true, settings: .store, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let path = try invocation.argument("FILE")
    let text = String(decoding: try PolicyInput.bytes(path), as: UTF8.self)
    return try await OperatorCommand.run(invocation) { services, tenant, _ in
      guard let live = try await services.store.open(tenant.id).revisions(limit: 1).first else {
        throw OperatorError(.notFound, "\(tenant.name) has no policy")
      }
      let changes = try Policies.diff(text, file: path, against: live, of: tenant.name)
      let columns = [
        Table.Column("relation", "is"), Table.Column("subject", "what"), Table.Column("sentence", "how"),
      ]
      let rows = changes.map { [Cell.text($0.relation.rawValue), .text($0.subject), .text($0.sentence)] }
      try invocation.print(Table(kind: "policy.diff", columns: columns, rows: rows, whenEmpty: "they mean the same"))
      return changes.isEmpty ? .ok : .no
    }
  }
}
