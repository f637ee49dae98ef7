extension Strictness {
  /// Each character admits texts.
  static let characters = Strictness { old, new in
    guard case .characters(let old) = old, case .characters(let new) = new else {
      return .equalOrIncomparable(old, new)
    }
    return .ofSets(newInOld: old.contains(new), oldInNew: new.contains(old))
  } loosened: { _ in
    []
  }
}

extension Charset {
  /// Whether every text of `inner` is one of this set.
  fileprivate func contains(_ inner: Charset) -> Bool {
    // Text of `letters` begins with none of its marks; of another set it may.
    if isLetters, !inner.isLetters, inner.ranges.contains(where: { $0.overlaps(0x300...0x36F) }) { return false }
    // A range can be spread over several; joining neighbours first makes one test enough.
    var joined: [ClosedRange<UInt32>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, UInt64(range.lowerBound) <= UInt64(last.upperBound) + 1 {
        joined[joined.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    return inner.ranges.allSatisfy { range in
      joined.contains { $0.contains(range.lowerBound) && $0.contains(range.upperBound) }
    }
  }
}
