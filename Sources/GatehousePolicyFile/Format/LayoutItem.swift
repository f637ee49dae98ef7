import GatehousePolicy

/// One entry of a map or member of a list, with the comments that belong to it. Built and used by one formatting.
final class LayoutItem {
  /// The key as written; nil for a member of a list.
  let key: String?
  let node: Node
  let start: Mark
  /// Just behind the last character of its value, comments and blank lines not counted.
  let end: Mark
  let children: [LayoutItem]
  let followsBlank: Bool
  /// Comments on lines of their own before it.
  var above: [Comment] = []
  /// Comments on its own line.
  var beside: [Comment] = []
  /// Comments behind its last child.
  var below: [Comment] = []

  convenience init(root: Node, _ source: SourceLines) {
    self.init(key: nil, start: Mark(line: 0, column: 0), root, source)
  }

  private init(key: String?, start: Mark, _ node: Node, _ source: SourceLines) {
    self.key = key
    self.node = node
    self.start = start
    followsBlank = source.isBlank(start.line - 1)
    switch node.content {
    case .scalar: children = []
    case .list(let nodes):
      children = nodes.map { LayoutItem(key: nil, start: $0.range.start, $0, source) }
    case .map(let entries):
      children = entries.map { entry in
        let key = source.text(entry.keyRange) ?? JSONText.string(entry.key).text()
        return LayoutItem(key: key, start: entry.keyRange.start, entry.value, source)
      }
    }
    // The end of a block is where the next token begins, behind comments; its last child knows better.
    if node.isFlow { end = node.range.end } else { end = children.last?.end ?? node.range.end }
  }

  /// A list or map that is written by indentation.
  var isBlock: Bool { !children.isEmpty && !node.isFlow }

  /// The column where its children are seen to begin: of list members that is their dash.
  var childColumn: Int {
    guard let first = children.first else { return Int.max }
    return first.key == nil ? first.start.column - 2 : first.start.column
  }

  /// Whether a comment stands inside, so that it can not be written on one line.
  private(set) lazy var holdsComment: Bool =
    !below.isEmpty || children.contains { !$0.above.isEmpty || !$0.beside.isEmpty || $0.holdsComment }
}

extension LayoutItem {
  /// Hangs every comment where it belongs.
  func place(_ comments: [Comment]) {
    for comment in comments { place(comment) }
  }

  private func place(_ comment: Comment) {
    var container = self
    while let inner = container.lastChild(before: comment.mark), comment.mark < inner.end { container = inner }
    let previous = container.lastChild(before: comment.mark)
    let next = container.firstChild(after: comment.mark)
    if !comment.isAlone {
      if let previous, previous.end.line == comment.mark.line {
        previous.lastInBlock.beside.append(comment)
        return
      }
      if previous == nil, container !== self, container.key != nil, container.start.line == comment.mark.line {
        container.beside.append(comment)
        return
      }
    } else if let previous, !container.node.isFlow, comment.mark.column > container.childColumn,
      let foot = previous.foot(for: comment.mark.column)
    {
      foot.below.append(comment)
      return
    }
    if let next { next.above.append(comment) } else { container.below.append(comment) }
  }

  /// The last item that ends where this one does, as far as indentation goes.
  private var lastInBlock: LayoutItem {
    var item = self
    while item.isBlock, let last = item.children.last { item = last }
    return item
  }

  /// The deepest block at this one's end whose children are no further right than the column.
  private func foot(for column: Int) -> LayoutItem? {
    var found: LayoutItem?
    var item = self
    while item.isBlock, let last = item.children.last {
      if column >= item.childColumn { found = item }
      item = last
    }
    return found
  }

  private func lastChild(before mark: Mark) -> LayoutItem? {
    let index = firstIndex(after: mark)
    return index > 0 ? children[index - 1] : nil
  }

  private func firstChild(after mark: Mark) -> LayoutItem? {
    let index = firstIndex(after: mark)
    return index < children.count ? children[index] : nil
  }

  /// By halves: a file may have tens of thousands of comments.
  private func firstIndex(after mark: Mark) -> Int {
    var (low, high) = (0, children.count)
    while low < high {
      let middle = (low + high) / 2
      if children[middle].start < mark { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
