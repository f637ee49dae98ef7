import GatehousePolicyFile

/// `gatehouse policy explain`: offline, without a database.
enum PolicyExplain {
  private static let code = Argument("CODE", "the code of a finding, as P0107; without it, all are listed", .optional)

  static let command = Command(
    "policy", "explain", summary: "Explain a finding of policy check: why, an example, how to fix it",
    arguments: [code],
    examples: [
      Example("gatehouse policy explain P0312", "one code, with a wrong and a right example"),
      Example("gatehouse policy explain", "every code there is"),
      Example("gatehouse policy explain p0107 --output json", "for an editor"),
    ],
    exits: [.notFound: "no finding has this code"], prints: true, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    guard let word = invocation.arguments(code.name).first else {
      let rows = DiagnosticCode.allCases.map { [Cell.text($0.rawValue), .text(kind($0)), .text($0.title)] }
      let columns = [Table.Column("code", "code"), Table.Column("kind", "kind"), Table.Column("title", "what")]
      try invocation.print(Table(kind: "policy.codes", columns: columns, rows: rows))
      return .ok
    }
    guard let code = DiagnosticCode(rawValue: word.uppercased()), let example = CodeExample.of(code) else {
      throw Failure(.notFound, "no finding has the code \(Quoted(word))", hint: "gatehouse policy explain")
    }
    guard invocation[CommonFlags.output] ?? "table" != "table" else {
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

  private static func kind(_ code: DiagnosticCode) -> String { code.isLint ? "lint" : "error" }
}
