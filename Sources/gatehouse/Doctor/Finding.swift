/// One thing the doctor looked at.
struct Finding: Sendable, Equatable {
  enum State: String, Sendable { case good = "ok", warning, failure }

  /// The subject that was looked at: `database`.
  let subject: String
  let state: State
  let words: String
  /// The advice to an operator.
  var advice: String?

  static func good(_ subject: String, _ words: String) -> Finding {
    Finding(subject: subject, state: .good, words: words)
  }

  static func warning(_ subject: String, _ words: String, _ advice: String) -> Finding {
    Finding(subject: subject, state: .warning, words: words, advice: advice)
  }

  static func failure(_ subject: String, _ words: String, _ advice: String?) -> Finding {
    Finding(subject: subject, state: .failure, words: words, advice: advice)
  }

  /// A failure of a part, in its own words.
  static func failure(_ subject: String, _ failure: Failure) -> Finding {
    .failure(subject, failure.messages.joined(separator: " "), failure.hint)
  }

  static func table(_ findings: [Finding]) -> Table {
    Table(
      kind: "doctor",
      columns: [
        Table.Column("subject", "checked"), Table.Column("state", "state"), Table.Column("finding", "finding"),
        Table.Column("advice", "what to do"),
      ],
      rows: findings.map {
        [.text($0.subject), .text($0.state.rawValue), .text($0.words), $0.advice.map(Cell.text) ?? .none]
      })
  }
}
