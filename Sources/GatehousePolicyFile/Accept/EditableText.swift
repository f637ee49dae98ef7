/// A text in place of a range of another one; a range without a character is a place to insert at.
struct TextEdit {
  let range: SourceRange
  let text: String
}

/// A text to be edited by line and column.
struct EditableText {
  /// Lines as code points, the unit of marks; a carriage return before a line feed belongs to its line.
  private let lines: [[Unicode.Scalar]]
  /// In the order of the text.
  private let comments: [Comment]

  init(_ document: Document, bytes: [UInt8]) {
    lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map {
      Array(String(decoding: $0, as: UTF8.self).unicodeScalars)
    }
    comments = document.root.map { SourceLines(document).comments(around: $0) } ?? []
  }

  /// The text after all edits; nil where two of them overlap. Every byte outside of them stays, line ends included.
  func text(with edits: [TextEdit]) -> String? {
    var result = String.UnicodeScalarView()
    var here = Mark(line: 1, column: 1)
    let sorted = edits.enumerated().sorted { left, right in
      (left.element.range.start, left.element.range.end, left.offset)
        < (right.element.range.start, right.element.range.end, right.offset)
    }
    for (_, edit) in sorted {
      guard here <= edit.range.start, edit.range.start <= edit.range.end else { return nil }
      copy(SourceRange(here, edit.range.start), to: &result)
      result.append(contentsOf: edit.text.unicodeScalars)
      here = edit.range.end
    }
    copy(SourceRange(here, Mark(line: lines.count + 1, column: 1)), to: &result)
    return String(result)
  }

  private func copy(_ range: SourceRange, to result: inout String.UnicodeScalarView) {
    var here = range.start
    while here < range.end, let line = line(here.line) {
      let isLast = here.line == range.end.line
      let end = isLast ? min(range.end.column - 1, line.count) : line.count
      result.append(contentsOf: line[min(here.column - 1, end)..<end])
      if isLast { return }
      if here.line < lines.count { result.append("\n") }
      here = Mark(line: here.line + 1, column: 1)
    }
  }
}

// The content of the text.
extension EditableText {
  /// Whether a comment begins in a range.
  func hasComment(in range: SourceRange) -> Bool { comment(in: range) != nil }

  func comment(in range: SourceRange) -> Comment? {
    var (low, high) = (0, comments.count)
    while low < high {
      let middle = (low + high) / 2
      if comments[middle].mark < range.start { low = middle + 1 } else { high = middle }
    }
    guard low < comments.count, comments[low].mark < range.end else { return nil }
    return comments[low]
  }

  /// Where a character first stands in a range, comments passed over.
  func mark(of scalar: Unicode.Scalar, in range: SourceRange) -> Mark? {
    var here = range.start
    while here < range.end, let line = line(here.line) {
      let rest = SourceRange(here, min(range.end, Mark(line: here.line, column: line.count + 1)))
      let end = comment(in: rest)?.mark ?? rest.end
      let found = (here.column - 1..<max(here.column - 1, end.column - 1)).first { line[$0] == scalar }
      if let found { return Mark(line: here.line, column: found + 1) }
      here = Mark(line: here.line + 1, column: 1)
    }
    return nil
  }

  /// The part of a line before a column.
  func prefix(of mark: Mark) -> [Unicode.Scalar] {
    line(mark.line).map { Array($0.prefix(mark.column - 1)) } ?? []
  }

  /// The character at a place.
  func scalar(at mark: Mark) -> Unicode.Scalar? {
    guard let line = line(mark.line), line.indices.contains(mark.column - 1) else { return nil }
    return line[mark.column - 1]
  }

  /// Where a line's own text ends.
  func end(ofLine number: Int) -> Mark {
    let line = line(number) ?? []
    return Mark(line: number, column: line.count + (line.last == "\r" ? 0 : 1))
  }

  /// How the lines of the text end, by one of them.
  func lineEnd(_ number: Int) -> String { line(number)?.last == "\r" ? "\r\n" : "\n" }

  private func line(_ number: Int) -> [Unicode.Scalar]? {
    lines.indices.contains(number - 1) ? lines[number - 1] : nil
  }
}
