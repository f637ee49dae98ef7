/// The shape of a value of a document. One table of shapes drives the reading, the messages, did-you-mean and the JSON
/// Schema, so that none of them can disagree.
package indirect enum Shape: Sendable {
  case text(TextForm)
  case integer(ClosedRange<Int64>)
  case boolean
  /// Seconds, written with a unit.
  case duration(ClosedRange<Int64>)
  /// A number of times per duration, `10/15m`.
  case limit
  /// `2027-03-01`
  case date
  case choice([String])
  /// Scalars in a list are unique.
  case list(Shape, count: ClosedRange<Int>)
  case map(MapShape)
  /// A map whose keys are names that the author of the file chooses.
  case dictionary(DictionaryShape)
  /// The first alternative of the value's own kind; scalars try each in turn.
  case either([Shape])
  /// `{secret: name}`; a bare value is refused as a secret in the file.
  case secret
  /// Anything, judged later: the body of a test.
  case any
}

/// A map with a closed set of keys.
package struct MapShape: Sendable {
  /// The name of the map in messages: `password rule`, `sessions`.
  package let what: String
  /// The key whose value names this map in messages, such as a rule's `id`.
  package let label: String?
  package let keys: [Key]
  /// Keys of which exactly one stands in every such map; for the JSON Schema, the reader says it in its own words.
  package let exactlyOne: [String]

  package init(_ what: String, label: String? = nil, _ keys: [Key], exactlyOne: [String] = []) {
    self.what = what
    self.label = label
    self.keys = keys
    self.exactlyOne = exactlyOne
  }

  package func key(_ name: String) -> Key? { keys.first { isName(of: $0, name) } }

  private func isName(of key: Key, _ name: String) -> Bool {
    noteComparison()
    return key.name == name
  }
}

/// One key of a map.
package struct Key: Sendable {
  package let name: String
  /// Whether the value is trust: it decides where secrets, people and mailed links are led, and whose assertions about
  /// a person are accepted. A change needs `trust:write`. It holds for every key below it as well.
  package let isTrust: Bool
  /// Which of two values is the stricter one.
  package let direction: Direction
  package let shape: Shape
  package let isRequired: Bool
  /// One sentence for editors and for `policy schema`.
  package let summary: String
  /// False: the language knows the key, this version can not enforce it, and it is refused.
  package let isAvailable: Bool
  /// Whether `policy test --mutate` changes it: a test in the file can notice a change.
  private(set) var isTried: Bool

  /// - Parameters:
  ///   - trust: has no default, so that no key of a policy is added without an answer.
  ///   - direction: has none for the same reason.
  package init(
    _ name: String, trust: Bool, _ direction: Direction, _ shape: Shape, required: Bool = false,
    available: Bool = true, _ summary: String
  ) {
    self.name = name
    isTrust = trust
    self.direction = direction
    self.shape = shape
    isRequired = required
    self.summary = summary
    isAvailable = available
    isTried = if case .decided = direction { true } else { false }
  }

  /// The same key, which `policy test --mutate` changes.
  var tried: Key {
    var key = self
    key.isTried = true
    return key
  }
}

/// A map from chosen names to values of one shape.
package struct DictionaryShape: Sendable {
  /// The name of one entry in messages: `profile field`.
  package let what: String
  package let names: TextForm
  package let value: Shape
  package let count: ClosedRange<Int>

  package init(_ what: String, names: TextForm, _ value: Shape, count: ClosedRange<Int>) {
    self.what = what
    self.names = names
    self.value = value
    self.count = count
  }
}

/// A kind of text: how long, what it looks like.
package struct TextForm: Sendable {
  /// The expected value, for messages: `a domain such as ksu.edu`.
  package let expected: String
  package let code: DiagnosticCode
  /// Bounds in Unicode code points.
  package let lengths: ClosedRange<Int>
  /// For the JSON Schema, where a pattern says it exactly enough (ECMA 262).
  package let pattern: String?
  /// Words that are often meant, for did-you-mean.
  package let words: [String]
  /// Words with a meaning of their own, which an earlier version reads as text.
  package let named: [String]
  package let accepts: @Sendable (String) -> Bool

  package init(
    _ expected: String, code: DiagnosticCode = .badText, lengths: ClosedRange<Int> = 1...256, pattern: String? = nil,
    words: [String] = [], named: [String] = [], accepts: @escaping @Sendable (String) -> Bool = { _ in true }
  ) {
    self.expected = expected
    self.code = code
    self.lengths = lengths
    self.pattern = pattern
    self.words = words
    self.named = named
    self.accepts = accepts
  }

  package func holds(_ text: String) -> Bool {
    lengths.contains(text.unicodeScalars.count) && accepts(text)
  }

  /// Any text of 1 to `maximum` code points.
  package static func any(_ maximum: Int) -> TextForm {
    TextForm("text of 1 to \(maximum) characters", lengths: 1...maximum)
  }
}
