/// Holds a tree against a shape and reports everything that does not fit. Whatever passes can be read with the typed
/// accessors of `Node` without further questions.
package struct ShapeChecker {
  private let sink: Diagnostics

  package init(into sink: Diagnostics) { self.sink = sink }

  /// Checks a whole document. `what` names it in messages: `the policy`.
  package func check(_ root: Node, _ shape: MapShape) {
    check(root, .map(shape), subject: shape.what)
  }

  /// - Parameter subject: what the value is in messages, such as `"min_length" in password rule "min8"`.
  package func check(_ node: Node, _ shape: Shape, subject: String) {
    switch shape {
    case .map(let map): checkMap(node, map, subject: subject)
    case .dictionary(let dictionary): checkDictionary(node, dictionary, subject: subject)
    case .list(let member, let count): checkList(node, member, count, subject: subject)
    case .either(let shapes): checkEither(node, shapes, subject: subject)
    case .secret: checkSecret(node, subject: subject)
    case .any: break
    default: checkScalar(node, shape, subject: subject)
    }
  }

  private func checkMap(_ node: Node, _ shape: MapShape, subject: String) {
    guard let entries = node.map else { return wrongKind(node, "a map", subject) }
    let place = place(of: node, shape)
    for entry in entries {
      guard let key = shape.key(entry.key) else {
        unknownKey(entry, shape, place)
        continue
      }
      guard key.isAvailable else {
        sink.error(.notAvailable, "\(quoted(key.name)) is not available in this version", at: entry.keyRange)
        continue
      }
      check(entry.value, key.shape, subject: "\(quoted(key.name)) in \(place)")
    }
    for key in shape.keys where key.isRequired && node.entry(key.name) == nil {
      sink.error(
        .missingKey, "\(quoted(key.name)) is missing in \(place)", at: firstMark(of: node),
        notes: [.init("\(key.name): \(key.summary)")])
    }
  }

  /// How a map is called in messages, with the name it gives itself.
  private func place(of node: Node, _ shape: MapShape) -> String {
    guard let label = shape.label, let name = node[label]?.text, !name.isEmpty else { return shape.what }
    return "\(shape.what) \(quoted(name))"
  }

  private func firstMark(of node: Node) -> SourceRange {
    node.map?.first?.keyRange
      ?? SourceRange(
        node.range.start, Mark(line: node.range.start.line, column: node.range.start.column + 1))
  }

  private func unknownKey(_ entry: Node.Entry, _ shape: MapShape, _ place: String) {
    let allowed = shape.keys.filter(\.isAvailable).map(\.name)
    var notes: [Diagnostic.Note] = []
    if let near = Suggestion.nearest(to: entry.key, among: allowed) {
      notes.append(.init("did you mean \(quoted(near))?"))
    }
    notes.append(.init("allowed here: \(allowed.joined(separator: ", "))"))
    sink.error(.unknownKey, "unknown key \(quoted(entry.key)) in \(place)", at: entry.keyRange, notes: notes)
  }

  private func checkDictionary(_ node: Node, _ shape: DictionaryShape, subject: String) {
    guard let entries = node.map else { return wrongKind(node, "a map", subject) }
    guard shape.count.contains(entries.count) else {
      if entries.count > shape.count.upperBound { sink.hasTooMany = true }
      return sink.error(
        .badCount, "\(subject): expected \(range(shape.count)) entries, got \(entries.count)", at: node.range)
    }
    for entry in entries {
      if !shape.names.holds(entry.key) {
        sink.error(
          shape.names.code, "\(quoted(entry.key)) as the name of a \(shape.what): expected \(shape.names.expected)",
          at: entry.keyRange)
      }
      let named = "\(shape.what) \(quoted(entry.key))"
      if case .map(let map) = shape.value {
        check(entry.value, .map(MapShape(named, map.keys)), subject: named)
      } else {
        check(entry.value, shape.value, subject: named)
      }
    }
  }

  private func checkList(_ node: Node, _ member: Shape, _ count: ClosedRange<Int>, subject: String) {
    guard let nodes = node.list else { return wrongKind(node, "a list", subject) }
    guard count.contains(nodes.count) else {
      if nodes.count > count.upperBound { sink.hasTooMany = true }
      return sink.error(
        .badCount, "\(subject): expected \(range(count)) members, got \(nodes.count)", at: node.range)
    }
    var seen: Set<[UInt8]> = []
    for node in nodes {
      noteComparison()
      check(node, member, subject: subject)
      if let text = node.text, !isFree(member), !seen.insert(Array(text.utf8)).inserted {
        sink.error(.repeated, "\(subject): \(quoted(text)) is listed twice", at: node.range)
      }
    }
  }

  private func isFree(_ shape: Shape) -> Bool {
    if case .any = shape { true } else { false }
  }

  private func checkEither(_ node: Node, _ shapes: [Shape], subject: String) {
    let fitting = shapes.filter { $0.fitsKind(of: node) }
    guard let last = fitting.last else {
      return wrongKind(node, shapes.map(\.expected).joined(separator: " or "), subject)
    }
    for shape in fitting.dropLast() {
      let trial = Diagnostics()
      ShapeChecker(into: trial).check(node, shape, subject: subject)
      if !trial.hasErrors { return }
    }
    guard fitting.count > 1 else { return check(node, last, subject: subject) }
    let trial = Diagnostics()
    ShapeChecker(into: trial).check(node, last, subject: subject)
    guard trial.hasErrors else { return }
    let expected = fitting.map(\.expected).joined(separator: " or ")
    let near = node.text.flatMap { Suggestion.nearest(to: $0, among: fitting.flatMap(\.words)) }
    let notes = near.map { [Diagnostic.Note("did you mean \(quoted($0))?")] } ?? []
    sink.error(.notAChoice, "\(subject): expected \(expected), got \(got(node))", at: node.range, notes: notes)
  }

  private func checkSecret(_ node: Node, subject: String) {
    guard node.map != nil else {
      let note = Diagnostic.Note("put it in the server's store and write {secret: NAME}")
      return sink.error(.secretInFile, "\(subject): a secret may not stand in the file", at: node.range, notes: [note])
    }
    checkMap(node, Forms.secretReference, subject: subject)
  }

  private func checkScalar(_ node: Node, _ shape: Shape, subject: String) {
    guard let text = node.text, !node.isMissing else { return wrongKind(node, shape.expected, subject) }
    guard let code = shape.refusal(node) else { return }
    var notes: [Diagnostic.Note] = []
    if let near = Suggestion.nearest(to: text, among: shape.words) {
      notes.append(.init("did you mean \(quoted(near))?"))
    }
    sink.error(code, "\(subject): expected \(shape.expected), got \(got(node))", at: node.range, notes: notes)
  }

  private func wrongKind(_ node: Node, _ expected: String, _ subject: String) {
    sink.error(.wrongKind, "\(subject): expected \(expected), got \(node.kindName)", at: node.range)
  }

  private func got(_ node: Node) -> String { node.text.map(quoted) ?? node.kindName }

  private func range(_ count: ClosedRange<Int>) -> String {
    count.lowerBound == count.upperBound ? "\(count.lowerBound)" : "\(count.lowerBound) to \(count.upperBound)"
  }
}
