import GatehouseIdentity
import GatehousePolicyFile

/// `gatehouse policy diff`.
enum PolicyDiff {
  private static let old = Argument(
    "OLD", "a tenant, for its live policy, or a policy file, as old/dd-ride.yaml", completes: .file)
  private static let new = Argument("FILE", "a policy file; - is standard input", completes: .file)

  static let command = Command(
    "policy", "diff", summary: "Say what a file would change, and whether it is stricter or weaker",
    notes: [
      "Each change is stricter (admits nothing new), weaker, neutral, or incomparable: some of both, or nobody can tell.",
      "OLD is a file where it holds a slash or a dot; then no database is asked.",
    ],
    arguments: [old, new],
    examples: [
      Example("gatehouse policy diff dd-ride policies/dd-ride.yaml", "against the live policy"),
      Example("gatehouse policy diff dd-ride policies/dd-ride.yaml --output json", "for a script"),
      Example("gatehouse policy diff old/dd-ride.yaml policies/dd-ride.yaml", "two files, in a review"),
    ],
    exits: [
      .no: "they differ in what they mean", .usage: "a file is wrong, or the command line is",
      .notFound: "no such tenant or file", .unavailable: "the database failed",
    ], prints: true, settings: .store, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let word = try invocation.argument(old.name)
    let path = try invocation.argument(new.name)
    // Before the database: a file that is wrong is said at once.
    let text = try PolicyInput.bytes(path)
    let changed = try read(text, path, invocation)
    guard !word.contains("/"), !word.contains(".") else {
      return try tell(PolicyFile.diff(try read(try PolicyInput.bytes(word), word, invocation), changed), invocation)
    }
    return try await OperatorCommand.run(invocation) { services in
      let tenant = try await Tenants.find(word, services)
      guard let live = try await services.store.open(tenant.id).revisions(limit: 1).first else {
        throw OperatorError(.notFound, "\(tenant.name) has no policy")
      }
      let name = "\(tenant.name) revision \(live.number)"
      return try tell(PolicyFile.diff(try read(Array(live.text.utf8), name, invocation), changed), invocation)
    }
  }

  /// As `diff` and `git diff`: 2 where nothing could be compared.
  private static func read(_ bytes: [UInt8], _ name: String, _ invocation: Invocation) throws(Failure) -> PolicyFile {
    switch PolicyFile.read(bytes, name: name) {
    case .success(let file): return file
    case .failure(let refusal):
      let colours: Rendering.Colours = invocation.terminal.colour.error ? .ansi : .none
      invocation.terminal.note(String(refusal.text(colours: colours).dropLast()))
      throw Failure(.usage, "\(Visible.line(name)) is no policy")
    }
  }

  private static func tell(_ changes: [PolicyChange], _ invocation: Invocation) throws(Failure) -> Exit {
    let columns = [
      Table.Column("relation", "is"), Table.Column("subject", "what"), Table.Column("sentence", "how"),
      Table.Column("old_line", ""), Table.Column("new_line", ""),
    ]
    let rows = changes.map { change -> [Cell] in
      [
        .text(change.relation.rawValue), .text(change.subject), .text(change.sentence),
        change.oldLine.map(Cell.integer) ?? .none, change.newLine.map(Cell.integer) ?? .none,
      ]
    }
    try invocation.print(Table(kind: "policy.diff", columns: columns, rows: rows, whenEmpty: "they mean the same"))
    return changes.isEmpty ? .ok : .no
  }
}
