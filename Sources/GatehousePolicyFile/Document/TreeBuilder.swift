/// Builds the tree from events, without recursion, and refuses what a policy has no use for.
struct TreeBuilder {
  /// A list or map that is still open.
  private struct Open {
    let isMap: Bool
    let isFlow: Bool
    let start: Mark
    var nodes: [Node] = []
    var entries: [Node.Entry] = []
    var lines: [[UInt8]: Int] = [:]
    var key: (text: String, range: SourceRange)?
    var skipsValue = false
  }

  private let sink: Diagnostics
  /// Keys of the outermost map whose values are passed over.
  private let skipped: [String]
  /// Lists and maps that are open in that value; nil outside of it.
  private var skippedDepth: Int?
  private var open: [Open] = []
  private var root: Node?
  private var documents = 0

  /// The tree of the text's one document, nil where there is none.
  static func build(_ bytes: [UInt8], skipping skipped: [String], into sink: Diagnostics) -> Node? {
    var builder = TreeBuilder(sink: sink, skipped: skipped)
    let parser = EventParser(bytes)
    do throws(YAMLFailure) {
      while true {
        let (event, range) = try parser.next()
        if case .streamEnd = event { break }
        guard builder.take(event, range) else { return nil }
      }
    } catch {
      let place = SourceRange(error.mark, Mark(line: error.mark.line, column: error.mark.column + 1))
      sink.error(.syntax, "this is not YAML: \(error.problem)", at: place)
      return nil
    }
    if builder.root == nil, !sink.hasErrors { sink.error(.empty, "the file is empty", at: .top) }
    return builder.root
  }

  private init(sink: Diagnostics, skipped: [String]) {
    self.sink = sink
    self.skipped = skipped
  }

  /// Takes one event; false ends the reading.
  private mutating func take(_ event: Event, _ range: SourceRange) -> Bool {
    if let depth = skippedDepth {
      skippedDepth = skip(event, at: depth)
      return true
    }
    switch event {
    case .documentStart(let hasDirective): return startDocument(hasDirective, range)
    case .alias(let name):
      sink.error(.anchor, "an alias (*\(name)); write the value out, or put the text in quotes", at: range)
      put(Node(.scalar("", .quoted), range: range))
    case .scalar(let text, let style, let properties):
      refuse(properties, range)
      checkText(text, style, range)
      put(Node(.scalar(text, style), range: range))
    case .listStart(let properties, let isFlow): return start(isMap: false, isFlow: isFlow, properties, range)
    case .mapStart(let properties, let isFlow): return start(isMap: true, isFlow: isFlow, properties, range)
    case .end: close(range)
    case .streamEnd, .other: break
    }
    return true
  }

  /// The depth behind an event of the value that is passed over; nil behind its last one.
  private func skip(_ event: Event, at depth: Int) -> Int? {
    switch event {
    case .listStart, .mapStart: depth + 1
    case .end: depth > 1 ? depth - 1 : nil
    default: depth > 0 ? depth : nil
    }
  }

  private mutating func startDocument(_ hasDirective: Bool, _ range: SourceRange) -> Bool {
    documents += 1
    if documents > 1 {
      sink.error(.secondDocument, "a second document; a file holds one", at: range)
      return false
    }
    if hasDirective { sink.error(.directive, "a YAML directive; leave it out", at: range) }
    return true
  }

  private mutating func start(
    isMap: Bool, isFlow: Bool, _ properties: Event.Properties, _ range: SourceRange
  ) -> Bool {
    refuse(properties, range)
    guard open.count < Document.maximumDepth else {
      sink.error(.tooDeep, "nested deeper than \(Document.maximumDepth) levels", at: range)
      return false
    }
    open.append(Open(isMap: isMap, isFlow: isFlow, start: range.start))
    return true
  }

  private mutating func close(_ range: SourceRange) {
    guard let done = open.popLast() else { return }
    let content: Node.Content = done.isMap ? .map(done.entries) : .list(done.nodes)
    put(Node(content, range: SourceRange(done.start, range.end), isFlow: done.isFlow))
  }

  /// Hangs a finished value where it belongs.
  private mutating func put(_ node: Node) {
    guard var parent = open.popLast() else {
      root = node
      return
    }
    if !parent.isMap {
      parent.nodes.append(node)
    } else if parent.skipsValue {
      parent.skipsValue = false
    } else if let key = parent.key {
      parent.entries.append(.init(key: key.text, keyRange: key.range, value: node))
      parent.key = nil
    } else {
      takeKey(node, in: &parent)
    }
    open.append(parent)
  }

  private mutating func takeKey(_ node: Node, in parent: inout Open) {
    guard case .scalar(let text, let style) = node.content else {
      sink.error(.keyNotText, "a key must be plain text, not \(node.kindName)", at: node.range)
      parent.skipsValue = true
      return
    }
    if text == "<<", style == .plain {
      sink.error(.mergeKey, "a merge key (<<); write the keys out", at: node.range)
      parent.skipsValue = true
      return
    }
    // Bytes, because String equality is canonical equivalence.
    let bytes = Array(text.utf8)
    noteComparison()
    if let first = parent.lines[bytes] {
      sink.error(
        .duplicateKey, "key \(quoted(text)) is written twice", at: node.range,
        notes: [.init("it was first written on line \(first)", line: first)])
      parent.skipsValue = true
      return
    }
    parent.lines[bytes] = node.line
    if open.isEmpty, skipped.contains(where: { bytes == Array($0.utf8) }) {
      skippedDepth = 0
      return
    }
    parent.key = (text, node.range)
  }

  private func refuse(_ properties: Event.Properties, _ range: SourceRange) {
    if let anchor = properties.anchor {
      sink.error(.anchor, "an anchor (&\(anchor)); write the value out, or put the text in quotes", at: range)
    }
    if properties.tag != nil {
      sink.error(.tag, "a tag (!…); the file's schema knows the types, or put the text in quotes", at: range)
    }
  }

  /// Escapes in double quotes can make characters that the text itself may not have.
  private func checkText(_ text: String, _ style: Node.Style, _ range: SourceRange) {
    guard style == .quoted else { return }
    for scalar in text.unicodeScalars {
      guard let problem = Characters.problem(scalar), scalar != "\t" else { continue }
      sink.error(.character, "\(problem) (U+\(Characters.hex(scalar))) by an escape", at: range)
      return
    }
  }
}

/// A name in quotes, with anything that could disturb a terminal escaped, and cut at 80 characters.
package func quoted(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars.prefix(80) {
    if Characters.problem(scalar) != nil || scalar == "\n" || scalar == "\r" {
      result += "\\u{\(Characters.hex(scalar))}"
    } else {
      result.unicodeScalars.append(scalar)
    }
  }
  if text.unicodeScalars.count > 80 { result += "…" }
  return result + "\""
}
