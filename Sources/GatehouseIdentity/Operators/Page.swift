/// A part of a list that is held whole and ordered by a text.
struct Page<Item> {
  let items: [Item]
  let next: String?

  /// Keys are compared as UTF-8.
  init(of all: [Item], after cursor: String?, limit: Int, by key: (Item) -> String) {
    let rest = all.filter { item in
      cursor.map { $0.utf8.lexicographicallyPrecedes(key(item).utf8) } ?? true
    }.sorted { key($0).utf8.lexicographicallyPrecedes(key($1).utf8) }
    items = Array(rest.prefix(limit))
    next = rest.count > limit ? items.last.map(key) : nil
  }
}
