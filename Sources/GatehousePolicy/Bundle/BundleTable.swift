/// One key of a bundle: how its value is written, and how it is read back.
struct BundleKey<Section>: Sendable {
  let name: String
  /// Whether a bundle without it is refused. The section's default stands otherwise.
  var isRequired = false
  /// Nil: left out.
  let write: @Sendable (Section) -> JSONText?
  let read: @Sendable (BundleValue, inout Section) throws -> Void
}

/// The keys of one section of a bundle. Writer and reader go by it; what no table has is in no bundle.
struct BundleTable<Section>: Sendable {
  let keys: [BundleKey<Section>]

  init(_ keys: [BundleKey<Section>]) { self.keys = keys }

  func write(_ section: Section) -> JSONText {
    .object(keys.compactMap { key in key.write(section).map { (key.name, $0) } })
  }

  /// The section as the bundle states it, over its defaults. Throws a `PolicyBundleError`.
  func read(_ value: BundleValue, over silent: Section) throws -> Section {
    let members = try value.members
    if let unknown = members.first(where: { member in !keys.contains { $0.name == member.name } }) {
      throw PolicyBundleError.unknownKey(unknown.value.path)
    }
    var section = silent
    for key in keys {
      if let member = members.first(where: { $0.name == key.name }) {
        try key.read(member.value, &section)
      } else if key.isRequired {
        throw PolicyBundleError.missing(value.path(of: key.name))
      }
    }
    return section
  }
}

/// A value of a bundle, and its place for an error.
struct BundleValue {
  let json: JSONText
  /// `password.rules[2].id`; empty for the whole.
  let path: String

  func path(of name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

  func refusal(_ expected: String) -> PolicyBundleError { .unexpected(path, expected: expected) }

  var members: [(name: String, value: BundleValue)] {
    get throws {
      guard case .object(let members) = json else { throw refusal("an object") }
      return members.map { ($0.0, BundleValue(json: $0.1, path: path(of: $0.0))) }
    }
  }

  var list: [BundleValue] {
    get throws {
      guard case .array(let values) = json else { throw refusal("a list") }
      return values.enumerated().map { BundleValue(json: $1, path: "\(path)[\($0)]") }
    }
  }

  var text: String {
    get throws {
      guard case .string(let text) = json else { throw refusal("a text") }
      return text
    }
  }

  var integer: Int64 {
    get throws {
      guard case .integer(let number) = json else { throw refusal("a whole number") }
      return number
    }
  }

  var flag: Bool {
    get throws {
      guard case .boolean(let flag) = json else { throw refusal("true or false") }
      return flag
    }
  }

  var seconds: Int64 {
    get throws {
      guard let seconds = Seconds.parse(try text) else { throw refusal(ParameterShape.duration.expected) }
      return seconds
    }
  }

  var day: Day {
    get throws {
      guard let day = Day(try text) else { throw refusal("a day, as 2027-03-01") }
      return day
    }
  }

  /// A text by language.
  var texts: Texts {
    get throws { Texts(try dictionary { try $0.text }) }
  }

  func word<Word: RawRepresentable & CaseIterable>(_: Word.Type = Word.self) throws -> Word
  where Word.RawValue == String {
    guard let word = Word(rawValue: try text) else {
      throw refusal("one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return word
  }

  func dictionary<Value>(_ read: (BundleValue) throws -> Value) throws -> [String: Value] {
    Dictionary(try members.map { ($0.name, try read($0.value)) }, uniquingKeysWith: { first, _ in first })
  }
}
