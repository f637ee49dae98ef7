/// A set of characters written as `a-zA-Z0-9_.`: single code points and ranges; a `-` that stands first or last is
/// itself.
public struct Charset: Sendable, Hashable {
  /// As written.
  public let text: String
  /// In the order written; they may overlap.
  public let ranges: [ClosedRange<UInt32>]

  /// Nil when empty, when a range runs backwards, or when it names a control character.
  public init?(_ text: String) {
    let scalars = Array(text.unicodeScalars.map(\.value))
    guard !scalars.isEmpty, scalars.count <= 256 else { return nil }
    var ranges: [ClosedRange<UInt32>] = []
    var index = 0
    while index < scalars.count {
      let low = scalars[index]
      guard low >= 0x20, low != 0x7F else { return nil }
      if index + 2 < scalars.count, scalars[index + 1] == 0x2D {
        let high = scalars[index + 2]
        guard low <= high else { return nil }
        ranges.append(low...high)
        index += 3
      } else {
        ranges.append(low...low)
        index += 1
      }
    }
    self.text = text
    self.ranges = ranges
  }

  /// Whether a code point is in the set.
  public func contains(_ scalar: Unicode.Scalar) -> Bool {
    for range in ranges where range.contains(scalar.value) { return true }
    return false
  }

  /// Whether every code point of `text` is in the set. True for the empty text.
  public func holds(_ text: String) -> Bool { text.unicodeScalars.allSatisfy(contains) }
}
