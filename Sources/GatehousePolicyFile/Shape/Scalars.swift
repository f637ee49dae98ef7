package import GatehousePolicy

extension Shape {
  /// The values that are accepted, for messages.
  package var expected: String {
    switch self {
    case .text(let form): form.expected
    case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .boolean: "true or false"
    case .duration(let range):
      "a duration from \(Seconds.text(range.lowerBound)) to \(Seconds.text(range.upperBound)), such as 30s, 15m, 24h or 30d"
    case .limit: "a limit such as 10/15m"
    case .date: "a date such as 2027-03-01"
    case .choice(let words): words.count == 1 ? words[0] : "one of \(words.joined(separator: ", "))"
    case .list: "a list"
    case .map, .dictionary: "a map"
    case .either(let shapes): shapes.map(\.expected).joined(separator: " or ")
    case .secret: "{secret: NAME}"
    case .any: "a value"
    }
  }

  /// Words that may stand here, for did-you-mean.
  var words: [String] {
    switch self {
    case .choice(let words): words
    case .text(let form): form.words
    case .boolean: ["true", "false"]
    default: []
    }
  }

  /// Whether a value is of the right kind, scalar, list or map, for this shape.
  func fitsKind(of node: Node) -> Bool {
    switch (self, node.content) {
    case (.any, _), (.secret, _): true
    case (.either(let shapes), _): shapes.contains { $0.fitsKind(of: node) }
    case (.list, .list), (.map, .map), (.dictionary, .map): true
    case (.list, _), (.map, _), (.dictionary, _): false
    case (_, .scalar): true
    default: false
    }
  }

  /// Why a scalar does not fit; nil where it does.
  func refusal(_ node: Node) -> DiagnosticCode? {
    switch self {
    case .text(let form):
      form.holds(node.text ?? "") ? nil : form.code
    case .integer(let range):
      node.integer.map { range.contains($0) ? nil : .outOfRange } ?? .notANumber
    case .boolean: node.truth == nil ? .notTrueOrFalse : nil
    case .duration(let range):
      node.seconds.map { range.contains($0) ? nil : .outOfRange } ?? .notADuration
    case .limit: node.limit == nil ? .notALimit : nil
    case .date: node.day == nil ? .notADate : nil
    case .choice(let words):
      words.contains { $0.utf8.elementsEqual((node.text ?? "").utf8) } ? nil : .notAChoice
    case .list, .map, .dictionary, .either, .secret, .any: nil
    }
  }
}

/// Typed reading. Each accessor is nil where the value does not have the type; a checked document answers where its
/// shape says so.
extension Node {
  /// A whole number in plain decimal digits, `-` allowed, no leading zeros; at most 15 digits.
  package var integer: Int64? {
    guard let text = plain else { return nil }
    let digits = Array(text.utf8.drop { $0 == UInt8(ascii: "-") })
    guard text.utf8.count - digits.count <= 1, (1...15).contains(digits.count),
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      digits.count == 1 || digits[0] != UInt8(ascii: "0")
    else { return nil }
    return Int64(text)
  }

  /// `true` or `false`, not in quotes.
  package var truth: Bool? {
    switch plain {
    case "true": true
    case "false": false
    default: nil
    }
  }

  /// A duration in seconds.
  package var seconds: Int64? { text.flatMap(Seconds.parse) }

  /// A limit, `10/15m`.
  package var limit: Limit? { text.flatMap { Limit($0) } }

  /// A calendar day.
  package var day: Day? { text.flatMap { Day($0) } }

  /// The texts of a list of scalars.
  package var texts: [String]? { list?.compactMap(\.text) }

  /// A word as a case of an enumeration of words.
  package func word<Word: RawRepresentable>(_: Word.Type = Word.self) -> Word? where Word.RawValue == String {
    text.flatMap { Word(rawValue: $0) }
  }
}
