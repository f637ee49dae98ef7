/// Texts as they stand in addresses and header fields.
enum QueryWords {
  /// Everything but unreserved characters (RFC 3986, section 2.3) is percent-encoded.
  static func escaped(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      if isTag(byte) || [UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~")].contains(byte) {
        result.append(Character(Unicode.Scalar(byte)))
      } else {
        result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }

  /// The tags (BCP 47) among these, ten at most.
  static func languages(_ wanted: [String]) -> [String] {
    wanted.prefix(10).filter { !$0.isEmpty && $0.utf8.count <= 35 && $0.utf8.allSatisfy(isTag) }
  }

  private static func isTag(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
  }
}
