/// A URL as written, split by RFC 3986.
package struct WrittenURL {
  /// In lower case.
  let scheme: String
  let host: String
  /// Nil where none is written.
  let port: UInt16?
  /// All behind the authority.
  let path: String

  /// Nil for anything but printable ASCII with a scheme and `//host`, or with spaces, quotes, backslashes, a fragment,
  /// a user name in the host, or an ill-formed port.
  package init?(_ text: String) {
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"\"<>\\^`{|}#".utf8.contains($0) }),
      let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    scheme = text[..<colon].lowercased()
    guard let first = scheme.unicodeScalars.first, first.properties.isLowercase,
      scheme.utf8.allSatisfy(WrittenURL.isSchemeByte)
    else { return nil }
    let rest = text[text.utf8.index(after: colon)...]
    guard rest.hasPrefix("//") else { return nil }
    let afterSlashes = rest.dropFirst(2)
    let end = afterSlashes.firstIndex { $0 == "/" || $0 == "?" } ?? afterSlashes.endIndex
    let authority = afterSlashes[..<end]
    path = String(afterSlashes[end...])
    guard !authority.contains("@"), let (host, port) = WrittenURL.split(authority) else { return nil }
    self.host = host
    self.port = port
  }

  /// The one spelling of the address (RFC 3986 sections 6.2.2.1 and 6.2.3): scheme and host in lower case, without the
  /// port that the scheme has anyway. Of an app's own scheme the host is a name that only the app reads: it stays.
  var canonical: String {
    guard isSecureWeb else { return "\(scheme)://\(host)\(port.map { ":\($0)" } ?? "")\(path)" }
    let isUsual = port == nil || port == (scheme == "https" ? 443 : 80)
    return "\(scheme)://\(host.lowercased())\(isUsual ? "" : ":\(port ?? 0)")\(path)"
  }

  /// Whether two texts are the same address: by their one spelling, in which no path of the web is the path `/`; any
  /// other text by its bytes.
  package static func same(_ one: String, _ other: String) -> Bool {
    compared(one).utf8.elementsEqual(compared(other).utf8)
  }

  private static func compared(_ text: String) -> String {
    guard let url = WrittenURL(text) else { return text }
    let isBare = url.isSecureWeb && !url.path.hasPrefix("/")
    return isBare ? "\(url.canonical.dropLast(url.path.count))/\(url.path)" : url.canonical
  }

  /// https, or http to the machine itself (RFC 8252 section 7.3).
  var isSecureWeb: Bool {
    guard !host.isEmpty else { return false }
    if scheme == "https" { return true }
    // GUARD: addresses: HTTP to the machine itself alone
    return scheme == "http" && ["localhost", "127.0.0.1", "[::1]"].contains(host.lowercased())
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

  private static func split(_ authority: Substring) -> (host: String, port: UInt16?)? {
    let bracket = authority.lastIndex(of: "]")
    guard let colon = authority.lastIndex(of: ":"), bracket.map({ $0 < colon }) ?? true else {
      return (String(authority), nil)
    }
    let port = authority[authority.index(after: colon)...]
    guard let number = UInt16(port), number > 0, port.utf8.first != UInt8(ascii: "0") else { return nil }
    return (String(authority[..<colon]), number)
  }

  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || "+-.".utf8.contains(byte)
  }
}
