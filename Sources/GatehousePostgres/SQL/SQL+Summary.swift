extension SQL {
  private static let mostBytes = 240
  private static let verbs: Set<Substring> = ["SELECT", "INSERT", "UPDATE", "DELETE"]

  /// Verbs and tables of statements, as `db.query.summary` of a trace has them. Only the text of the program
  /// is read; values stand beside it.
  static func summary(of statements: [SQL]) -> String {
    var named = ""
    var last = ""
    for statement in statements {
      let summary = statement.summary
      guard summary != last else { continue }
      guard named.utf8.count + summary.utf8.count < mostBytes else { return named + "; …" }
      named += (named.isEmpty ? "" : "; ") + summary
      last = summary
    }
    return named
  }

  /// The verb and the table, such as `INSERT session`, or the function that is called.
  private var summary: String {
    var verb: Substring?
    var isTableNext = false
    for word in outline.split(whereSeparator: { " \n(),;".contains($0) }) {
      guard let known = verb else {
        if Self.verbs.contains(word) { (verb, isTableNext) = (word, word == "UPDATE") }
        continue
      }
      let isOfSchema = word.hasPrefix("gatehouse.")
      if isTableNext || known == "SELECT" && isOfSchema {
        return "\(known) \(isOfSchema ? word.dropFirst("gatehouse.".count) : word)"
      }
      isTableNext = word == "FROM" || word == "INTO"
    }
    return String(verb ?? "SQL")
  }

  /// The text without the parts in parentheses: the statement itself, and none of those within it.
  private var outline: String {
    var depth = 0
    return text.filter { character in
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      return depth == 0
    }
  }
}
