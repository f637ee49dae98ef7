import GatehousePolicyFile

/// Policy files named on the command line, and what is wrong with them: shared by the verbs of `policy`.
enum PolicyInput {
  /// - Throws: exit 3 for a missing file, exit 2 for one that cannot be read.
  static func bytes(_ path: String) throws(Failure) -> [UInt8] {
    // One byte more than a policy may have, so that the reader says that it is too large, with its code.
    switch FileText.read(path, limit: Document.maximumBytes + 1) {
    case .success(let bytes): return bytes
    case .failure(let problem): throw Failure(problem.isMissing ? .notFound : .usage, problem.description)
    }
  }

  /// A file as a policy. Where it is none, its findings are printed and the command ends with exit 1.
  static func read(_ path: String, _ invocation: Invocation) throws(Failure) -> PolicyFile? {
    switch PolicyFile.read(try bytes(path), name: path) {
    case .success(let file): return file
    case .failure(let refusal):
      try print([refusal], invocation)
      return nil
    }
  }

  /// Findings as data: text with carets, or records for `--output`.
  static func print(_ refusals: [PolicyFileRefusal], _ invocation: Invocation) throws(Failure) {
    let form = invocation[CommonFlags.output] ?? "table"
    if form == "table" {
      let colours: Rendering.Colours = invocation.terminal.colour.output ? .ansi : .none
      return try invocation.terminal.data(refusals.map { $0.text(colours: colours) }.joined(separator: "\n"))
    }
    let columns = ["file", "line", "column", "severity", "code", "message", "notes"].map { Table.Column($0, $0) }
    let rows = refusals.flatMap(\.records).map { record -> [Cell] in
      [
        .text(record.file), .integer(record.line), .integer(record.column), .text(record.severity),
        .text(record.code), .text(record.message), .list(record.notes.map(Cell.text)),
      ]
    }
    try invocation.print(Table(kind: "policy.findings", columns: columns, rows: rows))
  }
}
