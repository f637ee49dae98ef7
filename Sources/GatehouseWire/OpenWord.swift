/// A word of an answer as a client reads it: it may be newer than the client. A word that this version knows is a case
/// of `Known`.
package struct OpenWord<Known: RawRepresentable<String> & Hashable & Sendable>: AnyOpenWord, Codable, Hashable, Sendable
{
  /// The word, `verified`.
  package let rawValue: String

  /// Any word.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// A word of this version.
  package init(_ known: Known) { rawValue = known.rawValue }

  /// The case; nil for a word of a newer server.
  package var known: Known? { Known(rawValue: rawValue) }

  /// Whether the word is that of the known case.
  package static func == (word: OpenWord, known: Known) -> Bool { word.rawValue == known.rawValue }

  /// The word alone.
  package init(from decoder: any Decoder) throws {
    rawValue = try decoder.singleValueContainer().decode(String.self)
  }

  /// The word alone.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

/// The protocol of every `OpenWord`, for code that needs no list of words.
package protocol AnyOpenWord: RawRepresentable<String> {
  /// Any word.
  init(rawValue: String)
}
