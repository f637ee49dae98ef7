/// The parts of a drawing that use one another, and how many elements are drawn when each use is followed. Without a
/// bound a few lines draw a billion shapes, each of them twice what the line before draws. An element that costs more
/// than a plain one counts as several (`SVGCost`).
struct SVGReferences {
  /// The most elements that are drawn.
  static let mostDrawn = 10_000
  /// The most references behind one another.
  private static let mostHops = 16

  private struct Part {
    let isGradient: Bool
    let at: Int
    /// As how many elements it counts.
    var weight: Int
    /// The index behind its last descendant.
    var end = 0
    var targets: [ArraySlice<UInt8>] = []
  }

  /// In the order of their begins.
  private var parts: [Part] = []
  private var open: [Int] = []
  /// The first element of each id.
  private var ids: [ArraySlice<UInt8>: Int] = [:]
  private var ofSheet: [ArraySlice<UInt8>] = []

  mutating func enter(_ name: String, id: [UInt8]?, weight: Int, at: Int) {
    if let id, ids[id[...]] == nil { ids[id[...]] = parts.count }
    open.append(parts.count)
    parts.append(Part(isGradient: name == "linearGradient" || name == "radialGradient", at: at, weight: weight))
  }

  /// Notes that the innermost open element costs more than was said when it was entered.
  mutating func add(weight: Int) {
    guard let part = open.last else { return }
    parts[part].weight += weight
  }

  mutating func leave() {
    guard let part = open.popLast() else { return }
    parts[part].end = parts.count
  }

  /// Notes that the element that was entered last refers to an id.
  mutating func add(_ id: ArraySlice<UInt8>) {
    guard let part = parts.indices.last else { return }
    parts[part].targets.append(id)
  }

  /// Notes that a style sheet refers to an id: any element may be meant.
  mutating func addOfSheet(_ id: ArraySlice<UInt8>) { ofSheet.append(id) }

  /// Where a style sheet refers to something that may itself be large; nil where it refers to gradients alone.
  var sheetMisuse: Int? {
    ofSheet.lazy.compactMap { ids[$0] }.first { !parts[$0].isGradient }.map { parts[$0].at }
  }

  /// Where too much is drawn, or a part uses itself; nil for a drawing that is bounded.
  var excess: Int? {
    guard !parts.isEmpty else { return nil }
    var count = Count(references: self)
    let drawn = count.drawn(by: 0, hops: 0)
    return count.place ?? (drawn > Self.mostDrawn ? parts[0].at : nil)
  }

  /// One count. Each element is counted once, so that the work is linear.
  private struct Count {
    let references: SVGReferences
    private var known: [Int?]
    private var isUnderWay: [Bool]
    /// Where a part uses itself, or references stand too many behind one another.
    private(set) var place: Int?

    init(references: SVGReferences) {
      self.references = references
      known = Array(repeating: nil, count: references.parts.count)
      isUnderWay = Array(repeating: false, count: references.parts.count)
    }

    /// Elements that an element draws with everything in it; no more than one above the bound.
    mutating func drawn(by index: Int, hops: Int) -> Int {
      if let known = known[index] { return known }
      let part = references.parts[index]
      guard !isUnderWay[index], hops <= SVGReferences.mostHops else {
        place = place ?? part.at
        return SVGReferences.mostDrawn + 1
      }
      isUnderWay[index] = true
      var sum = part.weight
      var child = index + 1
      while child < part.end, place == nil {
        sum += drawn(by: child, hops: hops)
        child = references.parts[child].end
      }
      for target in part.targets {
        guard place == nil, let used = references.ids[target] else { continue }
        sum += drawn(by: used, hops: hops + 1)
      }
      isUnderWay[index] = false
      known[index] = min(sum, SVGReferences.mostDrawn + 1)
      return min(sum, SVGReferences.mostDrawn + 1)
    }
  }
}
