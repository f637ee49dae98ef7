/// The reason in a refusal, as a client reads it: a word that may be newer than the client. A word that this version
/// knows is an `ErrorCode`.
package struct ProblemCode: RawRepresentable, Codable, Hashable, Sendable {
  /// The word, `account_disabled`.
  package let rawValue: String

  /// Any word.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// A reason of this version.
  package init(_ code: ErrorCode) { rawValue = code.rawValue }

  /// The reason; nil for a word of a newer server.
  package var known: ErrorCode? { ErrorCode(rawValue: rawValue) }

  /// Whether the word is that of the known code.
  package static func == (code: ProblemCode, known: ErrorCode) -> Bool { code.rawValue == known.rawValue }

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
