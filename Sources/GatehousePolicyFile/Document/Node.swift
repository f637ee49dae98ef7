/// A place in a text: line and column, both counted from 1, columns in Unicode code points.
package struct Mark: Sendable, Hashable, Comparable {
  package let line: Int
  package let column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  package static func < (left: Mark, right: Mark) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

/// From the first character to just behind the last one.
package struct SourceRange: Sendable, Hashable {
  package let start: Mark
  package let end: Mark

  package init(_ start: Mark, _ end: Mark) {
    self.start = start
    self.end = end
  }

  /// The first character of a text.
  package static let top = SourceRange(Mark(line: 1, column: 1), Mark(line: 1, column: 2))
}

/// One value of a document: text, a list or a map, with the place where it stands. Nothing is guessed about types:
/// `yes`, `0777` and `1e3` are text until a shape reads them.
package struct Node: Sendable {
  /// How a scalar was written. Only a plain one may be read as a number or a truth value.
  package enum Style: Sendable, Hashable { case plain, quoted, block }

  package enum Content: Sendable {
    case scalar(String, Style)
    case list([Node])
    case map([Entry])
  }

  /// A key with its value. Keys are unique within a map (compared as UTF-8 bytes).
  package struct Entry: Sendable {
    package let key: String
    package let keyRange: SourceRange
    package let value: Node

    package init(key: String, keyRange: SourceRange, value: Node) {
      self.key = key
      self.keyRange = keyRange
      self.value = value
    }
  }

  package let content: Content
  package let range: SourceRange
  /// Whether a list or map is written in brackets or braces.
  package let isFlow: Bool

  package init(_ content: Content, range: SourceRange, isFlow: Bool = false) {
    self.content = content
    self.range = range
    self.isFlow = isFlow
  }
}

extension Node {
  /// The text of a scalar of any style.
  package var text: String? {
    guard case .scalar(let text, _) = content else { return nil }
    return text
  }

  /// The text of a scalar written without quotes.
  package var plain: String? {
    guard case .scalar(let text, .plain) = content else { return nil }
    return text
  }

  /// The members of a list.
  package var list: [Node]? {
    guard case .list(let nodes) = content else { return nil }
    return nodes
  }

  /// The entries of a map, in the order of the file.
  package var map: [Entry]? {
    guard case .map(let entries) = content else { return nil }
    return entries
  }

  /// A key without a value (`key:`), which YAML calls null.
  package var isMissing: Bool { plain?.isEmpty ?? false }

  /// The line of the first character, counted from 1.
  package var line: Int { range.start.line }

  /// The value of `key` in a map; nil where this is no map or has no such key.
  package subscript(key: String) -> Node? { entry(key)?.value }

  /// The entry of `key` in a map, key compared as UTF-8 bytes.
  package func entry(_ key: String) -> Entry? {
    map?.first {
      noteComparison()
      return $0.key.utf8.elementsEqual(key.utf8)
    }
  }

  /// The kind of the node, in words for a message.
  package var kindName: String {
    switch content {
    case .scalar(let text, let style): text.isEmpty && style == .plain ? "nothing" : "a single value"
    case .list: "a list"
    case .map: "a map"
    }
  }
}
