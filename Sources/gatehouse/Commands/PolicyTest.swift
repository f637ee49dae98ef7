import GatehouseIdentity
import GatehousePolicy
import GatehousePolicyFile

/// `gatehouse policy test`: offline, without a database.
enum PolicyTestCommand {
  private static let mutate = Flag(
    "mutate", .onOff, "delete and loosen every rule in turn, and name each change that no test notices")

  static let command = Command(
    "policy", "test", summary: "Run the tests in policy files, each by name",
    notes: [
      "A test with each: is run once for every member. Findings about failed tests follow the table.",
      "With --mutate the tests themselves are tested: rules, bounds, dates, fields and doors are loosened one at a time.",
    ],
    arguments: [PolicyInput.files], flags: [mutate],
    examples: [
      Example("gatehouse policy test policies/dd-ride.yaml", "every test and what came of it"),
      Example("gatehouse policy test --mutate policies/messai.yaml policies/vibes.yaml", "what no test would notice"),
      Example("gatehouse policy test policies/vibes.yaml --output csv", "the results for a spreadsheet"),
    ],
    exits: [
      .no: "a test failed, with --mutate also: a change that no test notices; or a file cannot be read as a policy",
      .notFound: "a file does not exist; the others are reported",
    ],
    prints: true, settings: .check, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    if invocation.has(mutate), invocation[ServerFlags.server] != nil {
      throw Failure(.usage, "--mutate runs here, without a server")
    }
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
    let columns = ["file", "test", "result"].map { Table.Column($0, $0) }
    let rows = checks.flatMap { check in
      check.results.map { [Cell.text(check.document.name), .text($0.name), .text($0.outcome.word)] }
    }
    try invocation.print(Table(kind: "policy.tests", columns: columns, rows: rows, whenEmpty: "no tests"))
    for check in checks { tell(check, invocation.terminal) }
    return holds ? .ok : .no
  }

  /// What could be changed by mistake without any test failing.
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
      notes.append(
        "\(Visible.line(file.name)): \(Words.count(results.count, "change")) tried, \(survivors.count) not noticed")
    }
    try invocation.print(table)
    for note in notes { invocation.terminal.note(note) }
    return table.rows.isEmpty ? .ok : .no
  }

  /// Why: the findings of failed tests, or of a file that is none.
  private static func tell(_ check: PolicyCheck, _ terminal: Terminal) {
    let findings = check.file == nil ? check.diagnostics : check.results.compactMap(\.diagnostic)
    let colours: Rendering.Colours = terminal.colour.error ? .ansi : .none
    let rendering = Rendering(name: check.document.name, lines: check.document.lines, colours: colours)
    for finding in findings { terminal.note(String(rendering.text(finding).dropLast())) }
  }
}
