/// An origin of the web (RFC 6454): scheme, host and port, in the one form in which two of them are compared.
package struct WebOrigin: Hashable, Sendable {
  /// `https` or `http`.
  package let scheme: String
  /// A name in lower case and ASCII, without a dot at its end, or an address; one of IPv6 in brackets.
  package let host: String
  /// That of the scheme where the text names none.
  package let port: UInt16

  /// Reads `https://app.example.com:8443` in any spelling: letters of either case, another script, a dot behind the
  /// name, the port that the scheme has anyway. Nil for every other text, one with a path or a user included.
  package init?(_ text: String) {
    guard let mark = text.firstRange(of: "://") else { return nil }
    scheme = text[..<mark.lowerBound].lowercased()
    guard let usual = Self.ports[scheme] else { return nil }
    let authority = text[mark.upperBound...]
    guard !authority.utf8.contains(where: { [0x2F, 0x3F, 0x23, 0x40, 0x5C].contains($0) }) else { return nil }
    let isLiteral = authority.utf8.first == UInt8(ascii: "[")
    let end = isLiteral ? authority.utf8.firstIndex(of: UInt8(ascii: "]")).map(authority.utf8.index(after:)) : nil
    let colon = authority.utf8[(end ?? authority.startIndex)...].firstIndex(of: UInt8(ascii: ":"))
    let name = authority[..<(colon ?? authority.endIndex)]
    if let colon {
      guard let port = Self.port(authority[authority.utf8.index(after: colon)...]) else { return nil }
      self.port = port
    } else {
      port = usual
    }
    guard let host = isLiteral ? Self.literal(name) : Self.name(name) else { return nil }
    self.host = host
  }

  /// The origin of a web address.
  package init?(of address: String) {
    guard let mark = address.firstRange(of: "://") else { return nil }
    let end = address[mark.upperBound...].firstIndex(of: "/") ?? address.endIndex
    self.init(String(address[..<end]))
  }

  /// As browsers write it into the Origin field (RFC 6454 section 6.2).
  package var text: String { "\(scheme)://\(authority)" }

  /// Host and, where it is not that of the scheme, port: what browsers write into the Host field.
  package var authority: String { port == Self.ports[scheme] ? host : "\(host):\(port)" }

  /// The ports that no authority names.
  package static let ports: [String: UInt16] = ["https": 443, "http": 80]

  private static func name(_ text: Substring) -> String? {
    DomainName.ascii(String(text.utf8.last == UInt8(ascii: ".") ? text.dropLast() : text))
  }

  private static func literal(_ text: Substring) -> String? {
    guard text.utf8.last == UInt8(ascii: "]"), let address = NetworkAddress(String(text.dropFirst().dropLast())),
      !address.isIPv4
    else { return nil }
    return "[\(address.text)]"
  }

  private static func port(_ text: Substring) -> UInt16? {
    guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return UInt16(text).flatMap { $0 > 0 ? $0 : nil }
  }
}
