import GatehouseAdminWire
import GatehouseIdentity
import GatehousePolicy
import GatehousePolicyFile
import GatehouseWire

/// `gatehouse policy test`: offline, without a database.
enum PolicyTestCommand {
  private static let mutate = Flag(
    "mutate", .onOff, "delete and loosen every rule in turn, and name each change that no test notices")
  private static let all = Flag("all", .onOff, "list the tests that pass, too")

  static let command = Command(
    "policy", "test", summary: "Run the tests in policy files, each by name",
    notes: [
      "A test with each: is run once for every member. Each failed test has a line with the rule or setting that it fails for; the first five are shown in full, the rest is counted by what it fails for. JSON, NDJSON and CSV list every test.",
      "With --accept the failing tests expect what the policy now says: only values inside expect change, comments and layout stay, and the difference is printed in words. A test whose members disagree, or that would check nothing, is left alone.",
      "With --mutate the tests themselves are tested: rules, bounds, dates, fields, doors and administrators are loosened one at a time. What no test of a file sees, such as lifetimes and limits, is not changed and is named.",
    ],
    arguments: [PolicyInput.files], flags: [all, PolicyAccept.accept, PolicyAccept.allowWeaker, mutate],
    examples: [
      Example("gatehouse policy test policies/dd-ride.yaml", "which tests fail, and for which rule"),
      Example("gatehouse policy test --accept --dry-run policies/dd-ride.yaml", "what --accept would change, in words"),
      Example("gatehouse policy test --mutate policies/messai.yaml policies/vibes.yaml", "what no test would notice"),
    ],
    exits: [
      .no:
        "a test failed, or --accept left one alone; with --mutate also: a change that no test notices; or a file cannot be read as a policy",
      .notFound: "a file does not exist; the others are reported",
      .notAllowed: "with --accept: a test would allow what it refused, and --allow-weaker is missing",
      .conflict: "with --accept: the file was changed meanwhile", .unavailable: "a file cannot be written",
    ],
    mutating: true, prints: true, settings: .check, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    if invocation.has(mutate), invocation[ServerFlags.server] != nil {
      throw Failure(.usage, "--mutate runs here, without a server")
    }
    if try PolicyAccept.isAsked(invocation, besides: [mutate, all]) { return try PolicyAccept.run(invocation) }
    let (checks, unread) = try await PolicyInput.check(invocation)
    let exit = try report(checks, invocation)
    if let unread { throw unread }
    return exit
  }

  private static func report(_ checks: [PolicyCheck], _ invocation: Invocation) throws(Failure) -> Exit {
    let holds = checks.allSatisfy { $0.file != nil && $0.results.allSatisfy(\.passed) }
    if invocation.has(mutate), holds {
      return try mutants(checks.compactMap(\.file), try PolicyInput.facts(invocation), invocation)
    }
    let isTable = invocation.outputForm == .table
    let runs = checks.flatMap(PolicyTestRun.all)
    let shown = isTable && !invocation.has(all) ? runs.filter { !$0.passed } : runs
    if !isTable || !shown.isEmpty { try invocation.print(PolicyTestRun.table(shown)) }
    for check in checks { tell(check, invocation.terminal) }
    return holds ? .ok : .no
  }

  /// The changes that could be made by mistake without any test failing.
  private static func mutants(
    _ files: [PolicyFile], _ facts: some FactSource, _ invocation: Invocation
  ) throws(Failure) -> Exit {
    let columns = ["file", "line", "subject", "change"].map { Table.Column($0, $0) }
    var table = Table(kind: "policy.survivors", columns: columns, whenEmpty: "every change is noticed by a test")
    var notes: [String] = []
    for file in files {
      let results = PolicyTests.mutate(file, using: facts)
      let survivors = results.filter { $0.noticedBy == nil }.map(\.mutant)
      table.rows += survivors.map { [.text(file.name), .integer($0.line), .text($0.subject), .text($0.change)] }
      let name = Visible.line(file.name)
      notes.append("\(name): \(Words.count(results.count, "change")) tried, \(survivors.count) not noticed")
      notes += scope(MutationScope(file, results)).map { "\(name): \($0)" }
    }
    try invocation.print(table)
    for note in notes { invocation.terminal.note(note) }
    return table.rows.isEmpty ? .ok : .no
  }

  /// Which sections were changed, and which were not and why.
  private static func scope(_ scope: MutationScope) -> [String] {
    [
      ("changed", scope.changed, ""),
      ("not changed", scope.tight, ", in which nothing can be loosened"),
      ("not changed", scope.unseen, ", of which no test sees a change: policy diff judges them"),
    ].filter { !$0.1.isEmpty }.map { "\($0): \($1.joined(separator: ", "))\($2)" }
  }

  /// Why: the findings of the first failed tests and what the others fail for, or the findings of a file that is none.
  private static func tell(_ check: PolicyCheck, _ terminal: Terminal) {
    let failed = check.failedTests
    let findings = check.file == nil ? check.diagnostics : Array(failed.findings.prefix(FailedTests.inFull))
    let colours: Rendering.Colours = terminal.colour.error ? .ansi : .none
    let rendering = Rendering(name: check.document.name, lines: check.document.lines, colours: colours)
    for finding in findings { terminal.note(String(rendering.text(finding).dropLast())) }
    guard check.file != nil else { return }
    if let rest = failed.rest { terminal.note(Visible.line(rest)) }
    terminal.note("\(Visible.line(check.document.name)): \(counts(check))")
  }

  /// `31 passed, 39 failed`.
  private static func counts(_ check: PolicyCheck) -> String {
    guard !check.results.isEmpty else { return "no tests" }
    let passed = check.results.count { $0.passed }
    let failed = check.results.count - passed
    return "\(passed) passed" + (failed > 0 ? ", \(failed) failed" : "")
  }
}

/// One run of one test of a file, as a row.
struct PolicyTestRun {
  private let file: String
  private let result: TestResult
  /// Where the test stands; nil where that is not known.
  private let line: Int?
  private let cause: TestCause?

  var passed: Bool { result.passed }

  /// All runs of a file, in its order.
  static func all(_ check: PolicyCheck) -> [PolicyTestRun] {
    let lines = (check.file?.tests ?? []).flatMap { test in test.cases.map { _ in test.range.start.line } }
    // A server of another version may see other tests in the same text.
    let areKnown = lines.count == check.results.count
    var causes = check.failedTests.causes[...]
    return check.results.enumerated().map { index, result in
      let cause = result.diagnostic == nil ? nil : causes.popFirst() ?? nil
      return PolicyTestRun(
        file: check.document.name, result: result, line: areKnown ? lines[index] : nil, cause: cause)
    }
  }

  static func table(_ runs: [PolicyTestRun]) -> Table {
    let columns = [
      ("file", "file"), ("test", "test"), ("result", "result"), ("line", "line"), ("cause", "because of"),
      ("cause_line", "on line"),
    ]
    return Table(
      kind: "policy.tests", columns: columns.map { Table.Column($0, $1) },
      rows: runs.map { run in
        [
          .text(run.file), .text(run.result.name), .text(run.result.outcome.result.rawValue),
          run.line.map(Cell.integer) ?? .none, run.cause.map { .text($0.name) } ?? .none,
          run.cause.map { .integer($0.line) } ?? .none,
        ]
      }, whenEmpty: "no tests")
  }
}
