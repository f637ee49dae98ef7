/// The reason for which the database refuses writes, although it may answer reads.
package struct WriteTrouble: Sendable, Equatable {
  /// The five characters of SQLSTATE.
  package let state: String
  /// The first two of them, which name the class (PostgreSQL, Appendix A).
  package var stateClass: String { String(state.prefix(2)) }

  /// The classes that a database in need of its operator answers with.
  package static let classes = ["25", "53", "57", "58"]

  private static let sentences = [
    "53100": "the database's disk is full",
    "53200": "the database's machine has no memory left",
    "53300": "the database has no connection left",
    "25006": "the database takes no writes: it is no primary",
    "57P01": "the database is being stopped",
    "57P02": "the database crashed and starts anew",
    "57P03": "the database is starting or stopping",
    "58030": "the database's disk gives errors",
  ]
  private static let classSentences = [
    "53": "the database lacks resources",
    "58": "the database's system gives errors",
  ]

  /// Nil for a state that says that a statement is wrong, was cancelled or is in the wrong place, and not the database.
  package init?(state: String) {
    let ofClass = Self.classSentences[String(state.prefix(2))] != nil && state.utf8.count == 5
    guard Self.sentences[state] != nil || ofClass else { return nil }
    self.state = state
  }

  /// Whether some writes may succeed meanwhile, as with a full disk; the others end with the first that does.
  package var isPartial: Bool { Self.classSentences[stateClass] != nil }

  /// The reason in words: `the database's disk is full (53100)`.
  package var sentence: String {
    "\(Self.sentences[state] ?? Self.classSentences[stateClass] ?? "the database refuses writes") (\(state))"
  }
}
