/// URLs as profile fields hold them.
enum URLText {
  /// Whether `text` is an absolute http or https URL (RFC 3986): ASCII, at most 2048 bytes, a host, no user
  /// information, a port from 1 to 65535 if any. `https` narrows the scheme.
  static func isURL(_ text: String, httpsOnly: Bool = false) -> Bool {
    guard text.utf8.count <= 2048, text.utf8.allSatisfy(isURLByte) else { return false }
    let lower = EmailAddress.lowercasedASCII(String(text.prefix(8)))
    let start: Int
    if lower.hasPrefix("https://") {
      start = 8
    } else if !httpsOnly, lower.hasPrefix("http://") {
      start = 7
    } else {
      return false
    }
    let rest = text.utf8.dropFirst(start)
    let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let parts = authority.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard let host = parts.first, parts.count <= 2, isHost(String(Substring(host))) else { return false }
    guard parts.count == 2 else { return true }
    guard let port = Seconds.digits(parts[1]) else { return false }
    return (1...65_535).contains(port)
  }

  /// A domain name (one label will do) or an IPv4 address.
  private static func isHost(_ host: String) -> Bool {
    if EmailAddress.isDomain(host) { return true }
    guard (1...253).contains(host.utf8.count) else { return false }
    return host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
      (1...63).contains(label.count) && label.allSatisfy(EmailAddress.isLabelByte)
        && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
    }
  }

  private static func isURLByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
      UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
      false
    default: (0x21...0x7E).contains(byte)
    }
  }
}
