/// A text read into a tree: a policy or the server's configuration.
package struct Document: Sendable {
  /// The largest text that is read, in bytes.
  package static let maximumBytes = 256 * 1024
  /// The deepest nesting of lists and maps.
  package static let maximumDepth = 12

  /// How the text is called in messages, usually a path.
  package let name: String
  /// The text's lines without their ends, for messages.
  package let lines: [String]
  /// The tree; nil where the text could not be read as one.
  package let root: Node?
  /// Everything wrong with the text as YAML, in the order of the text. Not empty means: do not use the tree.
  package let diagnostics: [Diagnostic]

  /// Reads strict YAML 1.1/1.2 (and so JSON): one document, UTF-8, no tab, anchor, alias, tag, merge key, directive or
  /// duplicate key, at most 256 KiB, at most 12 levels deep. Total: never throws, time linear in the text.
  /// - Parameter sections: keys of the outermost map; what stands under them is neither judged nor kept.
  package static func parse(_ bytes: [UInt8], name: String, skipping sections: [String] = []) -> Document {
    Parsing.observer?(bytes)
    let sink = Diagnostics()
    guard bytes.count <= maximumBytes else {
      sink.error(.tooLarge, "the file has more than \(maximumBytes) bytes; no more are read", at: .top)
      return Document(name: name, lines: [], root: nil, diagnostics: sink.sorted)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      sink.error(.encoding, "the file is not valid UTF-8", at: Characters.firstInvalid(bytes))
      return Document(name: name, lines: [], root: nil, diagnostics: sink.sorted)
    }
    let lines = Characters.lines(text)
    Characters.check(text, into: sink)
    guard !sink.hasErrors else {
      return Document(name: name, lines: lines, root: nil, diagnostics: sink.sorted)
    }
    let root = TreeBuilder.build(bytes, skipping: sections, into: sink)
    return Document(name: name, lines: lines, root: root, diagnostics: sink.sorted)
  }

  /// The same text under another name.
  func called(_ name: String) -> Document {
    Document(name: name, lines: lines, root: root, diagnostics: diagnostics)
  }

  /// The text as `parse` reads it when it skips these keys of the outermost map. A text that is no tree stays one, and
  /// so does one with more findings than are kept.
  func skipping(_ sections: [String]) -> Document {
    guard let root, let entries = root.map, diagnostics.count < Diagnostics.limit else { return self }
    let isSkipped = { (entry: Node.Entry) in sections.contains { $0.utf8.elementsEqual(entry.key.utf8) } }
    let skipped = entries.filter(isSkipped).map(\.value.range)
    return Document(
      name: name, lines: lines,
      root: Node(.map(entries.filter { !isSkipped($0) }), range: root.range, isFlow: root.isFlow),
      diagnostics: diagnostics.filter { finding in
        !skipped.contains { $0.start <= finding.range.start && finding.range.start < $0.end }
      })
  }

  /// The text of a line counted from 1, empty where there is none.
  package func line(_ number: Int) -> String {
    lines.indices.contains(number - 1) ? lines[number - 1] : ""
  }
}
