/// Choosing among languages by RFC 4647 look-up: `es-MX` finds `es`.
package enum Languages {
  /// The first of `preferring` that `available` has, whole or by its primary part; otherwise the first available, or
  /// English when there is none.
  package static func choose(from available: [String], preferring: [String]) -> String {
    for wanted in preferring {
      let wanted = wanted.lowercased()
      if let exact = available.first(where: { $0.lowercased() == wanted }) { return exact }
      let primary = wanted.prefix { $0 != "-" }
      if let near = available.first(where: { $0.lowercased() == primary }) { return near }
    }
    return available.first ?? "en"
  }

  /// The languages of an `Accept-Language` header (RFC 9110 section 12.5.4), best first; at most 8 are read, and what
  /// is not well formed is passed over.
  package static func parse(_ header: String) -> [String] {
    guard header.utf8.count <= 256 else { return [] }
    let ranges = header.split(separator: ",").prefix(8).compactMap { part -> (tag: String, weight: Int)? in
      let pieces = part.split(separator: ";").map { $0.trimmingSpaces }
      guard let tag = pieces.first, !tag.isEmpty, tag.utf8.allSatisfy({ $0.isTagByte }) else { return nil }
      guard pieces.count > 1 else { return (tag, 1000) }
      guard pieces[1].hasPrefix("q="), let weight = weight(pieces[1].dropFirst(2)), weight > 0 else { return nil }
      return (tag, weight)
    }
    return ranges.enumerated().sorted { one, other in
      one.element.weight != other.element.weight
        ? one.element.weight > other.element.weight : one.offset < other.offset
    }.map(\.element.tag)
  }

  /// `0.8` as 800; nil unless it is a qvalue (RFC 9110 section 12.4.2).
  private static func weight(_ text: Substring) -> Int? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard let whole = parts.first, whole == "0" || whole == "1", parts.count <= 2 else { return nil }
    let fraction = parts.count == 2 ? parts[1] : ""
    guard fraction.utf8.count <= 3, fraction.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    let padded = fraction + String(repeating: "0", count: 3 - fraction.utf8.count)
    return min(1000, (whole == "1" ? 1000 : 0) + (Int(padded) ?? 0))
  }
}

extension Substring {
  fileprivate var trimmingSpaces: String {
    var bytes = Array(utf8)[...]
    while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
    while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var isTagByte: Bool {
    (0x61...0x7A).contains(self) || (0x41...0x5A).contains(self) || (0x30...0x39).contains(self) || self == 0x2D
  }
}
