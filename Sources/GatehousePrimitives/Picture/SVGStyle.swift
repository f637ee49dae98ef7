/// The check of CSS in an SVG: of style sheets, of the attribute `style`, and of the attributes that are read as CSS.
enum SVGStyle {
  struct Problem {
    let reason: String
    let advice: String
  }

  /// Functions that fetch a picture or a file without `url(`, and words that run code in old browsers.
  private static let words: [[UInt8]] = [
    "image(", "image-set(", "src(", "cross-fade(", "element(", "paint(", "expression(", "javascript:",
  ].map { Array($0.utf8) }

  /// Filters without an element, whose size nothing bounds.
  private static let filters: [[UInt8]] = ["blur(", "drop-shadow("].map { Array($0.utf8) }

  /// A long outline with short dashes is drawn for minutes.
  static let dashes = Problem(
    reason: "dashes are not allowed, but for none", advice: "draw the dashes as shapes, or outline the stroke")

  /// The fault of a style; tells `found` of each reference within the file.
  static func problem(in text: [UInt8], _ found: (ArraySlice<UInt8>) -> Void) -> Problem? {
    // Backslashes write words in another way; they are refused so that the words below are all there is to look for.
    if text.contains(UInt8(ascii: "\\")) {
      return Problem(reason: "a backslash is not allowed", advice: "write the character itself")
    }
    let small = text.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    // GUARD: picture: no word that fetches
    if let word = words.first(where: { small.firstRange(of: $0) != nil }) {
      return Problem(reason: "\(String(decoding: word, as: UTF8.self)) is not allowed", advice: "remove it")
    }
    // GUARD: picture: no filter without an element
    if let word = filters.first(where: { small.firstRange(of: $0) != nil }) {
      return Problem(
        reason: "\(String(decoding: word, as: UTF8.self)) is not allowed",
        advice: "take an element filter with feGaussianBlur or feDropShadow")
    }
    // GUARD: picture: no dashes in a style
    if hasDashes(small) { return dashes }
    return rules(in: small) ?? addresses(in: small, of: text, found)
  }

  /// Whether the property is set to anything but `none`.
  private static func hasDashes(_ small: [UInt8]) -> Bool {
    let property = Array("stroke-dasharray".utf8)
    var rest = small[...]
    while let place = rest.firstRange(of: property) {
      rest = rest[place.upperBound...]
      let value = rest.drop { SVGReader.isBlank($0) || $0 == UInt8(ascii: ":") }
      guard value.starts(with: Array("none".utf8)) else { return true }
    }
    return false
  }

  /// At-rules: `@media` chooses between light and dark; `@import` and `@font-face` fetch, `@keyframes` moves.
  private static func rules(in small: [UInt8]) -> Problem? {
    var rest = small[...]
    while let place = rest.firstIndex(of: UInt8(ascii: "@")) {
      rest = rest[(place + 1)...]
      let name = rest.prefix(while: SVGReader.isNameByte)
      // GUARD: picture: no at-rule that fetches
      guard name.elementsEqual("media".utf8) else {
        return Problem(reason: "of the rules with @ only @media is allowed", advice: "remove the rule")
      }
    }
    return nil
  }

  /// `url(…)`, which may only name an id of the file.
  private static func addresses(
    in small: [UInt8], of text: [UInt8], _ found: (ArraySlice<UInt8>) -> Void
  ) -> Problem? {
    let function = Array("url(".utf8)
    var from = 0
    while let place = small[from...].firstRange(of: function) {
      from = place.upperBound
      let end = small[from...].firstIndex(of: UInt8(ascii: ")")) ?? small.count
      var inside = text[from..<end].drop(while: SVGReader.isBlank)
      while let last = inside.last, SVGReader.isBlank(last) { inside = inside.dropLast() }
      if let quote = inside.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"), inside.last == quote {
        inside = inside.dropFirst().dropLast()
      }
      // GUARD: picture: addresses within the file
      guard end < small.count, let id = fragment(Array(inside)) else {
        return Problem(
          reason: "url(…) may only name an id of the file, as url(#id)",
          advice: "put what it names into the file, under an id of letters, digits, _, - and .")
      }
      found(id)
      from = end
    }
    return nil
  }

  /// The id that `#id` names; nil for anything else. An id that needs percent signs has two writings.
  static func fragment(_ text: [UInt8]) -> ArraySlice<UInt8>? {
    let id = text.dropFirst()
    guard text.first == UInt8(ascii: "#"), (1...128).contains(id.count), id.allSatisfy(SVGReader.isNameByte) else {
      return nil
    }
    return id
  }
}
