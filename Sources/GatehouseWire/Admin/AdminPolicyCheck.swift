// What is wrong with a policy file, with line and column.

/// One finding about a policy file.
public struct PolicyFinding: Codable, Hashable, Sendable {
  /// From 1.
  public var line: Int
  /// From 1, in code points.
  public var column: Int
  /// Where it ends.
  public var endLine: Int
  /// The column behind its last character.
  public var endColumn: Int
  /// `error` or `warning`.
  public var severity: String
  /// The finding's code, as `P0107`.
  public var code: String
  /// What is wrong.
  public var message: String
  /// Other places that belong to it, and what to do.
  public var notes: [PolicyFindingNote]

  /// The whole of it.
  public init(
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

  enum CodingKeys: String, CodingKey {
    case line, column, severity, code, message, notes
    case endLine = "end_line"
    case endColumn = "end_column"
  }
}

/// A further word on a finding.
public struct PolicyFindingNote: Codable, Hashable, Sendable {
  /// The word.
  public var text: String
  /// Where it stands, if it is about a line.
  public var line: Int?

  /// The whole of it.
  public init(text: String, line: Int? = nil) {
    self.text = text
    self.line = line
  }
}

/// What came of one test of a policy file.
public struct PolicyTestOutcome: Codable, Hashable, Sendable {
  /// The test's name, with the member of `each` where there is one.
  public var name: String
  /// `passed`, `failed` or `depends on the date`.
  public var result: String
  /// Why, for one that did not pass.
  public var finding: PolicyFinding?

  /// The whole of it.
  public init(name: String, result: String, finding: PolicyFinding? = nil) {
    self.name = name
    self.result = result
    self.finding = finding
  }
}

/// Reads a policy file, runs its tests and its lints, by the lists and the floor of this server.
public enum CheckPolicyOperation: AdminOperation {
  /// POST.
  public static let method = Method.post
  /// Where it lives.
  public static let path = "/policy/check"
  /// What a token must allow.
  public static let scope = AdminScope.policyRead
  /// How body and revision travel.
  public static let form = AdminForm.text
  /// What it does.
  public static let summary = "Check a policy file and run its tests"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The policy file's exact text.
    public var text: String
    /// What messages call the file.
    public var file: String?

    /// The whole of it.
    public init(text: String, file: String? = nil) {
      self.text = text
      self.file = file
    }
  }

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// Whether it may be applied: it has no errors.
    public var good: Bool
    /// In the order of the text.
    public var findings: [PolicyFinding]
    /// In the order of the file; none where the file is no policy.
    public var tests: [PolicyTestOutcome]
    /// The same for people, with lines and carets.
    public var report: String
    /// What the live policy of the file's tenant shows before the next apply; absent where there is nothing.
    public var live: [String]?

    /// The whole of it.
    public init(
      good: Bool, findings: [PolicyFinding], tests: [PolicyTestOutcome], report: String, live: [String]? = nil
    ) {
      self.good = good
      self.findings = findings
      self.tests = tests
      self.report = report
      self.live = live
    }
  }
}
