/// Finds the word somebody probably meant.
enum Suggestion {
  /// The nearest of `words` within a third of the length (at least one edit), or `nil`. Ties go to the first listed.
  static func nearest(to typed: String, among words: [String]) -> String? {
    let limit = max(1, min(typed.count, 60) / 3)
    var best: (word: String, distance: Int)?
    for word in words {
      let distance = distance(Array(typed.lowercased().prefix(60)), Array(word.lowercased().prefix(60)))
      if distance <= limit, distance < best?.distance ?? .max { best = (word, distance) }
    }
    return best?.word ?? words.first { typed.count >= 3 && $0.hasPrefix(typed) }
  }

  /// ` (did you mean "x"?)`, or nothing.
  static func phrase(for typed: String, among words: [String]) -> String {
    nearest(to: typed, among: words).map { "; did you mean \"\($0)\"?" } ?? ""
  }

  /// Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours.
  static func distance(_ one: [Character], _ other: [Character]) -> Int {
    guard !one.isEmpty, !other.isEmpty else { return max(one.count, other.count) }
    var older = [Int](repeating: 0, count: other.count + 1)
    var row = Array(0...other.count)
    for i in 1...one.count {
      var next = [Int](repeating: i, count: other.count + 1)
      for j in 1...other.count {
        let substitution = row[j - 1] + (one[i - 1] == other[j - 1] ? 0 : 1)
        next[j] = min(next[j - 1] + 1, row[j] + 1, substitution)
        if i > 1, j > 1, one[i - 1] == other[j - 2], one[i - 2] == other[j - 1] {
          next[j] = min(next[j], older[j - 2] + 1)
        }
      }
      older = row
      row = next
    }
    return row[other.count]
  }
}
