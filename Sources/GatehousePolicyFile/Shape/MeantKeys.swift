/// The keys that the entries of a map were meant to have: an unknown key near one that the map lacks is taken for it.
struct MeantKeys {
  /// The key of each entry; nil where it is none and near none that is free.
  let keys: [Key?]
  /// The entries under those keys.
  let entries: [Node.Entry]

  /// - Parameter isFull: whether findings are only counted, so that no word is compared any more.
  init(_ written: [Node.Entry], _ shape: MapShape, isFull: Bool) {
    let keys = Self.meant(written, shape, isFull)
    self.keys = keys
    entries = zip(written, keys).map { entry, key in
      Node.Entry(key: key?.name ?? entry.key, keyRange: entry.keyRange, value: entry.value)
    }
  }

  private static func meant(_ written: [Node.Entry], _ shape: MapShape, _ isFull: Bool) -> [Key?] {
    var keys = written.map { shape.key($0.key) }
    let unknown = keys.indices.filter { keys[$0] == nil }
    guard !isFull, !unknown.isEmpty else { return keys }
    var present = Set(keys.compactMap { $0?.name })
    let allowed = shape.keys.filter(\.isAvailable)
    for index in unknown.prefix(Diagnostics.limit) {
      // Of two that are as near the one that is not there, and before others the one whose value this could be.
      let free = allowed.filter { !present.contains($0.name) }.map {
        ($0, $0.shape.familiarity(of: written[index].value))
      }
      let names = free.sorted { $0.1 > $1.1 }.map(\.0.name) + allowed.map(\.name).filter(present.contains)
      // GUARD: policy file: a misspelt key is read as the one that was meant
      guard let near = Suggestion.nearest(to: written[index].key, among: names), present.insert(near).inserted
      else { continue }
      keys[index] = shape.key(near)
    }
    return keys
  }

  /// Whether a key resembles no known one.
  var hasUnknown: Bool { keys.contains { $0 == nil } }
}

extension Shape {
  /// How many of the first keys of a map this shape has; below zero where the node is no value of it.
  fileprivate func familiarity(of node: Node) -> Int {
    switch (self, node.map) {
    case (.map(let shape), let entries?): entries.prefix(shape.keys.count).count { shape.key($0.key) != nil }
    case (.map, nil), (.dictionary, nil): -1
    default: 0
    }
  }
}

extension Node {
  /// The same map with other entries.
  func with(_ entries: [Entry]) -> Node { Node(.map(entries), range: range, isFlow: isFlow) }
}
