/// `gatehouse config show`.
enum ConfigShow {
  private static let origin = Flag("origin", .onOff, "say where each value is from")

  static let command = Command(
    "config", "show", summary: "Print every setting in effect; secrets as (set)", flags: [origin],
    examples: [
      Example("gatehouse config show", "every setting"),
      Example("gatehouse config show --origin", "and the file and line, variable or flag that set it"),
      Example(
        "gatehouse config show --config /etc/gatehouse/gatehouse.yaml --output json", "of one file, for a script"),
    ],
    exits: [.no: "the configuration has problems; they are on standard error", .notFound: "the file does not exist"],
    prints: true, settings: .all, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let (config, reader) = try Config.read(invocation)
    config.notePassedOver(invocation)
    let withOrigin = invocation.has(origin)
    var columns = [Table.Column("key", "setting"), Table.Column("value", "value")]
    if withOrigin { columns.append(Table.Column("origin", "from")) }
    let rows = reader.shown.map { shown in
      [.text(shown.key), shown.text.map(Cell.text) ?? .none]
        + (withOrigin ? [Cell.text(shown.origin.description)] : [])
    }
    try invocation.print(Table(kind: "config.show", columns: columns, rows: rows))
    for problem in reader.problems { invocation.terminal.report(Failure(.no, problem)) }
    return reader.problems.isEmpty ? .ok : .no
  }
}
