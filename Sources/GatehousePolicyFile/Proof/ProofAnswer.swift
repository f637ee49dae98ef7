/// The answer to one statement.
package struct ProofAnswer: Sendable {
  package enum Verdict: Sendable {
    /// It holds for every request; the number of accounts and requests, each for a class, that were looked at.
    case proved(classes: Int)
    /// It does not hold.
    case refuted(Refutation)
    /// Neither is known, and why.
    case unknown(String)

    /// `proved`, `refuted`, `unknown`.
    package var word: String {
      switch self {
      case .proved: "proved"
      case .refuted: "refuted"
      case .unknown: "unknown"
      }
    }
  }

  package struct Refutation: Sendable {
    /// The shortest chain of requests, each in words.
    package let chain: [String]
    /// A test in the language of the file that fails, as a member of `tests`; nil where another revision is needed.
    package let test: String?
  }

  package let name: String
  package let range: SourceRange
  package let verdict: Verdict
  /// The addresses that exceptions lift rules for; the answer says nothing of them.
  package let leftOut: [String]

  /// The verdict in one sentence.
  package var sentence: String {
    switch verdict {
    case .proved(let classes): "proved: \(classes) classes looked at"
    case .refuted(let refutation): "refuted: " + refutation.chain.joined(separator: ", then ")
    case .unknown(let why): "unknown: \(why)"
    }
  }

  /// A finding of `policy check`; nil for what is proved.
  package var diagnostic: Diagnostic? {
    let exceptions =
      leftOut.isEmpty ? [] : [Diagnostic.Note("left out, by exceptions: \(leftOut.joined(separator: ", "))")]
    switch verdict {
    case .proved: return nil
    case .refuted(let refutation):
      let steps = refutation.chain.map { Diagnostic.Note("step: " + $0) }
      return Diagnostic(
        .statementRefuted, "statement \(quoted(name)) does not hold", at: range,
        notes: steps + (refutation.test.map { [.init("a test that fails: \($0)")] } ?? []) + exceptions)
    case .unknown(let why):
      return Diagnostic(
        .statementUndecided, "statement \(quoted(name)) is not decided: \(why)", at: range, notes: exceptions,
        severity: .warning)
    }
  }
}
