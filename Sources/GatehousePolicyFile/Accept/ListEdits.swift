/// A change of a list of words: each member stays, is another word or goes, and words come behind members.
struct ListChange {
  enum Member: Equatable { case kept, goes, becomes(String) }

  private(set) var members: [Member]
  /// Words behind the member of an index, -1 for those before the first.
  private(set) var added: [Int: [String]] = [:]

  /// The last member that does not go; nil where none is left.
  var lastLeft: Int? { members.lastIndex { $0 != .goes } }

  init(from old: [String], to new: [String]) {
    members = Array(repeating: .goes, count: old.count)
    var next = 0
    var waiting: [String] = []
    for word in new {
      let found = (next..<old.count).first { index in
        noteComparison()
        return old[index].utf8.elementsEqual(word.utf8)
      }
      guard let found else {
        waiting.append(word)
        continue
      }
      put(waiting, over: next..<found)
      members[found] = .kept
      (next, waiting) = (found + 1, [])
    }
    put(waiting, over: next..<old.count)
  }

  /// New words take the places of those that go, as far as there are any.
  private mutating func put(_ words: [String], over places: Range<Int>) {
    for (index, word) in zip(places, words) { members[index] = .becomes(word) }
    let rest = Array(words.dropFirst(places.count))
    if !rest.isEmpty { added[places.upperBound - 1] = rest }
  }
}

/// The edits of a list of words. Members that stay keep their bytes and their places; comments stay.
struct ListEdits {
  let source: EditableText
  /// The key with the list.
  let entry: Node.Entry
  private(set) var edits: [TextEdit] = []

  init(_ source: EditableText, _ entry: Node.Entry) { (self.source, self.entry) = (source, entry) }

  /// - Throws: why the list is not edited.
  mutating func change(to new: [String]) throws(Unacceptable) {
    let nodes = entry.value.list ?? []
    for node in nodes {
      guard case .scalar(_, let style) = node.content, style != .block else {
        throw Unacceptable("\(entry.key) holds a block of text; edit it by hand")
      }
    }
    let change = ListChange(from: nodes.compactMap(\.text), to: new)
    if entry.value.isFlow { flow(nodes, change) } else { try block(nodes, change) }
  }

  private func written(_ word: String) -> String {
    // As in JSON, where keys have quotes too.
    WrittenScalar.text(word, quote: source.quote(at: entry.keyRange) == "\"" ? "\"" : nil)
  }

  private mutating func replace(_ range: SourceRange, _ text: String) {
    edits.append(TextEdit(range: range, text: text))
  }

  private mutating func insert(_ text: String, at mark: Mark) { replace(SourceRange(mark, mark), text) }
}

// In brackets.
extension ListEdits {
  private mutating func flow(_ nodes: [Node], _ change: ListChange) {
    let list = entry.value.range
    let inner = SourceRange(list.start.moved(1), list.end.moved(-1))
    for (index, node) in nodes.enumerated() {
      if case .becomes(let word) = change.members[index] { replace(node.range, written(word)) }
    }
    for (index, words) in change.added {
      let text = words.map(written).joined(separator: ", ")
      if index >= 0 {
        insert(", " + text, at: nodes[index].range.end)
      } else {
        insert(nodes.isEmpty ? text : text + ", ", at: nodes.first?.range.start ?? inner.start)
      }
    }
    guard let lastLeft = change.lastLeft else { return empty(nodes, inner) }
    for index in nodes.indices where change.members[index] == .goes {
      remove(index, of: nodes, isFollowed: index < lastLeft, inner)
    }
  }

  /// Takes all members with their commas; where comments stand among them, those and their lines stay.
  private mutating func empty(_ nodes: [Node], _ inner: SourceRange) {
    // A list without members that gets some keeps the blanks in it.
    guard !nodes.isEmpty else { return }
    guard source.hasComment(in: inner) else { return replace(inner, "") }
    for (index, node) in nodes.enumerated() {
      replace(node.range, "")
      removeComma(in: gap(behind: index, of: nodes, inner))
    }
  }

