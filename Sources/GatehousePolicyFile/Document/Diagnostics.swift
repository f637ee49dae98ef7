/// Collects findings while a document is read. A shared sink, so that a reader can be a tree of small values.
/// Not Sendable: one sink belongs to one reading.
///
/// One mistake is one finding. No finding is kept twice; a name that is unknown is reported at its first use alone; and
/// what is said about a part as a whole is not said of a part that could not be read (`error(about:)`).
package final class Diagnostics {
  /// More findings than these help no reader; the rest is counted, not kept.
  package static let limit = 200

  package private(set) var found: [Diagnostic] = []
  package private(set) var dropped = 0
  /// A list or map has more members than its shape allows: nothing that walks through it is bounded any more.
  package internal(set) var hasTooMany = false
  private var kept: Set<Position> = []
  private var names: [Name: Use] = [:]
  /// The beginnings of maps with an unknown key that resembles no known one: it may stand for any key they lack.
  private var unclear: Set<Mark> = []

  /// The identity of a finding: two with the same position are one.
  private struct Position: Hashable {
    let code: DiagnosticCode
    let range: SourceRange
    let message: String
  }

  /// A kind of name, and the name.
  private struct Name: Hashable {
    let kind: NameKind
    let bytes: [UInt8]
  }

  /// Where an unknown name stands.
  private struct Use {
    /// The finding about it; nil where it is the mistake of another finding.
    let finding: Int?
    var positions: Set<SourceRange>
  }

  package init() {}

  /// Whether another finding would be counted alone. Its notes are not worth making then.
  var isFull: Bool { found.count >= Diagnostics.limit }

  package func add(_ diagnostic: Diagnostic) {
    guard !isFull else {
      dropped += 1
      return
    }
    let position = Position(code: diagnostic.code, range: diagnostic.range, message: diagnostic.message)
    // GUARD: policy file: no finding twice
    if kept.insert(position).inserted { found.append(diagnostic) }
  }

  /// `notes` are made only for a finding that is kept: a suggestion costs as much as everything else about it.
  package func error(
    _ code: DiagnosticCode, _ message: String, at range: SourceRange,
    notes: @autoclosure () -> [Diagnostic.Note] = []
  ) {
    let isKept = !isFull  // GUARD: policy file: suggestions for kept findings alone
    add(Diagnostic(code, message, at: range, notes: isKept ? notes() : []))
  }

  /// An error about parts of the text as a whole. Where one of them has an error already, what is wrong with the whole
  /// may be that very mistake, and nothing is said.
  package func error(
    about parts: SourceRange?..., code: DiagnosticCode, _ message: String, at range: SourceRange,
    notes: @autoclosure () -> [Diagnostic.Note] = []
  ) {
    // GUARD: policy file: a part with errors is not judged as a whole
    guard !parts.contains(where: { $0.map(hasErrors) ?? false }) else { return }
    error(code, message, at: range, notes: notes())
  }

  package func warning(
    _ code: DiagnosticCode, _ message: String, at range: SourceRange, notes: [Diagnostic.Note] = []
  ) {
    add(Diagnostic(code, message, at: range, notes: notes, severity: .warning))
  }

  package var hasErrors: Bool { found.contains { $0.severity == .error } }

  /// Whether an error begins in this part, other than one that a stored revision is not refused for.
  func hasErrors(in part: SourceRange) -> Bool {
    found.contains { finding in
      finding.severity == .error && finding.code.silences && part.start <= finding.range.start
        && finding.range.start < part.end
    }
  }

  /// All findings in the order of the text.
  package var sorted: [Diagnostic] {
    let uses = Dictionary(
      names.values.compactMap { use in use.finding.map { ($0, use) } }, uniquingKeysWith: { first, _ in first })
    let told = found.enumerated().map { index, finding in
      uses[index].map { finding.telling(of: $0.positions) } ?? finding
    }
    return told.enumerated().sorted { left, right in
      (left.element.range.start, left.offset) < (right.element.range.start, right.offset)
    }.map(\.element)
  }
}

/// The kind of a thing that has a name.
enum NameKind: Hashable { case field, provider, rule, user }

extension Diagnostics {
  /// A name that nothing in the file defines. The first use is the finding, and its notes tell of the others.
  /// - Parameter isOfAnotherMistake: whether the part that would define it could not be read; asked once for each name.
  func unknown(
    _ name: String, _ kind: NameKind, code: DiagnosticCode, _ message: @autoclosure () -> String,
    at range: SourceRange, isOfAnotherMistake: @autoclosure () -> Bool, notes: @autoclosure () -> [Diagnostic.Note]
  ) {
    let key = Name(kind: kind, bytes: Array(name.utf8))
    // GUARD: policy file: an unknown name is one finding
    if names[key] != nil {
      names[key]?.positions.insert(range)
      return
    }
    // GUARD: policy file: unknown names behind the last finding are counted alone
    guard !isFull else {
      dropped += 1
      return
    }
    // A value that is not a name has its own finding.
    guard !hasErrors(in: range) else { return }
    guard !isOfAnotherMistake() else {
      names[key] = Use(finding: nil, positions: [])
      return
    }
    let index = found.count
    add(Diagnostic(code, message(), at: range, notes: notes()))
    names[key] = Use(finding: found.count > index ? index : nil, positions: [range])
  }

  /// Notes that a map has a key which is no key and resembles none that is missing.
  func noteUnclear(_ map: Node) { unclear.insert(map.range.start) }

  /// Whether a key that a map lacks may stand there under another name.
  func isUnclear(_ map: Node) -> Bool { unclear.contains(map.range.start) }
}

extension Diagnostic {
  /// The number of lines of further uses that a finding tells.
  private static let mostLines = 8

  /// The same finding with the lines of the other places where its name stands.
  fileprivate func telling(of positions: Set<SourceRange>) -> Diagnostic {
    let lines = Set(positions.map(\.start.line)).subtracting([range.start.line]).sorted()
    guard let first = lines.first else { return self }
    let shown = lines.prefix(Self.mostLines).map(String.init).joined(separator: ", ")
    let more = lines.count > Self.mostLines ? " and \(lines.count - Self.mostLines) more" : ""
    let note = Note("it also stands on line\(lines.count == 1 ? "" : "s") \(shown)\(more)", line: first)
    return Diagnostic(code, message, at: range, notes: notes + [note], severity: severity)
  }
}
