/// Base64url without padding (RFC 4648 section 5, as RFC 7515 uses it), strict in reading: one text per value.
package enum Base64URL {
  /// The text of `bytes`.
  package static func encode(_ bytes: [UInt8]) -> String { String(decoding: Base64.url.encode(bytes), as: UTF8.self) }

  /// The text of `bytes`, as ASCII.
  package static func encodedBytes(_ bytes: [UInt8]) -> [UInt8] { Base64.url.encode(bytes) }

  /// The bytes of `text`, or `nil` for padding, white space, any other character, an impossible length, or last bits
  /// that are not zero.
  package static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? { Base64.url.decode(text) }

  /// The bytes of `text`, as `decode(_:)` on its UTF-8.
  package static func decode(_ text: String) -> [UInt8]? { Base64.url.decode(Array(text.utf8)[...]) }

  /// The bytes of `text` in either alphabet of RFC 4648, with padding or without: for fields whose clients have the
  /// encoder of their platform. White space, any other character, an impossible length and last bits that are not zero
  /// are refused.
  package static func decodeEither(_ text: String) -> [UInt8]? {
    var characters = Array(text.utf8)
    let padding =
      characters.count % 4 == 0 ? characters.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count : 0
    characters.removeLast(padding)
    return Base64.url.decode(
      characters.map { character in
        switch character {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: character
        }
      }[...])
  }
}
