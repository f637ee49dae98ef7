import GatehousePolicy

/// The edit that makes a rule which only warns enforce from now on. Nothing else of the text changes, comments
/// included.
package struct Promotion: Sendable, Equatable {
  /// A line before and after; nil after where it goes.
  package struct Line: Sendable, Equatable {
    package let number: Int
    package let before: String
    package let after: String?
  }

  package let lines: [Line]
  /// The whole text after the edit.
  package let text: String

  package enum Refusal: Error, Equatable {
    /// No rule has this id.
    case unknown
    /// It does not only warn.
    case enforced
    /// The stage is not the rule's own, or the text is written in a way this edit does not understand.
    case byHand
  }

  /// - Throws: `Refusal`.
  package init(of id: String, in file: PolicyFile) throws(Refusal) {
    guard let rule = file.policy.staged.first(where: { $0.id.utf8.elementsEqual(id.utf8) }) else { throw .unknown }
    guard rule.enforcement.mode == .warn else { throw .enforced }
    guard let root = file.document.root else { throw .byHand }
    // Every place that could be the one is tried; the one whose edit promotes this rule, and this rule alone, is it.
    for map in Promotion.maps(root) {
      let lines = Promotion.edit(map, file.document.lines)
      guard let edit = Promotion(lines, of: file.document), edit.promotes(id, in: file) else { continue }
      self = edit
      return
    }
    throw .byHand
  }

  private init?(_ lines: [Line], of document: Document) {
    guard !lines.isEmpty else { return nil }
    var all: [String?] = document.lines
    for line in lines { all[line.number - 1] = line.after }
    self.lines = lines
    let joined = all.compactMap { $0 }.joined(separator: "\n")
    text = joined.hasSuffix("\n") ? joined : joined + "\n"
  }

  private func promotes(_ id: String, in file: PolicyFile) -> Bool {
    guard case .success(let edited) = PolicyFile.read(text, name: file.name) else { return false }
    var wanted = file.policy.stagesByID
    wanted[id] = Enforcement.enforced
    return edited.policy.stagesByID == wanted
  }

  /// Maps that say `enforce: warn`.
  private static func maps(_ node: Node) -> [[Node.Entry]] {
    var found: [[Node.Entry]] = []
    if let map = node.map {
      if map.contains(where: { $0.key == "enforce" && $0.value.text == "warn" }) { found.append(map) }
      for entry in map { found += maps(entry.value) }
    }
    for member in node.list ?? [] { found += maps(member) }
    return found
  }

  private static func edit(_ map: [Node.Entry], _ lines: [String]) -> [Line] {
    var edited: [Int: String?] = [:]
    // From the end of the text to its beginning, so that columns stay what they were.
    let entries = map.filter { $0.key == "enforce" || $0.key == "enforce_from" }
    for entry in entries.sorted(by: { $0.keyRange.start > $1.keyRange.start }) {
      let number = entry.keyRange.start.line
      guard entry.value.range.end.line == number, number <= lines.count else { return [] }
      let current = edited[number].flatMap { $0 } ?? lines[number - 1]
      let line = Array(current.unicodeScalars)
      let (start, end) = (entry.keyRange.start.column - 1, entry.value.range.end.column - 1)
      guard start >= 0, start < end, end <= line.count else { return [] }
      edited[number] = without(line, start, end)
    }
    return edited.sorted { $0.key < $1.key }.map { Line(number: $0.key, before: lines[$0.key - 1], after: $0.value) }
  }

  /// A line without an entry and its comma; nil when nothing stays.
  private static func without(_ line: [Unicode.Scalar], _ start: Int, _ end: Int) -> String? {
    var (start, end) = (start, end)
    if let before = line[..<start].lastIndex(where: { $0 != " " }), line[before] == "," {
      start = before
    } else if let after = line[end...].firstIndex(where: { $0 != " " }), line[after] == "," {
      end = line[(after + 1)...].firstIndex { $0 != " " } ?? line.count
    }
    var rest = String.UnicodeScalarView()
    rest.append(contentsOf: line[..<start])
    rest.append(contentsOf: line[end...])
    let text = String(rest)
    return text.allSatisfy { $0 == " " } ? nil : text
  }
}

extension Policy {
  fileprivate var stagesByID: [String: Enforcement] {
    Dictionary(staged.map { ($0.id, $0.enforcement) }, uniquingKeysWith: { $1 })
  }
}
