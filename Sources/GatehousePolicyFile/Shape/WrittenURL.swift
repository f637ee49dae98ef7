/// A URL as written, split by RFC 3986 and nothing rewritten, since targets are later compared byte by byte.
struct WrittenURL {
  let scheme: String
  let host: String
  let path: String

  /// Nil for anything but printable ASCII with a scheme and `//host`, or with spaces, quotes, backslashes, a fragment,
  /// a user name in the host, or an ill-formed port.
  init?(_ text: String) {
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"\"<>\\^`{|}#".utf8.contains($0) }),
      let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    scheme = String(text[..<colon])
    guard let first = scheme.unicodeScalars.first, first.properties.isLowercase,
      scheme.utf8.allSatisfy(WrittenURL.isSchemeByte)
    else { return nil }
    let rest = text[text.utf8.index(after: colon)...]
    guard rest.hasPrefix("//") else { return nil }
    let afterSlashes = rest.dropFirst(2)
    let end = afterSlashes.firstIndex { $0 == "/" || $0 == "?" } ?? afterSlashes.endIndex
    let authority = afterSlashes[..<end]
    path = String(afterSlashes[end...])
    guard !authority.contains("@"), let host = WrittenURL.host(of: authority) else { return nil }
    self.host = host
  }

  /// https, or http to the machine itself (RFC 8252 section 7.3).
  var isSecureWeb: Bool {
    guard !host.isEmpty else { return false }
    if scheme == "https" { return true }
    return scheme == "http"
      && ["localhost", "127.0.0.1", "[::1]"].contains(host)  // GUARD: addresses: HTTP to the machine itself alone
  }

  /// A scheme of an app; never one that runs or reads something in a browser.
  var isOwnScheme: Bool {
    let taken = [
      "http", "https", "javascript", "data", "vbscript", "file", "blob", "about", "ws", "wss", "ftp", "mailto", "tel",
      "sms", "view-source", "chrome", "intent", "filesystem",
    ]
    return scheme.utf8.count >= 2
      && !taken.contains(scheme)  // GUARD: addresses: no scheme that a browser runs or reads
  }

  private static func host(of authority: Substring) -> String? {
    let bracket = authority.lastIndex(of: "]")
    guard let colon = authority.lastIndex(of: ":"), bracket.map({ $0 < colon }) ?? true else {
      return String(authority)
    }
    let port = authority[authority.index(after: colon)...]
    guard let number = UInt16(port), number > 0, port.utf8.first != UInt8(ascii: "0") else { return nil }
    return String(authority[..<colon])
  }

  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || "+-.".utf8.contains(byte)
  }
}