  /// Takes a member and a comma: the one behind it where another member follows, else the one before it.
  private mutating func remove(_ index: Int, of nodes: [Node], isFollowed: Bool, _ inner: SourceRange) {
    let member = nodes[index].range
    let gap = gap(behind: isFollowed ? index : index - 1, of: nodes, inner)
    if source.hasComment(in: gap) {
      replace(member, "")
      removeComma(in: gap)
    } else {
      replace(isFollowed ? SourceRange(member.start, gap.end) : SourceRange(gap.start, member.end), "")
    }
  }

  private mutating func removeComma(in gap: SourceRange) {
    if let comma = source.mark(of: ",", in: gap) { replace(SourceRange(comma, comma.moved(1)), "") }
  }

  /// From a member to the next one, or to the bracket.
  private func gap(behind index: Int, of nodes: [Node], _ inner: SourceRange) -> SourceRange {
    SourceRange(
      index >= 0 ? nodes[index].range.end : inner.start,
      index + 1 < nodes.count ? nodes[index + 1].range.start : inner.end)
  }
}

// By indentation.
extension ListEdits {
  private mutating func block(_ nodes: [Node], _ change: ListChange) throws(Unacceptable) {
    var dashes: [Int] = []
    for node in nodes {
      let prefix = source.prefix(of: node.range.start)
      guard let dash = prefix.firstIndex(of: "-"), prefix[..<dash].allSatisfy({ $0 == " " }),
        prefix[(dash + 1)...].allSatisfy({ $0 == " " })
      else { throw Unacceptable("a member of \(entry.key) does not stand beside its dash; edit it by hand") }
      dashes.append(dash)
    }
    if change.lastLeft == nil { try emptyBlock(entry, source) }
    for (index, node) in nodes.enumerated() {
      switch change.members[index] {
      case .kept: break
      case .becomes(let word): replace(node.range, written(word))
      case .goes:
        let line = node.range.end.line
        if let comment = source.comment(in: SourceRange(node.range.end, Mark(line: line + 1, column: 1))) {
          replace(SourceRange(Mark(line: node.line, column: dashes[index] + 1), comment.mark), "")
        } else {
          replace(.lines(node.line, line), "")
        }
      }
    }
    for (index, words) in change.added {
      let place = max(0, index)
      let indent = String(repeating: " ", count: dashes[place])
      let line = index < 0 ? nodes[0].line : nodes[place].range.end.line
      let lines = words.map { indent + "- " + written($0) }
      let end = source.lineEnd(line)
      if index < 0 {
        insert(lines.map { $0 + end }.joined(), at: Mark(line: line, column: 1))
      } else {
        insert(lines.map { end + $0 }.joined(), at: source.end(ofLine: line))
      }
    }
  }

  /// Writes `[]` beside a key whose block goes.
  private mutating func emptyBlock(_ entry: Node.Entry, _ source: EditableText) throws(Unacceptable) {
    edits.append(try source.value("[]", besideKeyOf: entry))
  }
}

extension EditableText {
  /// A value on the line of a key that has none there.
  func value(_ text: String, besideKeyOf entry: Node.Entry) throws(Unacceptable) -> TextEdit {
    let rest = SourceRange(entry.keyRange.end, Mark(line: entry.keyRange.end.line + 1, column: 1))
    guard let colon = mark(of: ":", in: rest) else {
      throw Unacceptable("\(entry.key) is written in a way that is not edited; edit it by hand")
    }
    let place = colon.moved(1)
    return TextEdit(range: SourceRange(place, place), text: " " + text)
  }
}

extension Mark {
  /// A place on the same line.
  func moved(_ columns: Int) -> Mark { Mark(line: line, column: column + columns) }
}

extension SourceRange {
  /// Whole lines with their ends.
  static func lines(_ first: Int, _ last: Int) -> SourceRange {
    SourceRange(Mark(line: first, column: 1), Mark(line: last + 1, column: 1))
  }
}
