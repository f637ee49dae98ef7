/// The canonical layout of policy files. Only the layout: order, words, quotes and comments stay as they are written.
package enum PolicyFormat {
  /// Why a text is not formatted.
  package enum Refusal: Error, Sendable {
    /// It is not YAML as the reader takes it.
    case unreadable([Diagnostic])
    /// The result would not have said the same. Never seen; checked every time, since a policy guards accounts.
    case unsafe
  }

  /// The document in canonical layout. The new text is proven to have the same content before it is returned: the tree
  /// of keys and values, the type of each value, and every comment.
  package static func text(of document: Document) throws(Refusal) -> String {
    guard let root = document.root, document.diagnostics.isEmpty, root.map != nil else {
      throw .unreadable(document.diagnostics)
    }
    let source = SourceLines(document)
    let comments = source.comments(around: root)
    let item = LayoutItem(root: root, source)
    item.place(comments)
    let text = Layout.text(item, source)
    let again = Document.parse(Array(text.utf8), name: document.name)
    guard let copy = again.root, again.diagnostics.isEmpty, root.says(theSameAs: copy) else { throw .unsafe }
    let kept = SourceLines(again).comments(around: copy)
    guard comments.map(\.text).sorted() == kept.map(\.text).sorted() else { throw .unsafe }
    return text
  }
}

extension Node {
  /// Whether both trees hold the same keys in the same order with the same values of the same types.
  func says(theSameAs other: Node) -> Bool {
    switch (content, other.content) {
    case (.scalar(let left, let leftStyle), .scalar(let right, let rightStyle)):
      guard left.utf8.elementsEqual(right.utf8) else { return false }
      // A quoted scalar is text. Text over several lines is never a number, a truth value or null.
      return leftStyle == rightStyle || (leftStyle != .plain && rightStyle != .plain) || left.utf8.contains(0x20)
    case (.list(let left), .list(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { $0.says(theSameAs: $1) }
    case (.map(let left), .map(let right)):
      return left.count == right.count
        && zip(left, right).allSatisfy { $0.key.utf8.elementsEqual($1.key.utf8) && $0.value.says(theSameAs: $1.value) }
    default: return false
    }
  }
}
