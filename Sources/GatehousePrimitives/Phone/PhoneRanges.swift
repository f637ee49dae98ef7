/// Ranges of telephone numbers that the operator adds to those of the library, whose metadata are as old as its
/// package.
///
/// The file is UTF-8 text with one range a line: country code, the first digits behind it, how many digits there are
/// behind it, and the type, with spaces between: `1 942 10 mobile`. A line that begins with `#`, and an empty one, says
/// nothing.
package struct PhoneRanges: Sendable {
  /// The type of the numbers of a range.
  package enum Kind: String, Sendable, CaseIterable {
    case fixed, mobile
    /// Either, as in North America.
    case any
  }

  fileprivate struct Range: Sendable {
    let countryCode: String
    let prefix: String
    let lengths: ClosedRange<Int>
    let kind: Kind
  }

  private let ranges: [Range]

  /// Reads the contents of a file; every line is checked.
  package init(_ bytes: [UInt8]) throws(PhoneRangesError) {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText }
    var ranges: [Range] = []
    for (index, line) in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      let words = line.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }.map { String(Substring($0)) }
      if words.first?.hasPrefix("#") ?? true { continue }
      guard let range = Range(words) else { throw .notARange(line: index + 1) }
      ranges.append(range)
    }
    guard !ranges.isEmpty else { throw .empty }
    self.ranges = ranges
  }

  /// How many ranges there are.
  package var count: Int { ranges.count }

  /// The type of the range that the number lies in; nil where it lies in none.
  package func kind(of number: PhoneNumber) -> Kind? {
    ranges.first { range in
      range.countryCode == number.countryCode && number.national.hasPrefix(range.prefix)
        && range.lengths.contains(number.national.utf8.count)
    }?.kind
  }
}

extension PhoneRanges.Range {
  /// Nil for what is no range.
  fileprivate init?(_ words: [String]) {
    guard words.count == 4, Self.isDigits(words[0], 1...3), Self.isDigits(words[1], 1...14),
      let kind = PhoneRanges.Kind(rawValue: words[3])
    else { return nil }
    let bounds = words[2].split(separator: "-", omittingEmptySubsequences: false)
    guard (1...2).contains(bounds.count), bounds.allSatisfy({ Self.isDigits(String($0), 1...2) }),
      let least = Int(bounds[0]), let most = Int(bounds[bounds.count - 1]), least <= most,
      (words[1].utf8.count...14).contains(least), most <= 14
    else { return nil }
    self.init(countryCode: words[0], prefix: words[1], lengths: least...most, kind: kind)
  }

  private static func isDigits(_ text: String, _ count: ClosedRange<Int>) -> Bool {
    count.contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}

/// Why a file is no list of ranges.
package enum PhoneRangesError: Error, Equatable, Sendable, CustomStringConvertible {
  /// It is not UTF-8.
  case notText
  /// This line, counted from 1, is no range.
  case notARange(line: Int)
  /// No line has a range.
  case empty

  package var description: String {
    switch self {
    case .notText: "it is not UTF-8 text"
    case .notARange(let line): "line \(line) is not a range such as \"1 942 10 any\""
    case .empty: "it has no range"
    }
  }
}
