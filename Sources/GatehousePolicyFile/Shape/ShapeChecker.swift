/// Compares a tree with a shape and reports everything that does not fit. A tree that passes can be read with the typed
/// accessors of `Node` without further questions.
///
/// A misspelt key is one finding: the tree that comes out has its value under the key that was meant, so that nothing
/// misses it.
package struct ShapeChecker {
  private let sink: Diagnostics

  package init(into sink: Diagnostics) { self.sink = sink }

  /// Checks a whole document. `what` names it in messages: `the policy`.
  /// - Returns: The tree with misspelt keys put right.
  @discardableResult
  package func check(_ root: Node, _ shape: MapShape) -> Node {
    check(root, .map(shape), subject: shape.what)
  }

  /// - Parameter subject: what the value is in messages, such as `"min_length" in password rule "min8"`.
  @discardableResult
  package func check(_ node: Node, _ shape: Shape, subject: String) -> Node {
    switch shape {
    case .map(let map): return checkMap(node, map, subject: subject)
    case .dictionary(let dictionary): return checkDictionary(node, dictionary, subject: subject)
    case .list(let member, let count): return checkList(node, member, count, subject: subject)
    case .either(let shapes): return checkEither(node, shapes, subject: subject)
    case .secret: return checkSecret(node, subject: subject)
    case .any: return node
    default:
      checkScalar(node, shape, subject: subject)
      return node
    }
  }

  private func checkMap(_ node: Node, _ shape: MapShape, subject: String) -> Node {
    guard let written = node.map else { return wrongKind(node, "a map", subject) }
    let keys = MeantKeys(written, shape, isFull: sink.isFull)
    let meant = node.with(keys.entries)
    let place = place(of: meant, shape)
    let missing = shape.keys.filter { $0.isRequired && meant.entry($0.name) == nil }
    // GUARD: policy file: what an unknown key may be is not missing
    if keys.hasUnknown { sink.noteUnclear(node) }
    var entries: [Node.Entry] = []
    for (entry, key) in zip(written, keys.keys) {
      guard let key else {
        unknownKey(entry, shape, place, missing)
        entries.append(entry)
        continue
      }
      if entry.key != key.name { unknownKey(entry, shape, place, [], meant: key) }
      guard key.isAvailable else {
        sink.error(.notAvailable, "\(quoted(key.name)) is not available in this version", at: entry.keyRange)
        entries.append(entry)
        continue
      }
      let value = check(entry.value, key.shape, subject: "\(quoted(key.name)) in \(place)")
      entries.append(Node.Entry(key: key.name, keyRange: entry.keyRange, value: value))
    }
    for key in missing where !keys.hasUnknown {
      sink.error(
        .missingKey, "\(quoted(key.name)) is missing in \(place)", at: firstMark(of: node),
        notes: [.init("\(key.name): \(key.summary)")])
    }
    return node.with(entries)
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

  /// - Parameter missing: the required keys that the map lacks, one of which it may be.
  private func unknownKey(_ entry: Node.Entry, _ shape: MapShape, _ place: String, _ missing: [Key], meant: Key? = nil)
  {
    func notes() -> [Diagnostic.Note] {
      let allowed = shape.keys.filter(\.isAvailable).map(\.name)
      var notes: [Diagnostic.Note] = []
      if let near = meant?.name ?? Suggestion.nearest(to: entry.key, among: allowed) {
        notes.append(.init("did you mean \(quoted(near))?"))
      }
      if !missing.isEmpty { notes.append(.init("missing here: \(missing.map(\.name).joined(separator: ", "))")) }
      return notes + [.init("allowed here: \(allowed.joined(separator: ", "))")]
    }
    sink.error(.unknownKey, "unknown key \(quoted(entry.key)) in \(place)", at: entry.keyRange, notes: notes())
  }

  private func checkDictionary(_ node: Node, _ shape: DictionaryShape, subject: String) -> Node {
    guard let entries = node.map else { return wrongKind(node, "a map", subject) }
    guard shape.count.contains(entries.count) else {
      if entries.count > shape.count.upperBound { sink.hasTooMany = true }
      sink.error(.badCount, "\(subject): expected \(range(shape.count)) entries, got \(entries.count)", at: node.range)
      return node
    }
    return node.with(
      entries.map { entry in
        if !shape.names.holds(entry.key) {
          sink.error(
            shape.names.code, "\(quoted(entry.key)) as the name of a \(shape.what): expected \(shape.names.expected)",
            at: entry.keyRange)
        }
        let named = "\(shape.what) \(quoted(entry.key))"
        var member = shape.value
        if case .map(let map) = member { member = .map(MapShape(named, map.keys)) }
        return Node.Entry(
          key: entry.key, keyRange: entry.keyRange, value: check(entry.value, member, subject: named))
      })
  }

  private func checkList(_ node: Node, _ member: Shape, _ count: ClosedRange<Int>, subject: String) -> Node {
    guard let nodes = node.list else { return wrongKind(node, "a list", subject) }
    guard count.contains(nodes.count) else {
      if nodes.count > count.upperBound { sink.hasTooMany = true }
      sink.error(.badCount, "\(subject): expected \(range(count)) members, got \(nodes.count)", at: node.range)
      return node
    }
    var seen: Set<[UInt8]> = []
    let checked = nodes.map { node in
      noteComparison()
      let checked = check(node, member, subject: subject)
      if let text = node.text, !isFree(member), !seen.insert(Array(text.utf8)).inserted {
        sink.error(.repeated, "\(subject): \(quoted(text)) is listed twice", at: node.range)
      }
      return checked
    }
    return Node(.list(checked), range: node.range, isFlow: node.isFlow)
  }

  private func isFree(_ shape: Shape) -> Bool {
    if case .any = shape { true } else { false }
  }

  private func checkEither(_ node: Node, _ shapes: [Shape], subject: String) -> Node {
    let fitting = shapes.filter { $0.fitsKind(of: node) }
    guard let last = fitting.last else {
      return wrongKind(node, shapes.map(\.expected).joined(separator: " or "), subject)
    }
    for shape in fitting.dropLast() {
      let trial = Diagnostics()
      let checked = ShapeChecker(into: trial).check(node, shape, subject: subject)
      if !trial.hasErrors { return checked }
    }
    guard fitting.count > 1 else { return check(node, last, subject: subject) }
    let trial = Diagnostics()
    let checked = ShapeChecker(into: trial).check(node, last, subject: subject)
    guard trial.hasErrors else { return checked }
    let expected = fitting.map(\.expected).joined(separator: " or ")
    let near = node.text.flatMap { Suggestion.nearest(to: $0, among: fitting.flatMap(\.words)) }
    let notes = near.map { [Diagnostic.Note("did you mean \(quoted($0))?")] } ?? []
    sink.error(.notAChoice, "\(subject): expected \(expected), got \(got(node))", at: node.range, notes: notes)
    return node
  }

  private func checkSecret(_ node: Node, subject: String) -> Node {
    guard node.map != nil else {
      let note = Diagnostic.Note("put it in the server's store and write {secret: NAME}")
      sink.error(.secretInFile, "\(subject): a secret may not stand in the file", at: node.range, notes: [note])
      return node
    }
    return checkMap(node, Forms.secretReference, subject: subject)
  }

  private func checkScalar(_ node: Node, _ shape: Shape, subject: String) {
    guard let text = node.text, !node.isMissing else {
      wrongKind(node, shape.expected, subject)
      return
    }
    guard let code = shape.refusal(node) else { return }
    var notes: [Diagnostic.Note] = []
    if let near = Suggestion.nearest(to: text, among: shape.words) {
      notes.append(.init("did you mean \(quoted(near))?"))
    }
    sink.error(code, "\(subject): expected \(shape.expected), got \(got(node))", at: node.range, notes: notes)
  }

  @discardableResult
  private func wrongKind(_ node: Node, _ expected: String, _ subject: String) -> Node {
    sink.error(.wrongKind, "\(subject): expected \(expected), got \(node.kindName)", at: node.range)
    return node
  }

  private func got(_ node: Node) -> String { node.text.map(quoted) ?? node.kindName }

  private func range(_ count: ClosedRange<Int>) -> String {
    count.lowerBound == count.upperBound ? "\(count.lowerBound)" : "\(count.lowerBound) to \(count.upperBound)"
  }
}
