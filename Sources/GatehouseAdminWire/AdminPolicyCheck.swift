package import GatehouseWire

// What is wrong with a policy file, with line and column.

/// One finding about a policy file.
package struct PolicyFinding: Codable, Hashable, Sendable {
  /// From 1.
  package var line: Int
  /// From 1, in code points.
  package var column: Int
  /// `error` or `warning`.
  package var severity: String
  /// The finding's code, as `P0107`.
  package var code: String
  /// The fault, in words.
  package var message: String
  /// Other places that belong to it, and what to do.
  package var notes: [PolicyFindingNote]
  /// Where it ends.
  package var endLine: Int
  /// The column behind its last character.
  package var endColumn: Int

  package init(
    line: Int, column: Int, endLine: Int, endColumn: Int, severity: String, code: String, message: String,
    notes: [PolicyFindingNote]
  ) {
    self.line = line
    self.column = column
    self.endLine = endLine
    self.endColumn = endColumn
    self.severity = severity
    self.code = code
    self.message = message
    self.notes = notes
  }
}

/// A further word on a finding.
package struct PolicyFindingNote: Codable, Hashable, Sendable {
  /// The word.
  package var text: String
  /// Where it stands, if it is about a line.
  package var line: Int?

  package init(text: String, line: Int? = nil) { (self.text, self.line) = (text, line) }
}

/// The result of a test of a policy file.
package enum PolicyTestResult: String, Hashable, Sendable, CaseIterable {
  /// Every expectation holds.
  case passed
  /// An expectation does not hold.
  case failed
  /// The outcome changes at a day, and the test does not say which day it means.
  case dependsOnDate = "depends on the date"
}

/// The result of one test of a policy file.
package struct PolicyTestOutcome: Codable, Hashable, Sendable {
  /// The test's name, with the member of `each` where there is one.
  package var name: String
  /// The result of the test.
  package var result: OpenWord<PolicyTestResult>
  /// The finding of a test that did not pass.
  package var finding: PolicyFinding?

  package init(name: String, result: PolicyTestResult, finding: PolicyFinding? = nil) {
    (self.name, self.result, self.finding) = (name, OpenWord(result), finding)
  }
}

/// Reads a policy file, runs its tests and its lints, by the lists and the floor of this server.
package enum CheckPolicyOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .post, "/policy/check", .policyRead, "Check a policy file and run its tests", form: .text)

  package struct Input: Codable, Hashable, Sendable {
    /// The policy file's exact text.
    package var text: String
    /// The name of the file in messages.
    package var file: String?

    package init(text: String, file: String? = nil) { (self.text, self.file) = (text, file) }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// Whether the file may be applied: it has no errors.
    package var good: Bool
    /// In the order of the text.
    package var findings: [PolicyFinding]
    /// In the order of the file; none where the file is no policy.
    package var tests: [PolicyTestOutcome]
    /// The same for people, with lines and carets.
    package var report: String
    /// Notes about the live policy of the file's tenant, to be read before the next apply; absent where there are none.
    package var live: [String]?

    package init(
      good: Bool, findings: [PolicyFinding], tests: [PolicyTestOutcome], report: String, live: [String]? = nil
    ) {
      (self.good, self.findings, self.tests, self.report, self.live) = (good, findings, tests, report, live)
    }
  }
}
