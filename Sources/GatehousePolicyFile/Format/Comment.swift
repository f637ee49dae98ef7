/// One comment of a text, from its `#` to the end of the line.
struct Comment: Sendable, Equatable {
  /// Without blanks at its end.
  let text: String
  let mark: Mark
  /// Nothing but blanks stands before it on its line.
  let isAlone: Bool
  /// The line before it is blank.
  let followsBlank: Bool
}

/// The lines of a document as code points, which is how marks count.
struct SourceLines {
  let lines: [[Unicode.Scalar]]

  init(_ document: Document) { lines = document.lines.map { Array($0.unicodeScalars) } }

  /// The text of a range of one line; nil for a range of several.
  func text(_ range: SourceRange) -> String? {
    guard range.start.line == range.end.line, lines.indices.contains(range.start.line - 1) else { return nil }
    let line = lines[range.start.line - 1]
    let start = min(max(0, range.start.column - 1), line.count)
    let end = min(max(start, range.end.column - 1), line.count)
    return String(String.UnicodeScalarView(line[start..<end]))
  }

  func isBlank(_ number: Int) -> Bool {
    lines.indices.contains(number - 1) && lines[number - 1].allSatisfy { $0 == " " }
  }

  /// All comments in the order of the text: each `#` that is no part of a scalar begins one, which is how libyaml
  /// reads.
  func comments(around root: Node) -> [Comment] {
    var scalars = root.scalars.sorted { $0.start < $1.start }[...]
    var found: [Comment] = []
    for (index, line) in lines.enumerated() {
      var column = 0
      while column < line.count {
        let here = Mark(line: index + 1, column: column + 1)
        while let first = scalars.first, first.end <= here { scalars.removeFirst() }
        if let first = scalars.first, first.start <= here {
          column = first.end.line > here.line ? line.count : first.end.column - 1
          continue
        }
        if line[column] == "#" {
          found.append(comment(line, here))
          break
        }
        column += 1
      }
    }
    return found
  }

  private func comment(_ line: [Unicode.Scalar], _ mark: Mark) -> Comment {
    var text = line[(mark.column - 1)...]
    while text.last == " " { text.removeLast() }
    return Comment(
      text: String(String.UnicodeScalarView(text)), mark: mark,
      isAlone: line[..<(mark.column - 1)].allSatisfy { $0 == " " }, followsBlank: isBlank(mark.line - 1))
  }
}

extension Node {
  /// The ranges of all scalars, keys included. Of a block scalar, the lines below its indicator: a comment may stand
  /// behind that.
  fileprivate var scalars: [SourceRange] {
    var found: [SourceRange] = []
    var open = [self]
    while let node = open.popLast() {
      switch node.content {
      case .scalar(_, .block):
        found.append(SourceRange(Mark(line: node.range.start.line + 1, column: 1), node.range.end))
      case .scalar: found.append(node.range)
      case .list(let nodes): open += nodes
      case .map(let entries):
        found += entries.map(\.keyRange)
        open += entries.map(\.value)
      }
    }
    return found
  }
}
