import GatehousePolicy

/// The words of the policy language that a server can read: paths of keys (`sessions.reuse_grace`), and the words of
/// keys with a closed set of values (`privacy.account_exists=hide`). Members of lists and chosen names stand as `*`.
///
/// Servers of two versions compare vocabularies, not version numbers: a file is readable where each of its words is
/// known.
package enum PolicyVocabulary {
  /// Every word of this version, in order.
  package static let words: [String] = {
    var found: Set<String> = []
    collect(.map(PolicyKeys.file), at: "", into: &found)
    return found.sorted()
  }()

  /// The most words that a server may say it knows.
  package static let most = 5000

  /// The words of a file that a server needs to load it, each with the line where it first stands, in the order of the
  /// file. Sections that a server does not read, such as tests, need none.
  package static func words(of file: PolicyFile) -> [(word: String, line: Int)] {
    guard let entries = file.document.root?.map else { return [] }
    let skipped = Set(PolicyReading.stored(.current).skippedSections)
    var use = Use()
    for entry in entries where !skipped.contains(entry.key) {
      guard let key = PolicyKeys.file.key(entry.key) else { continue }
      use.add(entry.key, entry.keyRange)
      use.visit(entry.value, key.shape, at: entry.key)
    }
    return use.found
  }

  private static func collect(_ shape: Shape, at path: String, into found: inout Set<String>) {
    switch shape {
    case .map(let map):
      for key in map.keys where key.isAvailable {
        let inner = below(path, key.name)
        found.insert(inner)
        collect(key.shape, at: inner, into: &found)
      }
    case .dictionary(let dictionary): collect(dictionary.value, at: below(path, "*"), into: &found)
    case .list(let member, _): collect(member, at: below(path, "*"), into: &found)
    case .either(let shapes): for shape in shapes { collect(shape, at: path, into: &found) }
    case .choice(let words): for word in words { found.insert("\(path)=\(word)") }
    case .text(let form): for word in form.named { found.insert("\(path)=\(word)") }
    default: break
    }
  }

  private static func below(_ path: String, _ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

  /// One walk through a document beside its shape.
  private struct Use {
    var found: [(word: String, line: Int)] = []
    private var seen: Set<String> = []

    mutating func add(_ word: String, _ range: SourceRange) {
      if seen.insert(word).inserted { found.append((word, range.start.line)) }
    }

    mutating func visit(_ node: Node, _ shape: Shape, at path: String) {
      switch (shape, node.content) {
      case (.map(let map), .map(let entries)):
        for entry in entries {
          guard let key = map.key(entry.key) else { continue }
          let inner = below(path, entry.key)
          add(inner, entry.keyRange)
          visit(entry.value, key.shape, at: inner)
        }
      case (.dictionary(let dictionary), .map(let entries)):
        for entry in entries { visit(entry.value, dictionary.value, at: below(path, "*")) }
      case (.list(let member, _), .list(let nodes)):
        for node in nodes { visit(node, member, at: below(path, "*")) }
      case (.either(let shapes), _): for shape in shapes { visit(node, shape, at: path) }
      case (.choice(let words), _):
        if let text = node.text, words.contains(text) { add("\(path)=\(text)", node.range) }
      case (.text(let form), _):
        if let text = node.text, form.named.contains(text) { add("\(path)=\(text)", node.range) }
      default: break
      }
    }
  }
}
