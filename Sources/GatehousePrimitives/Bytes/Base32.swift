/// Base32 without padding.
package enum Base32 {
  private static let standard = BaseEncoding("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
  /// Douglas Crockford's alphabet leaves out I, L, O and U.
  private static let people: BaseEncoding = {
    let alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    let small = alphabet.map { (read: Character($0.lowercased()), meant: $0) }
    return BaseEncoding(
      alphabet, alike: small + "Oo".map { (read: $0, meant: "0") } + "IiLl".map { (read: $0, meant: "1") })
  }()

  /// The text of `bytes` (RFC 4648 section 6), in capital letters.
  package static func encode(_ bytes: [UInt8]) -> String { String(decoding: standard.encode(bytes), as: UTF8.self) }

  /// The bytes of `text`, or `nil` for padding, small letters, any other character, an impossible length, or last bits
  /// that are not zero.
  package static func decode(_ text: String) -> [UInt8]? { standard.decode(Array(text.utf8)[...]) }

  /// The text of `bytes` in Crockford's alphabet, which people read and type, in capital letters.
  package static func crockfordEncode(_ bytes: [UInt8]) -> String {
    String(decoding: people.encode(bytes), as: UTF8.self)
  }

  /// The bytes of `text` in Crockford's alphabet, small letters as capital ones, `O` as 0, `I` and `L` as 1; `nil` for
  /// any other character (hyphens, `U`), an impossible length, or last bits that are not zero.
  package static func crockfordDecode(_ text: String) -> [UInt8]? { people.decode(Array(text.utf8)[...]) }
}
