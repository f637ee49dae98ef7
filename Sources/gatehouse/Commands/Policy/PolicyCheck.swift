import GatehousePolicyFile

/// `gatehouse policy check`: offline, without a database.
enum PolicyCheckCommand {
  private static let strict = Flag("strict", .onOff, "lints count as errors")
  private enum Form: String, CaseIterable, Sendable {
    case human, json, sarif, github
  }

  private static let format = Flag(
    "format", Kind<Form>.word,
    "how to print the findings: with carets, as JSON, as SARIF 2.1.0, as GitHub annotations (default human)")

  static let command = Command(
    "policy", "check", summary: "Find everything that is wrong with policy files",
    notes: [
      "Reads the file, runs the tests in it and looks for settings that are allowed but probably wrong (lints).",
      "See gatehouse policy explain CODE for more about a finding.",
      "With --server it also names a live password door that only an earlier version's reading keeps open.",
    ],
    arguments: [PolicyInput.files], flags: [strict, format],
    examples: [
      Example("gatehouse policy check policies/dd-ride.yaml", "one file, each finding with its line and a caret"),
      Example("gatehouse policy check --strict policies/messai.yaml policies/vibes.yaml", "files before a release"),
      Example("gatehouse policy check policies/dd-ride.yaml --format sarif", "for code scanning; github: for a review"),
    ],
    exits: [
      .no: "a file is wrong, or a test in it failed; everything is printed",
      .notFound: "a file does not exist; the others are reported",
    ],
    prints: true, settings: .check, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    if invocation[format] != nil, invocation[CommonFlags.output] != nil {
      throw Failure(.usage, "--format and --output say the same thing; give one of them")
    }
    let (checks, unread) = try await PolicyInput.check(invocation)
    switch invocation[format] {
    case .json:
      let table = PolicyInput.table(checks)
      let items = Cell.list(table.rows.map(table.object))
      try invocation.terminal.document(kind: table.kind, key: "items", value: items)
    case .sarif: try invocation.terminal.json(SARIF.log(checks, version: Gatehouse.version))
    case .github: try invocation.terminal.data(Annotations.text(checks))
    case .human, nil: try PolicyInput.print(checks, invocation)
    }
    for check in checks { invocation.terminal.note(summary(check)) }
    if let unread { throw unread }
    return checks.allSatisfy { $0.isGood(strict: invocation.has(strict)) } ? .ok : .no
  }

  /// `policies/a.yaml: 31 tests passed, 2 lints`.
  private static func summary(_ check: PolicyCheck) -> String {
    let errors = check.diagnostics.count { $0.severity == .error }
    let lints = check.diagnostics.count - errors
    let passed = check.results.count { $0.passed }
    var parts = errors == 0 ? [] : [Words.count(errors, "error")]
    if check.file != nil { parts.append(Words.count(passed, "test") + " passed") }
    if lints > 0 { parts.append(Words.count(lints, "lint")) }
    return "\(Visible.line(check.document.name)): " + parts.joined(separator: ", ")
  }
}
