/// A strict reader of the part of XML 1.0 that drawings need: elements, attributes, text, comments and CDATA sections,
/// in UTF-8. Refused are a document type, entities beyond the five that XML names itself, processing instructions, and
/// all that a browser would refuse to read. Time is linear in the size.
struct SVGReader {
  enum Token {
    case open(Element)
    case close(name: String, at: Int)
    /// Decoded.
    case text([UInt8], at: Int)
  }

  struct Element {
    let name: String
    let attributes: [Attribute]
    /// Whether the element ends where it begins: `<path/>`.
    let isEmpty: Bool
    let at: Int

    /// The value of an attribute without a prefix.
    func value(_ name: String) -> [UInt8]? { attributes.first { $0.name == name }?.value }
  }

  struct Attribute {
    let name: String
    /// Decoded.
    let value: [UInt8]
    let at: Int

    /// The part before the colon; nil without one.
    var prefix: Substring? { name.contains(":") ? name.prefix { $0 != ":" } : nil }
    /// The part behind the colon, in small letters.
    var local: String {
      let behind = name.drop { $0 != ":" }.dropFirst()
      return (behind.isEmpty ? name[...] : behind).lowercased()
    }
  }

  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  /// The most attributes of an element.
  static let mostAttributes = 64

  let bytes: [UInt8]
  private(set) var at = 0

  /// Throws for bytes that are no text of XML.
  init(_ bytes: [UInt8]) throws(PictureProblem) {
    self.bytes = bytes
    if bytes.starts(with: Self.byteOrderMark) { at = Self.byteOrderMark.count }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw PictureProblem("it is not in UTF-8", do: "save it in UTF-8")
    }
    let wrong =
      bytes.firstIndex { $0 < 0x20 && !Self.isBlank($0) }
      ?? ([0xBE, 0xBF] as [UInt8]).compactMap { bytes.firstRange(of: [0xEF, 0xBF, $0])?.lowerBound }.first
    if let wrong { throw problem("a control character is not allowed", wrong) }
    try skipDeclaration()
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  func problem(
    _ reason: String, _ offset: Int, do advice: String = "correct it, or export the drawing again as a plain SVG"
  ) -> PictureProblem {
    let before = bytes.prefix(offset)
    let line = before.count { $0 == 0x0A } + 1
    let column = offset - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
    return PictureProblem(reason, at: .text(line: line, column: column), do: advice)
  }

  /// The next token; nil at the end.
  mutating func next() throws(PictureProblem) -> Token? {
    while at < bytes.count {
      guard bytes[at] == UInt8(ascii: "<") else { return try text() }
      if starts("<!--") {
        try skipComment()
      } else if starts("<![CDATA[") {
        return try section()
      } else if starts("<!") {
        // GUARD: picture: no document type
        throw problem("a document type is not allowed", at, do: "remove the line <!DOCTYPE …>")
      } else if starts("<?") {
        throw problem("a processing instruction is not allowed", at, do: "remove it")
      } else if starts("</") {
        return try close()
      } else {
        return .open(try open())
      }
    }
    return nil
  }

  // MARK: Pieces

