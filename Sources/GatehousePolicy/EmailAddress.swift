/// An e-mail address, taken apart and normalised: the practical part of RFC 5321's `Mailbox`. No quoted local parts, no
/// comments, no address literals, ASCII local parts only; the domain has at least two labels.
public struct EmailAddress: Sendable, Hashable {
  /// At most 64 bytes of RFC 5322 `dot-atom`, in lower case where the policy says so.
  public let local: String
  /// Lower case, ASCII (IDNA), at most 253 bytes.
  public let domain: String

  /// `willie@ksu.edu`
  public var text: String { local + "@" + domain }

  /// RFC 5321, 4.5.3.1.3: a path of 256 bytes less its two angle brackets.
  static let maxLength = 254

  /// Reads an address. What shows nothing is cut off at both ends, as keyboards and pasting add it; nothing else is
  /// forgiven.
  /// `asciiDomain` is asked only when the domain is not ASCII.
  public init?(_ raw: String, normalize: EmailPolicy.Normalize, asciiDomain: (String) -> String?) {
    let given = TypedText.trimmed(raw)
    let bytes = given.utf8
    guard let at = bytes.firstIndex(of: UInt8(ascii: "@")) else { return nil }
    let localPart = given[..<at]
    guard EmailAddress.isLocalPart(localPart.utf8) else { return nil }
    var domainPart = String(given[bytes.index(after: at)...])
    // Lower case of all scripts comes with IDNA; ASCII needs only the 26 letters.
    if !domainPart.utf8.allSatisfy({ $0 < 0x80 }) {
      guard domainPart.utf8.count <= 1024, !domainPart.utf8.contains(UInt8(ascii: "@")),
        let ascii = asciiDomain(domainPart)
      else { return nil }
      domainPart = ascii
    }
    guard EmailAddress.isDomain(domainPart) else { return nil }
    domain = EmailAddress.lowercasedASCII(domainPart)
    local = normalize == .lowercase ? EmailAddress.lowercasedASCII(String(localPart)) : String(localPart)
    guard local.utf8.count + 1 + domain.utf8.count <= EmailAddress.maxLength else { return nil }
  }

  static func lowercasedASCII(_ text: String) -> String {
    guard text.utf8.contains(where: { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) else { return text }
    return String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// RFC 5322, 3.2.3: `dot-atom-text`, 1 to 64 bytes.
  static func isLocalPart(_ bytes: some Collection<UInt8>) -> Bool {
    var previous = UInt8(ascii: ".")
    var count = 0
    for byte in bytes {
      count += 1
      if byte == UInt8(ascii: ".") {
        guard previous != UInt8(ascii: ".") else { return false }
      } else {
        guard isAtomByte(byte) else { return false }
      }
      previous = byte
    }
    return (1...64).contains(count) && previous != UInt8(ascii: ".")
  }

  /// RFC 5322, 3.2.3: `atext`.
  static func isAtomByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
      UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "/"),
      UInt8(ascii: "="), UInt8(ascii: "?"), UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"),
      UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  static func isLabelByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// Whether ASCII `name` is a domain an address can have: at least `minLabels` labels of letters, digits and inner
  /// hyphens, each at most 63 bytes, at most 253 in all, the last not all digits (so no IPv4 address).
  static func isDomain(_ name: some StringProtocol, minLabels: Int = 2) -> Bool {
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
    return labels + 1 >= minLabels && length > 0 && previous != UInt8(ascii: "-") && total <= 253 && !onlyDigits
  }
}
