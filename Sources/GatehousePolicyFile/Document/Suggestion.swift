/// Finds the word that the author meant.
package enum Suggestion {
  /// Candidates that one word is compared with: distances are the dearest comparisons there are.
  static let mostCandidates = 256

  /// The nearest of `candidates` by edit distance (insert, delete, replace, swap of neighbours), without case; nil
  /// where none is near. A third of the word's length may be wrong, at least one character. No more than
  /// `mostCandidates` are looked at.
  package static func nearest(to word: String, among candidates: [String]) -> String? {
    let typed = Array(word.lowercased().utf8.prefix(64))
    guard !typed.isEmpty else { return nil }
    let compared = candidates.prefix(mostCandidates)  // GUARD: policy file: a suggestion looks at so many names
    let near = compared.map { candidate in
      noteComparison()
      return (candidate, distance(typed, Array(candidate.lowercased().utf8.prefix(64))))
    }
    guard let best = near.min(by: { $0.1 < $1.1 }) else { return nil }
    return best.1 <= max(1, typed.count / 3) ? best.0 : nil
  }

  /// Optimal string alignment distance.
  static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    if left.isEmpty || right.isEmpty { return max(left.count, right.count) }
    var before: [Int] = []
    var above = Array(0...right.count)
    for row in 1...left.count {
      var current = [row]
      for column in 1...right.count {
        let change = left[row - 1] == right[column - 1] ? 0 : 1
        var best = min(above[column] + 1, current[column - 1] + 1, above[column - 1] + change)
        if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
          best = min(best, before[column - 2] + 1)
        }
        current.append(best)
      }
      (before, above) = (above, current)
    }
    return above[right.count]
  }
}
