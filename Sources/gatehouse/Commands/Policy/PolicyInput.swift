import Foundation
import GatehouseIdentity
import GatehousePolicyFile
import GatehouseAdminWire
import GatehouseWire

/// Policy files named on the command line, and what is wrong with them: shared by the verbs of `policy`.
enum PolicyInput {
  static let files = Argument("FILE", "a policy file; - is standard input", .some, completes: .file)

  /// - Throws: exit 3 for a missing file, exit 2 for one that cannot be read.
  static func bytes(_ path: String) throws(Failure) -> [UInt8] {
    // One byte more than a policy may have, so that the reader says that it is too large, with its code.
    switch FileText.head(path, atMost: Document.maximumBytes + 1) {
    case .success(let bytes): return bytes
    case .failure(let problem): throw Failure(problem.isMissing ? .notFound : .usage, problem.description)
    }
  }

  /// The text of a file, for a verb that stores it or sends it on.
  /// - Throws: as `bytes`, and exit 1 with the findings of `policy check` for bytes that are no text.
  static func text(_ path: String) throws(Failure) -> String { try text(of: try bytes(path), path) }

  /// As above, of bytes that were read already.
  static func text(of bytes: [UInt8], _ path: String) throws(Failure) -> String {
    switch PolicyFile.text(of: bytes, name: path) {
    case .success(let text): return text
    case .failure(let refusal): throw Failure(.no, String(refusal.text().dropLast()))
    }
  }

  /// Reads the files that are named, one after another. One that cannot be read does not stop the others.
  /// - Returns: The failure to end with, once everything else is said; nil where all could be read.
  static func each<Problem: Error>(
    _ invocation: Invocation, _ body: (_ path: String, _ bytes: [UInt8]) throws(Problem) -> Void
  ) throws(Problem) -> Failure? {
    var unread: [Failure] = []
    for path in invocation.arguments(files.name) {
      let content: [UInt8]
      do throws(Failure) { content = try bytes(path) } catch {
        unread.append(error)
        continue
      }
      try body(path, content)
    }
    guard let first = unread.first else { return nil }
    let isMissing = unread.contains { $0.exit == .notFound }
    return Failure(isMissing ? .notFound : first.exit, unread.flatMap(\.messages), hint: first.hint)
  }

  /// Reads the files and runs their tests and lints: here, or where `--server` says. The variable alone does not send
  /// files anywhere: this needs no server.
  /// - Returns: A report for each file that could be read, and the failure to end with for the others.
  static func check(_ invocation: Invocation) async throws -> (checks: [PolicyCheck], unread: Failure?) {
    guard let server = try RemoteServer.of(invocation, onlyByFlag: true) else {
      return try check(invocation, try facts(invocation))
    }
    let backend = RemoteBackend(server)
    var checks: [PolicyCheck] = []
    let unread = try each(invocation) { path, bytes throws in
      let text: String
      switch PolicyFile.text(of: bytes, name: path) {
      case .success(let read): text = read
      // No text that could be sent: the reader says why.
      case .failure(let refusal): return checks.append(PolicyCheck(refusal))
      }
      let answer = try backend.send(CheckPolicyOperation.self, .init(text: text, file: path))
      for note in answer.live ?? [] { invocation.terminal.note("note: \(Visible.line(note))") }
      checks.append(try RemoteFindings.check(answer, of: bytes, path))
    }
    return (checks, unread)
  }

  /// As above, with lists that are loaded already.
  static func check(
    _ invocation: Invocation, _ facts: LibraryFacts
  ) throws(Failure) -> (checks: [PolicyCheck], unread: Failure?) {
    let floor = try FloorFile.load(try Config.read(invocation).0)
    var checks: [PolicyCheck] = []
    let unread = try each(invocation) { path, bytes throws(Failure) in
      checks.append(PolicyCheck.check(bytes, name: path, using: facts, floor: floor, now: Date()))
    }
    return (checks, unread)
  }

  /// The libraries and lists that rules ask; reports on standard error which lists are not here.
  static func facts(_ invocation: Invocation) throws(Failure) -> LibraryFacts {
    // Only `lists` is used, and what else is wrong with the configuration is no matter of a policy file.
    let (facts, missing) = try RuleLists.load(try Config.read(invocation).0)
    tell(missing: missing, invocation.terminal)
    return facts
  }

  /// Says which lists are not here.
  static func tell(missing lists: [String], _ terminal: Terminal) {
    for name in lists {
      terminal.note("note: the list \(Quoted(name)) is missing here; rules that need it refuse (--lists DIR)")
    }
  }

  /// Findings as data: text with carets, or records for `--output`.
  static func print(_ checks: [PolicyCheck], _ invocation: Invocation) throws(Failure) {
    guard invocation.outputForm != .table else {
      let colours: Rendering.Colours = invocation.terminal.colour.output ? .ansi : .none
      let texts = checks.map { $0.text(colours: colours) }.filter { !$0.isEmpty }
      return try invocation.terminal.data(texts.joined(separator: "\n"))
    }
    try invocation.print(table(checks))
  }

  /// Findings as rows.
  static func table(_ checks: [PolicyCheck]) -> Table {
    let columns = ["file", "line", "column", "end_line", "end_column", "severity", "code", "message", "notes"]
    let rows = checks.flatMap(\.records).map { record -> [Cell] in
      [
        .text(record.file), .integer(record.line), .integer(record.column), .integer(record.endLine),
        .integer(record.endColumn), .text(record.severity), .text(record.code), .text(record.message),
        .list(record.notes.map(Cell.text)),
      ]
    }
    return Table(kind: "policy.findings", columns: columns.map { Table.Column($0, $0) }, rows: rows)
  }
}
