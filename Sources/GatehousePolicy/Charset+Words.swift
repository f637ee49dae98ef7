extension Charset {
  /// The set as people read it: `letters, numbers, . and _` of `a-zA-Z0-9_.`, in a language.
  func words(in language: Language) -> String {
    let words = Words.of(language)
    let (small, capital, digits) = (0x61...0x7A, 0x41...0x5A, 0x30...0x39) as (Range, Range, Range)
    let hasBoth = ranges.contains(small) && ranges.contains(capital)
    var (classes, others): ([String], [UInt32: String]) = ([], [:])
    for range in ranges {
      switch range {
      case small, capital: classes.append(hasBoth ? words.letters : range == small ? words.small : words.capital)
      case digits: classes.append(words.numbers)
      case 0x20...0x20: classes.append(words.blanks)
      default: others[range.lowerBound] = language.embedded(Self.shown(range))
      }
    }
    var seen: Set<String> = []
    // A full stop is not the last one, where the sentence has its own.
    let stop = others.removeValue(forKey: 0x2E).map { [$0] } ?? []
    let parts =
      classes.filter { seen.insert($0).inserted } + stop + others.sorted { $0.key < $1.key }.map(\.value)
    guard let last = parts.last, parts.count > 1 else { return parts.first ?? text }
    return parts.dropLast().joined(separator: words.comma) + " \(words.and)" + last
  }

  private typealias Range = ClosedRange<UInt32>

  private static func shown(_ range: Range) -> String {
    let ends = [range.lowerBound, range.upperBound].compactMap(Unicode.Scalar.init).map { String(Character($0)) }
    return range.count == 1 ? ends.first ?? "" : ends.joined(separator: "–")
  }

  private struct Words {
    let letters, small, capital, numbers, blanks: String
    /// Between two members of a list, and before the last one.
    let comma, and: String

    static func of(_ language: Language) -> Words {
      switch language {
      case .english: .english
      case .spanish: .spanish
      case .german: .german
      case .arabic: .arabic
      }
    }

    static let english = Words(
      letters: "letters", small: "small letters", capital: "capital letters", numbers: "numbers", blanks: "spaces",
      comma: ", ", and: "and ")
    static let spanish = Words(
      letters: "letras", small: "letras minúsculas", capital: "letras mayúsculas", numbers: "números",
      blanks: "espacios", comma: ", ", and: "y ")
    static let german = Words(
      letters: "Buchstaben", small: "Kleinbuchstaben", capital: "Großbuchstaben", numbers: "Ziffern",
      blanks: "Leerzeichen", comma: ", ", and: "und ")
    static let arabic = Words(
      letters: "الحروف", small: "الحروف الصغيرة", capital: "الحروف الكبيرة", numbers: "الأرقام", blanks: "المسافات",
      comma: "، ", and: "و")
  }
}
