import GatehouseIdentity
import GatehousePolicy
import GatehousePolicyFile
import GatehouseAdminWire
import GatehouseWire

/// Findings of a server about a file that lies here: printed with the file's own lines, as if they had been found here.
enum RemoteFindings {
  static func check(_ answer: CheckPolicyOperation.Output, of bytes: [UInt8], _ name: String) throws(Failure)
    -> PolicyCheck
  {
    var results: [TestResult] = []
    for test in answer.tests {
      results.append(
        TestResult(name: test.name, outcome: outcome(test.result), diagnostic: try test.finding.map(diagnostic)))
    }
    var diagnostics: [Diagnostic] = []
    for finding in answer.findings { diagnostics.append(try diagnostic(finding)) }
    return PolicyCheck(bytes, name: name, results: results, diagnostics: diagnostics)
  }

  /// The day that an outcome depends on stands in its finding.
  private static func outcome(_ result: OpenWord<PolicyTestResult>) -> TestResult.Outcome {
    switch result.known {
    case .passed: .passed
    case .dependsOnDate: Day("1970-01-01").map(TestResult.Outcome.dependsOnDate) ?? .failed([])
    case .failed, nil: .failed([])
    }
  }

  private static func diagnostic(_ finding: PolicyFinding) throws(Failure) -> Diagnostic {
    guard let code = DiagnosticCode(rawValue: finding.code),
      let severity = Diagnostic.Severity(rawValue: finding.severity)
    else {
      throw Failure(
        .unavailable, "the server has findings that this version does not know: \(Visible.line(finding.code))",
        hint: "gatehouse version")
    }
    return Diagnostic(
      code, finding.message,
      at: SourceRange(
        Mark(line: finding.line, column: finding.column), Mark(line: finding.endLine, column: finding.endColumn)),
      notes: finding.notes.map { Diagnostic.Note($0.text, line: $0.line) }, severity: severity)
  }
}
