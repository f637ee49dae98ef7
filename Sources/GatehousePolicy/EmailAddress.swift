/// An e-mail address, taken apart and normalised.
public struct EmailAddress: Sendable, Hashable {
  public let local: String
  /// Lower case, ASCII.
  public let domain: String

  static func isLabelByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// Whether ASCII `name` is a domain an address can have: at least two labels of letters, digits and inner hyphens,
  /// each at most 63 bytes, at most 253 in all, the last not all digits (so no IPv4 address).
  static func isDomain(_ name: some StringProtocol) -> Bool {
    var labels = 0
    var length = 0
    var total = 0
    var previous: UInt8 = 0
    var onlyDigits = true
    for byte in name.utf8 {
      total += 1
      if byte == UInt8(ascii: ".") {
        guard length > 0, previous != UInt8(ascii: "-") else { return false }
        labels += 1
        length = 0
        onlyDigits = true
      } else {
        guard isLabelByte(byte), length < 63, length > 0 || byte != UInt8(ascii: "-") else { return false }
        length += 1
        if !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { onlyDigits = false }
      }
      previous = byte
    }
    return labels >= 1 && length > 0 && previous != UInt8(ascii: "-") && total <= 253 && !onlyDigits
  }
}
