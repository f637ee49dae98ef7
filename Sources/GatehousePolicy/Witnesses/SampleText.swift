/// Changes of an example's text that keep what other rules look at, as far as they can.
extension String {
  /// The text cut or extended to so many code points. It keeps one character of each class while there is room, and no
  /// blank stands at an end, where `trim` would cut it off.
  func resized(to count: Int) -> String {
    let scalars = Array(unicodeScalars)
    let filler = scalars.last { !CharacterClass.isBlank($0) } ?? "z"
    var kept = scalars
    if count < scalars.count {
      let first = oneOfEachClass
      let order = first + scalars.indices.filter { !first.contains($0) }
      kept = order.prefix(count).sorted().map { scalars[$0] }
    } else {
      kept += Array(repeating: filler, count: count - scalars.count)
    }
    for end in [kept.indices.first, kept.indices.last] {
      if let end, CharacterClass.isBlank(kept[end]) { kept[end] = filler }
    }
    return String(kept)
  }

  /// The places of the first character of each class that the text has, in the order of the text.
  var oneOfEachClass: [Int] {
    let scalars = Array(unicodeScalars)
    return CharacterClass.allCases.compactMap { each in scalars.firstIndex(where: each.contains) }.sorted()
  }

  /// The text with this character in the place of one that no class loses as its only one. Where there is none, it
  /// stands behind the text, or in the place of the last where the length is kept.
  func with(_ scalar: Unicode.Scalar, keepsLength: Bool = false) -> String {
    var scalars = Array(unicodeScalars)
    let only = oneOfEachClass
    let spare = scalars.indices.last { !only.contains($0) }
    guard let place = spare ?? (keepsLength ? scalars.indices.last : nil) else { return String(scalars + [scalar]) }
    scalars[place] = scalar
    return String(scalars)
  }

  /// The text with another character in the place of each of the class: one that it has already, so that it gains no
  /// class.
  func without(_ unwanted: CharacterClass) -> String {
    let rest = unicodeScalars.filter { !unwanted.contains($0) && !CharacterClass.isBlank($0) }
    let filler = rest.last ?? (unwanted == .lowercase ? "Z" : "z")
    return String(unicodeScalars.map { unwanted.contains($0) ? filler : $0 })
  }

  fileprivate init(_ scalars: [Unicode.Scalar]) {
    var view = UnicodeScalarView()
    view.append(contentsOf: scalars)
    self.init(view)
  }
}

extension CharacterClass {
  /// A character of the class.
  var example: Unicode.Scalar {
    switch self {
    case .uppercase: "A"
    case .lowercase: "a"
    case .digit: "1"
    case .special: "-"
    }
  }

  static func isBlank(_ scalar: Unicode.Scalar) -> Bool { TypedText.trimmed(String(scalar)).isEmpty }
}