  private func starts(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[at...].starts(with: $0) }
  }

  /// The offset of a text from here on.
  private func find(_ text: String) -> Int? { bytes[at...].firstRange(of: Array(text.utf8))?.lowerBound }

  private mutating func skipBlanks() { while at < bytes.count, Self.isBlank(bytes[at]) { at += 1 } }

  /// The declaration at the beginning, which may name no other encoding: browsers would read other characters.
  private mutating func skipDeclaration() throws(PictureProblem) {
    guard starts("<?xml"), at + 5 < bytes.count, Self.isBlank(bytes[at + 5]) else { return }
    let form = /<\?xml\s+version=["']1\.0["'](\s+encoding=["']utf-8["'])?(\s+standalone=["'](yes|no)["'])?\s*/
    guard let end = find("?>"),
      String(decoding: bytes[at..<end], as: UTF8.self).lowercased().wholeMatch(of: form) != nil
    else {
      throw problem(
        #"another declaration than <?xml version="1.0" encoding="UTF-8"?> is not allowed"#, at, do: "save it in UTF-8")
    }
    at = end + 2
  }

  private mutating func skipComment() throws(PictureProblem) {
    let start = at
    at += 4
    guard let end = find("--"), bytes[(end + 2)...].first == UInt8(ascii: ">") else {
      throw problem("the comment does not end with -->", start)
    }
    at = end + 3
  }

  private mutating func section() throws(PictureProblem) -> Token {
    let start = at
    at += 9
    guard let end = find("]]>") else { throw problem("the CDATA section does not end", start) }
    defer { at = end + 3 }
    return .text(Array(bytes[at..<end]), at: start)
  }

  private mutating func text() throws(PictureProblem) -> Token {
    let start = at
    let end = bytes[at...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
    if let mark = bytes[at..<end].firstRange(of: Array("]]>".utf8)) {
      throw problem("]]> ends nothing", mark.lowerBound)
    }
    at = end
    return .text(try decoded(start..<end), at: start)
  }

  private mutating func close() throws(PictureProblem) -> Token {
    let start = at
    at += 2
    let name = try name()
    skipBlanks()
    guard bytes[at...].first == UInt8(ascii: ">") else { throw problem("the end of \(name) has no >", start) }
    at += 1
    return .close(name: name, at: start)
  }

  private mutating func open() throws(PictureProblem) -> Element {
    let start = at
    at += 1
    let name = try name()
    var attributes: [Attribute] = []
    while true {
      let gap = at
      skipBlanks()
      if bytes[at...].first == UInt8(ascii: ">") {
        at += 1
        return Element(name: name, attributes: attributes, isEmpty: false, at: start)
      }
      if starts("/>") {
        at += 2
        return Element(name: name, attributes: attributes, isEmpty: true, at: start)
      }
      guard at < bytes.count else { throw problem("the tag of \(name) does not end", start) }
      guard at > gap else { throw problem("a blank is missing before an attribute", at) }
      let attribute = try attribute()
      guard !attributes.contains(where: { $0.name == attribute.name }) else {
        throw problem("the attribute \(attribute.name) is there twice", attribute.at)
      }
      guard attributes.count < Self.mostAttributes else {
        throw problem("more than \(Self.mostAttributes) attributes are not allowed", attribute.at)
      }
      attributes.append(attribute)
    }
  }

  private mutating func attribute() throws(PictureProblem) -> Attribute {
    let start = at
    let name = try name()
    skipBlanks()
    guard bytes[at...].first == UInt8(ascii: "=") else { throw problem("the attribute \(name) has no value", start) }
    at += 1
    skipBlanks()
    guard let quote = bytes[at...].first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
      let end = bytes[(at + 1)...].firstIndex(of: quote)
    else { throw problem("the value of \(name) is not in quotation marks", start) }
    let range = (at + 1)..<end
    guard !bytes[range].contains(UInt8(ascii: "<")) else { throw problem("the value of \(name) holds a <", start) }
    at = end + 1
    return Attribute(name: name, value: try decoded(range), at: start)
  }

  /// A name of ASCII letters, digits, `_`, `-`, `.` and at most one colon inside.
  private mutating func name() throws(PictureProblem) -> String {
    let start = at
    while at < bytes.count, Self.isNameByte(bytes[at]) || bytes[at] == UInt8(ascii: ":") { at += 1 }
    let name = bytes[start..<at]
    let parts = name.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    let isName =
      parts.count <= 2
      && parts.allSatisfy { part in
        part.first.map { Self.isNameByte($0) && !(0x30...0x39).contains($0) && $0 != 0x2D && $0 != 0x2E } == true
      }
    guard isName, name.count <= 64 else {
      throw problem("a name of letters, digits, _, - and . is missing here", start)
    }
    return String(decoding: name, as: UTF8.self)
  }

  static func isNameByte(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x5F
      || byte == 0x2D || byte == 0x2E
  }

  /// The text at these offsets, each reference in it read once.
  private func decoded(_ range: Range<Int>) throws(PictureProblem) -> [UInt8] {
    guard bytes[range].contains(UInt8(ascii: "&")) else { return Array(bytes[range]) }
    var text: [UInt8] = []
    var place = range.lowerBound
    while place < range.upperBound {
      guard bytes[place] == UInt8(ascii: "&") else {
        text.append(bytes[place])
        place += 1
        continue
      }
      let rest = bytes[place..<min(range.upperBound, place + 12)]
      guard let end = rest.firstIndex(of: UInt8(ascii: ";")),
        let character = Self.character(String(decoding: bytes[(place + 1)..<end], as: UTF8.self))
      else {
        throw problem(
          "only &amp; &lt; &gt; &quot; &apos; and numbers of characters are allowed here", place,
          do: "write the character itself")
      }
      text += Array(String(character).utf8)
      place = end + 1
    }
    return text
  }

  /// The character of a reference, `amp` or `#x26`.
  private static func character(_ name: String) -> Unicode.Scalar? {
    let named: [String: Unicode.Scalar] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
    if let found = named[name] { return found }
    let isHexadecimal = name.hasPrefix("#x")
    let digits = name.dropFirst(isHexadecimal ? 2 : 1)
    guard name.hasPrefix("#"), digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
      let scalar = UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap({ Unicode.Scalar($0) }),
      scalar.value >= 0x20 || [0x09, 0x0A, 0x0D].contains(scalar.value), scalar.value & 0xFFFE != 0xFFFE
    else { return nil }
    return scalar
  }
}
