/// A code for the day when every other factor is lost: 120 random bits (NIST SP 800-63B asks for 112 before a plain
/// keyed hash suffices) in 24 characters of Crockford's alphabet. It prints as its kind alone.
package struct RecoveryCode: Sendable {
  /// How many characters a code has.
  package static let characterCount = 24
  private static let byteCount = 15
  private static let groupSize = 4

  private let random: Secret<[UInt8]>

  private init(random: [UInt8]) { self.random = Secret(random) }

  /// A new code.
  package static func make() -> RecoveryCode { RecoveryCode(random: SecureRandom.bytes(byteCount)) }

  /// The code with these characters, in either case, with `O` for 0 and `I` or `L` for 1, and without separators; `nil`
  /// for any other text.
  package init?(characters text: String) {
    guard text.utf8.count == Self.characterCount, let random = Base32.crockfordDecode(text) else { return nil }
    self.init(random: random)
  }

  /// The 15 bytes that the code stands for: the same for each of its spellings. The stored form is their keyed hash.
  package var bytes: [UInt8] { random.expose { $0 } }

  /// The code for the eyes of its owner: `XXXX-XXXX-XXXX-XXXX-XXXX-XXXX`.
  package var shown: String {
    let characters = random.expose { Array(Base32.crockfordEncode($0)) }
    return stride(from: 0, to: characters.count, by: Self.groupSize)
      .map { String(characters[$0..<min($0 + Self.groupSize, characters.count)]) }.joined(separator: "-")
  }
}

extension RecoveryCode: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Always the same text; never the code.
  package var description: String { "RecoveryCode(…)" }
  /// Always the same text; never the code.
  package var debugDescription: String { description }
  /// Nothing to see.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
