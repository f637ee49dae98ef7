import GatehousePolicy

/// The edits that write an accepted expectation into the file.
struct ExpectationEdits {
  private let source: EditableText
  private let expect: Node
  private(set) var edits: [TextEdit] = []

  /// - Parameter expect: The expectation as it is written.
  /// - Throws: why the test is left alone.
  init(_ changes: [AcceptedTest.Change], in expect: Node, _ source: EditableText) throws(Unacceptable) {
    (self.source, self.expect) = (source, expect)
    for change in changes {
      guard let entry = Self.entry(change.what, in: expect) else {
        throw Unacceptable("\(change.what) is not written in it")
      }
      try write(change.new, to: entry)
    }
  }

  /// Where a value stands, by the name that `TestResult.Difference` has for it.
  static func entry(_ what: String, in expect: Node) -> Node.Entry? {
    guard what.utf8.starts(with: "stored.".utf8) else { return expect.entry(what) }
    let stored = expect["stored"]
    return what == "stored.email"
      ? stored?.entry("email") : stored?["profile"]?.entry(AcceptedValue.field(of: what))
  }

  private mutating func write(_ value: AcceptedValue, to entry: Node.Entry) throws(Unacceptable) {
    switch value {
    case .truth(let flag): try scalar("\(flag)", entry)
    case .access(let access): try text(access.rawValue, entry)
    case .text(let text): try self.text(text, entry)
    case .field(.string(let text)): try self.text(text, entry)
    case .field(.integer(let number)): try scalar("\(number)", entry)
    case .field(.boolean(let flag)): try scalar("\(flag)", entry)
    case .field: try scalar("null", entry)
    case .ids(.exactly(let ids)):
      if entry.value.list != nil { try list(ids, entry) } else { try whole("[]", entry) }
    case .ids(.containing(let includes, let excludes)):
      if let part = entry.value.entry("includes") { try list(includes, part) }
      if let part = entry.value.entry("excludes") { try list(excludes, part) }
    }
  }

  private mutating func text(_ text: String, _ entry: Node.Entry) throws(Unacceptable) {
    let quote = source.quote(at: entry.value.range) ?? (source.quote(at: entry.keyRange) == "\"" ? "\"" : nil)
    try scalar(WrittenScalar.text(text, quote: quote), entry)
  }

  private mutating func scalar(_ text: String, _ entry: Node.Entry) throws(Unacceptable) {
    guard case .scalar(_, let style) = entry.value.content, style != .block else {
      throw Unacceptable("\(entry.key) is a block of text; edit it by hand")
    }
    if entry.value.isMissing {
      edits.append(try source.value(text, besideKeyOf: entry))
    } else {
      edits.append(TextEdit(range: entry.value.range, text: text))
    }
  }

  private mutating func list(_ ids: [String], _ entry: Node.Entry) throws(Unacceptable) {
    var list = ListEdits(source, entry)
    try list.change(to: ids)
    edits += list.edits
  }

  /// A value in place of a map.
  private mutating func whole(_ text: String, _ entry: Node.Entry) throws(Unacceptable) {
    let last = entry.value.lastEnd
    let range = entry.value.isFlow ? entry.value.range : SourceRange.lines(entry.value.line, last.line)
    guard !source.hasComment(in: range) else {
      throw Unacceptable("a comment stands in \(entry.key), and it would have nothing left; edit it by hand")
    }
    if entry.value.isFlow {
      edits.append(TextEdit(range: range, text: text))
    } else {
      edits += [try source.value(text, besideKeyOf: entry), TextEdit(range: range, text: "")]
    }
  }
}

extension Node {
  /// Just behind its last character; the range of a block goes on to the next token.
  fileprivate var lastEnd: Mark {
    if isFlow { return range.end }
    switch content {
    case .scalar: return range.end
    case .list(let nodes): return nodes.last?.lastEnd ?? range.end
    case .map(let entries): return entries.last?.value.lastEnd ?? range.end
    }
  }
}
