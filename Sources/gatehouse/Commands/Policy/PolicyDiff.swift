import Foundation
import GatehousePolicy
import GatehousePolicyFile
import GatehouseAdminWire
import GatehouseWire

/// `gatehouse policy diff`.
enum PolicyDiff {
  private static let old = Argument(
    "OLD", "a tenant, for its live policy, or a policy file, such as old/dd-ride.yaml", completes: .file)
  private static let new = Argument(
    "FILE", "a policy file; - is standard input. With --revision a revision's number, or nothing for the live policy",
    .optional, completes: .file)
  private static let revision = Flag(
    "revision", .integer(1...1_000_000_000), "compare with this revision of the tenant's policy, not with the live one")

  static let command = Command(
    "policy", "diff", summary: "Say what a file would change, and whether it is stricter or weaker",
    notes: [
      "Each change is stricter (admits nothing new), weaker, neutral, or incomparable: some of both, or not decidable."
        + " A weaker one has an example, and an edit that means the same for every request says so.",
      "The mark trust stands at a change to the trust of the tenant, in any direction: mailed links, apps, origins,"
        + " providers. A token needs the scope trust:write to apply it.",
      "With --revision and without FILE the revision is compared with the live policy.",
      "OLD is a file where it holds a slash or a dot; then no database is asked.",
      "A file that check refuses is compared too, where a policy can be made of it; notes name its faults.",
    ],
    arguments: [old, new], flags: [revision],
    examples: [
      Example("gatehouse policy diff dd-ride policies/dd-ride.yaml", "against the live policy"),
      Example("gatehouse policy diff dd-ride --revision 18 20", "two revisions"),
      Example("gatehouse policy diff old/dd-ride.yaml policies/dd-ride.yaml", "two files, in a review"),
    ],
    exits: [
      .no: "they differ in what they mean", .usage: "a file is wrong, or the command line is",
      .notFound: "no such tenant or file", .unavailable: "the database failed",
    ], prints: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let word = try invocation.argument(old.name)
    let isFile = word.contains("/") || word.contains(".")
    let path = invocation.arguments(new.name).first
    if let from = invocation[revision] {
      if isFile { throw Failure(.usage, "--revision is of a tenant's policy: OLD must be a tenant") }
      // A file of such a name is ./20.
      if path.map(isNumber) ?? true {
        return try await revisions(word, from, path, invocation)
      }
    }
    guard let path else {
      throw Failure(.usage, "FILE is missing", hint: "gatehouse policy diff --help")
    }
    let text = try PolicyInput.bytes(path)
    guard !isFile else {
      let before = try PolicyInput.bytes(word)
      let questions = PolicyQuestions(invocation)
      guard let new = questions.ask(text, path) else { throw noPolicy(path) }
      guard let old = questions.ask(before, word) else { throw noPolicy(word) }
      let changes = PolicyFile.diff(old, new, now: Date())
      return try tell(
        changes.map { change in
          PolicyDifference(
            relation: change.relation.rawValue, subject: change.subject, sentence: change.told,
            oldLine: change.oldLine, newLine: change.newLine,
            trust: change.isTrust ? true : nil)
        }, invocation)
    }
    return try await live(word, text, path, invocation)
  }

  private static func isNumber(_ text: String) -> Bool { text.utf8.allSatisfy { (0x30...0x39).contains($0) } }

  /// Two revisions of a tenant's policy.
  private static func revisions(_ tenant: String, _ from: Int, _ to: String?, _ invocation: Invocation) async throws
    -> Exit
  {
    let number = to.flatMap(revision.kind.parse)
    if let to, number == nil { throw Failure(.usage, "\(Quoted(to)) is not \(revision.kind.expects)") }
    return try await usage {
      try await OperatorCommand.backend(invocation) { backend in
        let found = try await backend.send(DiffRevisionsOperation.self, .init(tenant: tenant, from: from, to: number))
        return try tell(found.items, invocation)
      }
    }
  }

  /// Against the live policy of a tenant, or a revision of it.
  private static func live(_ tenant: String, _ bytes: [UInt8], _ path: String, _ invocation: Invocation) async throws
    -> Exit
  {
    let text: String
    switch PolicyFile.text(of: bytes, name: path) {
    case .success(let read): text = read
    case .failure(let refusal):
      PolicyQuestions.tell(refusal, invocation.terminal)
      throw noPolicy(path)
    }
    return try await usage {
      try await OperatorCommand.backend(invocation) { backend in
        let found = try await backend.send(
          DiffPolicyOperation.self, .init(tenant: tenant, text: text, file: path, revision: invocation[revision]))
        PolicyQuestions.tell(found.notes ?? [], invocation.terminal)
        return try tell(found.items, invocation)
      }
    }
  }

  /// A refusal as exit 2: 1 would say that they differ.
  private static func usage(_ body: () async throws -> Exit) async throws -> Exit {
    do {
      return try await body()
    } catch let failure as Failure where failure.exit == .no {
      throw Failure(.usage, failure.messages, hint: failure.hint)
    }
  }

  /// As `diff` and `git diff`: 2 where nothing could be compared.
  private static func noPolicy(_ name: String) -> Failure { Failure(.usage, "\(Visible.line(name)) is not a policy") }

  private static func tell(_ changes: [PolicyDifference], _ invocation: Invocation) throws(Failure) -> Exit {
    let columns = [
      Table.Column("relation", "is"), Table.Column("trust", changes.contains { $0.trust == true } ? "trust" : ""),
      Table.Column("subject", "what"),
      Table.Column("sentence", "how"),
      Table.Column("old_line", ""), Table.Column("new_line", ""),
    ]
    let rows = changes.map { change -> [Cell] in
      [
        .text(change.relation), .boolean(change.trust == true), .text(change.subject),
        .text(change.sentence),
        change.oldLine.map(Cell.integer) ?? .none, change.newLine.map(Cell.integer) ?? .none,
      ]
    }
    try invocation.print(Table(kind: "policy.diff", columns: columns, rows: rows, whenEmpty: "they mean the same"))
    return changes.isEmpty ? .ok : .no
  }
}
