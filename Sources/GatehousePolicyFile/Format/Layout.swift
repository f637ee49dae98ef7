import GatehousePolicy

/// Writes a tree of items in the canonical layout: two blanks a level, lists under their key, one blank line at most,
/// brackets and braces kept while they fit into a line, broken into blocks or filled lines where they do not.
struct Layout {
  /// The longest line, in code points, that brackets, braces and comments may make.
  static let width = 120

  private let source: SourceLines
  private var lines: [String] = []

  /// The text of a whole document, its comments already placed.
  static func text(_ root: LayoutItem, _ source: SourceLines) -> String {
    var layout = Layout(source: source)
    layout.block(root, indent: 0)
    return layout.lines.joined(separator: "\n") + "\n"
  }

  private init(source: SourceLines) { self.source = source }

  private mutating func block(_ item: LayoutItem, indent: Int) {
    for (index, child) in item.children.enumerated() {
      let first = lines.count
      if child.key == nil { member(child, indent: indent) } else { entry(child, indent: indent, lead: "") }
      // Nothing is gained by a blank line between a key and its first child.
      if index == 0, lines.indices.contains(first), lines[first].isEmpty { lines.remove(at: first) }
    }
    write(item.below, indent: indent)
  }

  /// `key: value` with what hangs on it. `lead` is the dash of the list member that begins here.
  private mutating func entry(_ item: LayoutItem, indent: Int, lead: String) {
    if lead.isEmpty { open(item, indent: indent) }
    let head = spaces(indent - lead.unicodeScalars.count) + lead + (item.key.map { $0 + ":" } ?? "")
    guard let value = inline(item, after: head) else {
      line(head, beside: item)
      return block(item, indent: indent + 2)
    }
    write(value, beside: item)
  }

  /// `- value`, where the first key of a map stands beside the dash.
  private mutating func member(_ item: LayoutItem, indent: Int) {
    hoist(item, indent: indent)
    let head = spaces(indent) + "-"
    if let value = inline(item, after: head) {
      open(item, indent: indent)
      return write(value, beside: item)
    }
    open(item, indent: indent)
    let start = lines.count
    block(item, indent: indent + 2)
    // INVARIANT: the first line is the first child's, as its comments were hoisted and its blank line is gone.
    lines[start] = head + lines[start].dropFirst(indent + 1)
  }

  /// Comments beside a member that is written as a block, and those of its first child, stand above the dash, or they
  /// would come between it and the child.
  private func hoist(_ item: LayoutItem, indent: Int) {
    guard item.key == nil, inline(item, after: spaces(indent) + "-") == nil else { return }
    item.above += item.beside
    item.beside = []
    guard let first = item.children.first else { return }
    hoist(first, indent: indent + 2)
    item.above += first.above
    first.above = []
  }

  /// The value in one line, or a list of single values in several, all behind `head`; nil for a block.
  private func inline(_ item: LayoutItem, after head: String) -> [String]? {
    guard case .scalar = item.node.content else { return bracketed(item, after: head) }
    let text = scalar(item.node)
    return [text.isEmpty ? head : head + " " + text]
  }

  private func bracketed(_ item: LayoutItem, after head: String) -> [String]? {
    guard item.node.isFlow || item.children.isEmpty, !item.holdsComment else { return nil }
    let whole = head + " " + flow(item.node)
    if whole.unicodeScalars.count <= Layout.width || item.children.isEmpty { return [whole] }
    guard let members = item.node.list, members.allSatisfy({ $0.text != nil }) else { return nil }
    var filled: [String] = []
    var line = head + " ["
    let margin = spaces(line.unicodeScalars.count)
    for (index, member) in members.enumerated() {
      let text = scalar(member) + (index == members.count - 1 ? "]" : ",")
      let isFirst = line.unicodeScalars.count == margin.unicodeScalars.count
      if !isFirst, line.unicodeScalars.count + 1 + text.unicodeScalars.count > Layout.width {
        filled.append(line)
        line = margin + text
      } else {
        line += (isFirst ? "" : " ") + text
      }
    }
    return filled + [line]
  }

  private func flow(_ node: Node) -> String {
    switch node.content {
    case .scalar: return scalar(node)
    case .list(let nodes): return "[" + nodes.map(flow).joined(separator: ", ") + "]"
    case .map(let entries):
      let texts = entries.map { entry in
        let key = source.text(entry.keyRange) ?? JSONText.string(entry.key).text()
        let value = flow(entry.value)
        return value.isEmpty ? key + ":" : key + ": " + value
      }
      return "{" + texts.joined(separator: ", ") + "}"
    }
  }

  /// A scalar as written; text over several lines becomes one line in quotes that says the same.
  private func scalar(_ node: Node) -> String {
    guard case .scalar(let text, let style) = node.content else { return "" }
    if style != .block, let written = source.text(node.range) { return written }
    return JSONText.string(text).text()
  }

  private func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}

extension Layout {
  /// The blank line and the comments before an item; comments beside it that do not fit go there too.
  private mutating func open(_ item: LayoutItem, indent: Int) {
    write(item.above, indent: indent)
    if item.followsBlank { blank() }
  }

  private mutating func write(_ comments: [Comment], indent: Int) {
    for comment in comments {
      if comment.followsBlank, comment.isAlone { blank() }
      lines.append(spaces(indent) + comment.text)
    }
  }

  private mutating func blank() {
    if lines.last.map({ !$0.isEmpty }) ?? false { lines.append("") }
  }

  private mutating func line(_ text: String, beside item: LayoutItem) { write([text], beside: item) }

  private mutating func write(_ text: [String], beside item: LayoutItem) {
    guard let last = text.last, !item.beside.isEmpty else { return lines += text }
    let whole = last + "  " + item.beside[0].text
    if item.beside.count == 1, whole.unicodeScalars.count <= Layout.width {
      return lines += text.dropLast() + [whole]
    }
    let margin = text[0].prefix { $0 == " " }
    lines += item.beside.map { margin + $0.text } + text
  }
}
