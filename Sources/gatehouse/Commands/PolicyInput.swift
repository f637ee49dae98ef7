import Foundation
import GatehouseIdentity
import GatehousePolicyFile
import GatehouseWire

/// Policy files named on the command line, and what is wrong with them: shared by the verbs of `policy`.
enum PolicyInput {
  static let files = Argument("FILE", "a policy file; - is standard input", .some, completes: .file)

  /// - Throws: exit 3 for a missing file, exit 2 for one that cannot be read.
  static func bytes(_ path: String) throws(Failure) -> [UInt8] {
    // One byte more than a policy may have, so that the reader says that it is too large, with its code.
    switch FileText.read(path, limit: Document.maximumBytes + 1) {
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

  /// The policy a file says; nil where it says none, and then every reason stands on standard error.
  static func read(_ path: String, _ terminal: Terminal) throws(Failure) -> PolicyFile? {
    switch PolicyFile.read(try bytes(path), name: path) {
    case .success(let file): return file
    case .failure(let refusal):
      terminal.note(String(refusal.text(colours: terminal.colour.error ? .ansi : .none).dropLast()))
      return nil
    }
  }

  /// Reads the files and runs their tests and lints: here, or where `--server` says. The variable alone does not send files
  /// anywhere: this needs no server.
  static func check(_ invocation: Invocation) async throws -> [PolicyCheck] {
    guard let place = try ServerPlace.of(invocation, onlyByFlag: true) else {
      return try check(invocation, try facts(invocation))
    }
    let office = RemoteOffice(place)
    return try invocation.arguments(files.name).map { path in
      let bytes = try bytes(path)
      guard case .success(let text) = PolicyFile.text(of: bytes, name: path) else {
        // No text that could be sent: the reader says why.
        return PolicyCheck.check(bytes, name: path, using: LibraryFacts(lists: [:]), now: Date())
      }
      let answer = try office.send(CheckPolicyOperation.self, .init(text: text, file: path))
      for note in answer.live ?? [] { invocation.terminal.note("note: \(Visible.line(note))") }
      return try RemoteFindings.check(answer, of: bytes, path)
    }
  }

  /// As above, with lists that are loaded already.
  static func check(_ invocation: Invocation, _ facts: LibraryFacts) throws(Failure) -> [PolicyCheck] {
    let floor = try FloorFile.load(try Config.read(invocation).0)
    var checks: [PolicyCheck] = []
    for path in invocation.arguments(files.name) {
      checks.append(PolicyCheck.check(try bytes(path), name: path, using: facts, floor: floor, now: Date()))
    }
    return checks
  }

  /// What rules ask of libraries and lists; says on standard error which lists are not here.
  static func facts(_ invocation: Invocation) throws(Failure) -> LibraryFacts {
    // Only `lists` is used, and what else is wrong with the configuration is no matter of a policy file.
    let (facts, missing) = try PasswordLists.load(try Config.read(invocation).0)
    for name in missing {
      invocation.terminal.note("note: the list \(Quoted(name)) is not here; what asks it is refused (--lists DIR)")
    }
    return facts
  }

  /// Findings as data: text with carets, or records for `--output`.
  static func print(_ checks: [PolicyCheck], _ invocation: Invocation) throws(Failure) {
    guard invocation[CommonFlags.output] ?? "table" != "table" else {
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
