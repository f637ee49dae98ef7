import GatehousePolicyFile

/// The explanations of the codes of findings in `policy explain`, offline.
enum FindingExplanation {
  /// One code, or the list of all for nil.
  static func print(_ word: String?, _ invocation: Invocation) throws -> Exit {
    guard let word else { return try list(invocation) }
    guard let code = DiagnosticCode(rawValue: word.uppercased()), let example = CodeExample.of(code) else {
      throw Failure(.notFound, "no finding has the code \(Quoted(word))", hint: "gatehouse policy explain")
    }
    guard invocation.outputForm != .table else {
      try invocation.terminal.data(example.explanation())
      return .ok
    }
    try invocation.print(
      Record(
        "policy.code",
        [
          ("code", "code", .text(code.rawValue)), ("kind", "kind", .text(kind(code))),
          ("title", "what", .text(code.title)), ("explanation", "why", .text(code.explanation)),
          ("wrong", "wrong", .text(example.wrongText)), ("right", "right", .text(example.rightText)),
          ("fix", "how to fix it", .text(example.fix)),
        ]))
    return .ok
  }

  private static func list(_ invocation: Invocation) throws -> Exit {
    let rows = DiagnosticCode.allCases.map { [Cell.text($0.rawValue), .text(kind($0)), .text($0.title)] }
    let columns = [Table.Column("code", "code"), Table.Column("kind", "kind"), Table.Column("title", "what")]
    try invocation.print(Table(kind: "policy.codes", columns: columns, rows: rows))
    return .ok
  }

  private static func kind(_ code: DiagnosticCode) -> String { code.isLint ? "lint" : "error" }
}
