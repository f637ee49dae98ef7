/// Which statements one connection has prepared: by text and parameter types, at most `limit`, the least recently used
/// given up first. Knows nothing of libpq.
struct PreparedStatements {
  struct Key: Hashable {
    let text: String
    let types: [UInt32]

    init(_ statement: SQL) {
      text = statement.text
      types = statement.parameters.map(\.type)
    }
  }

  private struct Entry {
    let name: String
    var lastUse: UInt64
  }

  let limit: Int
  private var entries: [Key: Entry] = [:]
  private var uses: UInt64 = 0
  private var made: UInt64 = 0

  init(limit: Int) { self.limit = limit }

  var count: Int { entries.count }

  /// The name under which the statement is prepared, and whether the caller must prepare it now.
  mutating func name(for key: Key) -> (name: String, isNew: Bool) {
    uses += 1
    // Looked up once: a key is a whole statement's text.
    if let place = entries.index(forKey: key) {
      entries.values[place].lastUse = uses
      return (entries.values[place].name, false)
    }
    made += 1
    let name = "g\(made)"
    entries[key] = Entry(name: name, lastUse: uses)
    return (name, true)
  }

  /// Forgets a statement that could not be prepared or no longer fits; the name it had.
  @discardableResult
  mutating func remove(_ key: Key) -> String? { entries.removeValue(forKey: key)?.name }

  /// Names beyond the limit, forgotten here and to be deallocated by the caller once nothing new refers to them.
  mutating func evict() -> [String] {
    guard entries.count > limit else { return [] }
    // A quarter at once, so that a steady stream of new statements does not sort at every step.
    let kept = limit - limit / 4
    let oldest = entries.sorted { $0.value.lastUse < $1.value.lastUse }.prefix(entries.count - kept)
    for (key, _) in oldest { entries[key] = nil }
    return oldest.map(\.value.name)
  }
}
