import Foundation
import GatehousePolicy
import GatehousePolicyFile
import GatehouseAdminWire
import GatehouseWire

/// `gatehouse policy prove`: offline, unless a statement is compared with a revision.
enum PolicyProve {
  private static let statement = Flag(
    "statement", .text("NAME", "the name of a statement"), "only this statement", repeats: true)
  private static let against = Flag(
    "against", .text("live|REVISION|FILE", "live, a number of policy history, or a policy file"),
    "what not_weaker_than compares with: the live policy, a revision, or a file with a slash or a dot in its name")
  private enum Form: String, CaseIterable, Sendable {
    case human, json, sarif, github
  }
  private static let format = Flag(
    "format", Kind<Form>.word,
    "how to print the answers: as text, as JSON, as SARIF 2.1.0, as GitHub annotations (default human)")

  static let command = Command(
    "policy", "prove", summary: "Prove or refute what policy files say holds always",
    notes: [
      "Judges an example of each class of requests, on every day at which the policy changes. A statement is proved,"
        + " refuted by the shortest chain of requests and a test that fails, or unknown.",
      "Statements stand in the section always of a file. Without --against no database is asked.",
    ],
    arguments: [PolicyInput.files], flags: [against, statement, format],
    examples: [
      Example("gatehouse policy prove policies/dd-ride.yaml", "every statement of one file"),
      Example("gatehouse policy prove policies/vibes.yaml --against old/vibes.yaml", "an edit, against what was"),
      Example("gatehouse policy prove policies/dd-ride.yaml --format sarif", "for code scanning; github: for a review"),
    ],
    exits: [
      .no: "a statement is refuted, or a file is wrong", .usage: "a statement is unknown, or the command line is wrong",
      .notFound: "a file, a tenant or a revision does not exist", .unavailable: "the database failed",
    ], prints: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    if invocation[format] != nil, invocation[CommonFlags.output] != nil {
      throw Failure(.usage, "--format and --output say the same thing; give one of them")
    }
    let facts = try PolicyInput.facts(invocation)
    var inputs: [(path: String, bytes: [UInt8])] = []
    let unread = try PolicyInput.each(invocation) { path, bytes throws(Failure) in inputs.append((path, bytes)) }
    var checks: [PolicyCheck] = []
    for (path, bytes) in inputs {
      let other = try await baseline(for: bytes, invocation)
      checks.append(
        PolicyCheck.prove(
          bytes, name: path, using: facts, only: invocation.all(statement), now: Date(), baseline: { _ in other }))
    }
    if !invocation.all(statement).isEmpty, checks.allSatisfy({ $0.file != nil && $0.answers.isEmpty }) {
      throw Failure(.notFound, "no file has a statement of this name")
    }
    try print(checks, invocation)
    if let unread { throw unread }
    let words = checks.flatMap(\.answers).map(\.verdict.word)
    if checks.contains(where: { $0.file == nil }) || words.contains("refuted") { return .no }
    return words.contains("unknown") ? .usage : .ok
  }

  /// The policy of `--against`; nil without it.
  private static func baseline(for bytes: [UInt8], _ invocation: Invocation) async throws -> PolicyFile? {
    guard let word = invocation[against] else { return nil }
    if word.contains("/") || word.contains(".") {
      return try stored(Array(try PolicyInput.bytes(word)), as: word)
    }
    guard word == "live" || Int(word).map({ $0 > 0 }) == true else {
      throw Failure(.usage, "--against is live, a revision number, or a file with a slash or a dot in its name")
    }
    guard case .success(let file) = PolicyFile.read(bytes, name: "the file") else { return nil }
    var text = ""
    _ = try await OperatorCommand.backend(invocation) { backend in
      text = try await backend.send(
        ShowPolicyOperation.self, .init(tenant: file.policy.tenant, revision: Int(word))
      ).text
      return .ok
    }
    return try stored(Array(text.utf8), as: word)
  }

  private static func stored(_ bytes: [UInt8], as name: String) throws(Failure) -> PolicyFile {
    switch PolicyFile.read(bytes, name: name, as: .stored(.current)) {
    case .success(let file): return file
    case .failure(let refusal): throw Failure(.usage, String(refusal.text().dropLast()))
    }
  }

  private static func print(_ checks: [PolicyCheck], _ invocation: Invocation) throws(Failure) {
    switch invocation[format] {
    case .sarif: return try invocation.terminal.json(SARIF.log(checks, version: Gatehouse.version))
    case .github: return try invocation.terminal.data(Annotations.text(checks))
    case .json:
      let table = table(checks)
      let items = Cell.list(table.rows.map(table.object))
      return try invocation.terminal.document(kind: table.kind, key: "items", value: items)
    case .human, nil:
      guard invocation.outputForm == .table else { return try invocation.print(table(checks)) }
    }
    for check in checks {
      if check.file == nil { try PolicyInput.print([check], invocation) }
      for answer in check.answers { try invocation.terminal.data(text(answer, of: check)) }
      if check.file != nil, check.answers.isEmpty {
        invocation.terminal.note("\(Visible.line(check.document.name)) has no statements under always")
      }
    }
  }

  /// One statement, its answer, and where it is refuted the chain and the test.
  private static func text(_ answer: ProofAnswer, of check: PolicyCheck) -> String {
    let head = "\(Visible.line(check.document.name)):\(answer.range.start.line): \(Quoted(answer.name))"
    var lines: [String]
    switch answer.verdict {
    case .proved, .unknown: lines = ["\(head) \(Visible.line(answer.sentence))"]
    case .refuted(let refutation):
      lines = ["\(head) refuted"] + refutation.chain.enumerated().map { "  # \($0 + 1). \(Visible.line($1))" }
      if let test = refutation.test { lines.append("  " + Visible.line(test)) }
    }
    if !answer.leftOut.isEmpty {
      lines.append("  left out, by exceptions: \(Visible.line(answer.leftOut.joined(separator: ", ")))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func table(_ checks: [PolicyCheck]) -> Table {
    let columns = ["file", "line", "statement", "result", "classes", "why", "test", "left_out"]
    let rows = checks.flatMap { check in
      check.answers.map { answer -> [Cell] in
        var classes = Cell.none
        var test = Cell.none
        if case .proved(let count) = answer.verdict { classes = .integer(count) }
        if case .refuted(let refutation) = answer.verdict, let text = refutation.test { test = .text(text) }
        return [
          .text(check.document.name), .integer(answer.range.start.line), .text(answer.name),
          .text(answer.verdict.word), classes, .text(answer.sentence), test, .list(answer.leftOut.map(Cell.text)),
        ]
      }
    }
    return Table(kind: "policy.proofs", columns: columns.map { Table.Column($0, $0) }, rows: rows)
  }
}
