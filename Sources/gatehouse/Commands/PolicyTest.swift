import GatehousePolicyFile

/// `gatehouse policy test`: offline, without a database.
enum PolicyTestCommand {
  static let command = Command(
    "policy", "test", summary: "Run the tests in policy files, each by name",
    notes: ["A test with each: is run once for every member. Findings about failed tests follow the table."],
    arguments: [PolicyInput.files],
    examples: [
      Example("gatehouse policy test policies/dd-ride.yaml", "every test and what came of it"),
      Example("gatehouse policy test policies/messai.yaml policies/vibes.yaml", "the tests of several files"),
      Example("gatehouse policy test policies/vibes.yaml --output csv", "the results for a spreadsheet"),
    ],
    exits: [.no: "a test failed, or a file cannot be read as a policy", .notFound: "a file does not exist"],
    prints: true, settings: .lists, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let checks = try PolicyInput.check(invocation)
    let columns = ["file", "test", "result"].map { Table.Column($0, $0) }
    let rows = checks.flatMap { check in
      check.results.map { [Cell.text(check.document.name), .text($0.name), .text(outcome($0))] }
    }
    try invocation.print(Table(kind: "policy.tests", columns: columns, rows: rows, whenEmpty: "no tests"))
    let readable = checks.allSatisfy { $0.file != nil }
    for check in checks { tell(check, invocation.terminal) }
    return readable && checks.allSatisfy { $0.results.allSatisfy(\.passed) } ? .ok : .no
  }

  private static func outcome(_ result: TestResult) -> String {
    switch result.outcome {
    case .passed: "passed"
    case .failed: "failed"
    case .dependsOnDate: "depends on the date"
    }
  }

  /// Why: the findings of failed tests, or of a file that is none.
  private static func tell(_ check: PolicyCheck, _ terminal: Terminal) {
    let findings = check.file == nil ? check.diagnostics : check.results.compactMap(\.diagnostic)
    let colours: Rendering.Colours = terminal.colour.error ? .ansi : .none
    let rendering = Rendering(name: check.document.name, lines: check.document.lines, colours: colours)
    for finding in findings { terminal.note(String(rendering.text(finding).dropLast())) }
  }
}
