/// Rows of one kind of thing. The same value becomes a table, JSON, NDJSON or CSV.
struct Table: Sendable {
  /// The name of the shape in JSON: `tenant.list`. Documented in the command's man page; keys are only ever added.
  let kind: String
  let columns: [Column]
  var rows: [[Cell]] = []
  /// The message on standard error for an empty table: "no tenants yet".
  var whenEmpty = "nothing found"

  struct Column: Sendable {
    /// The key in JSON and CSV; empty leaves the column to the table.
    let key: String
    /// The heading of the table; empty leaves the column to JSON and CSV.
    let title: String

    init(_ key: String, _ title: String) {
      self.key = key
      self.title = title
    }
  }

  /// A row as JSON holds it.
  func object(_ row: [Cell]) -> Cell {
    .object(zip(columns, row).compactMap { $0.key.isEmpty ? nil : Cell.Field(key: $0.key, value: $1) })
  }
}

/// One thing with named values: printed as lines of name and value, or as one JSON object.
struct Record: Sendable {
  let kind: String
  let fields: [(column: Table.Column, value: Cell)]

  init(_ kind: String, _ fields: [(key: String, title: String, value: Cell)]) {
    self.kind = kind
    self.fields = fields.map { (Table.Column($0.key, $0.title), $0.value) }
  }

  var table: Table { Table(kind: kind, columns: fields.map(\.column), rows: [fields.map(\.value)]) }
}

/// How `--output` prints the data of a command that has a table.
enum OutputForm: String, CaseIterable, Sendable {
  case table, json, ndjson, csv
}

/// How `--output` prints the answer of a command that has no table.
enum AnswerForm: String, CaseIterable, Sendable {
  case text, json
}

extension Invocation {
  /// The form that `--output` asks for.
  var outputForm: OutputForm { self[CommonFlags.output] ?? .table }

  /// Gives the item of `--output json` values of its own, where the command prints no table and no record.
  func answer(_ fields: KeyValuePairs<String, Cell>) {
    terminal.answer?.add(fields.map { Cell.Field(key: $0.key, value: $0.value) })
  }

  /// Prints rows to standard output in the form `--output` asks for.
  func print(_ table: Table) throws(Failure) {
    switch outputForm {
    case .json:
      let items = Cell.list(table.rows.map(table.object))
      try terminal.document(kind: table.kind, key: "items", value: items)
    case .ndjson: try terminal.data(table.rows.map { JSONOutput.cell(table.object($0)) + "\n" }.joined())
    case .csv: try terminal.data(CSVText.table(table))
    case .table:
      if table.rows.isEmpty { return terminal.note(table.whenEmpty) }
      try terminal.data(TableText(terminal).table(table))
    }
  }

  /// Prints one thing to standard output in the form `--output` asks for.
  func print(_ record: Record) throws(Failure) {
    let table = record.table
    switch outputForm {
    case .json:
      let item = table.object(table.rows[0])
      try terminal.document(kind: record.kind, key: "item", value: item)
    case .ndjson: try terminal.data(JSONOutput.cell(table.object(table.rows[0])) + "\n")
    case .csv: try terminal.data(CSVText.table(table))
    case .table: try terminal.data(TableText(terminal).record(table))
    }
  }
}
