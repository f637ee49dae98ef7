/// Finds the name that the author meant.
enum Spelling {
  /// The candidate within two edits (one for names under five letters), or `nil`. Names under three
  /// letters are near to everything, and long ones are not compared.
  static func nearest(to name: String, in candidates: [String]) -> String? {
    guard (3...40).contains(name.utf8.count) else { return nil }
    let limit = name.utf8.count < 5 ? 1 : 2
    var best: (name: String, distance: Int)?
    for candidate in candidates.prefix(64) where candidate.utf8.count <= 40 {
      noteComparison()
      let distance = edits(Array(name.utf8), Array(candidate.utf8))
      if distance > 0, distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// Insertions, deletions, changes and swaps of neighbours between two short names (optimal string alignment).
  private static func edits(_ one: [UInt8], _ other: [UInt8]) -> Int {
    guard !one.isEmpty, !other.isEmpty else { return max(one.count, other.count) }
    var beforeLast: [Int] = []
    var last = Array(0...other.count)
    for i in 1...one.count {
      var row = [i]
      for j in 1...other.count {
        let same = one[i - 1] == other[j - 1]
        var cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1))
        if i > 1, j > 1, one[i - 1] == other[j - 2], one[i - 2] == other[j - 1] {
          cost = min(cost, beforeLast[j - 2] + 1)
        }
        row.append(cost)
      }
      (beforeLast, last) = (last, row)
    }
    return last[other.count]
  }
}
