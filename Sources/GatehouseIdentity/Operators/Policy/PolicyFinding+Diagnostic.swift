// A policy file's findings and tests, as the contract has them.

package import GatehousePolicyFile
package import GatehouseAdminWire
import GatehouseWire

extension PolicyFinding {
  /// A finding as it travels.
  package init(_ finding: Diagnostic) {
    self.init(
      line: finding.range.start.line, column: finding.range.start.column, endLine: finding.range.end.line,
      endColumn: finding.range.end.column, severity: finding.severity.rawValue, code: finding.code.rawValue,
      message: finding.message, notes: finding.notes.map { PolicyFindingNote(text: $0.text, line: $0.line) })
  }
}

extension TestResult.Outcome {
  /// Its word in tables and answers.
  package var result: PolicyTestResult {
    switch self {
    case .passed: .passed
    case .failed: .failed
    case .dependsOnDate: .dependsOnDate
    }
  }
}
