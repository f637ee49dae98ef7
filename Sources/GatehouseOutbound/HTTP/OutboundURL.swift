import GatehousePrimitives

/// An absolute URL that requests may be sent to: https, or http to this machine in development. It is written anew from
/// its parts, so that curl reads the same host in it as was judged here.
package struct OutboundURL: Sendable, Hashable, CustomStringConvertible {
  /// Why a text is no such URL.
  package enum Problem: Error, Sendable, Equatable {
    /// Not an absolute URL of printable ASCII, at most 2048 bytes, without user name and fragment.
    case syntax
    /// A scheme other than https.
    case scheme
    /// Not a domain name in ASCII and not an address in its usual spelling.
    case host
    /// Not a number from 1 to 65535.
    case port
    /// An address that is not of the public Internet.
    case address
  }

  /// Whether the scheme is https; http otherwise.
  package let isSecure: Bool
  /// Lower case; an IPv6 address without brackets.
  package let host: String
  package let port: UInt16
  /// Path and query, beginning with a slash.
  package let target: String

  /// Host and port, as circuits and limits are kept.
  package var authority: String { "\(bracketed):\(port)" }

  package var description: String {
    let usual = port == (isSecure ? 443 : 80)
    return "\(isSecure ? "https" : "http")://\(bracketed)\(usual ? "" : ":\(port)")\(target)"
  }

  private var bracketed: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host }

  /// Reads a URL. With `addresses`, http is allowed where they allow loopback, and a host that is an address is judged
  /// at once; names are judged when they are connected to.
  package init(_ text: String, addresses: ReachableAddresses = ReachableAddresses()) throws(Problem) {
    let bytes = Array(text.utf8)
    guard bytes.count <= 2048, bytes.allSatisfy({ (0x21...0x7E).contains($0) && !Self.unsafe.contains($0) }) else {
      throw .syntax
    }
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) else {
      throw .syntax
    }
    let scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
    guard scheme == "https" || scheme == "http" else { throw .scheme }
    isSecure = scheme == "https"
    let rest = bytes[(colon + 3)...]
    let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
    let authority = rest[..<end]
    guard !authority.contains(UInt8(ascii: "@")) else { throw .syntax }
    let path = String(decoding: rest[end...], as: UTF8.self)
    target = path.utf8.first == UInt8(ascii: "/") ? path : "/" + path
    let (name, digits) = try Self.split(authority)
    port = try digits.map(Self.port) ?? (isSecure ? 443 : 80)
    host = try Self.host(name)
    let literal = NetworkAddress(host)
    // GUARD: outbound: addresses in URLs
    if let literal, !addresses.allows(literal) { throw .address }
    // In clear only to this machine: the name is judged again by the address it leads to.
    // RFC 6761, section 6.3: names below `localhost` are this machine's, too.
    let isLocal = literal.map(ReachableAddresses.isLoopback) ?? (host == "localhost" || host.hasSuffix(".localhost"))
    // GUARD: outbound: https
    guard isSecure || (addresses.allowsLoopback && isLocal) else { throw .scheme }
  }

  // `\` is a slash for browsers; the rest has no place in a URL (RFC 3986 section 2) or begins a fragment.
  private static let unsafe = Array("\"<>\\^`{|}#".utf8)

  private static func split(_ authority: ArraySlice<UInt8>) throws(Problem) -> (ArraySlice<UInt8>, ArraySlice<UInt8>?) {
    if authority.first == UInt8(ascii: "[") {
      guard let close = authority.firstIndex(of: UInt8(ascii: "]")) else { throw .host }
      let inside = authority[(authority.startIndex + 1)..<close]
      guard inside.contains(UInt8(ascii: ":")) else { throw .host }
      let after = authority[(close + 1)...]
      if after.isEmpty { return (inside, nil) }
      guard after.first == UInt8(ascii: ":") else { throw .syntax }
      return (inside, after.dropFirst())
    }
    guard let colon = authority.firstIndex(of: UInt8(ascii: ":")) else { return (authority, nil) }
    return (authority[..<colon], authority[(colon + 1)...])
  }

  private static func port(_ digits: ArraySlice<UInt8>) throws(Problem) -> UInt16 {
    let isNumber = (1...5).contains(digits.count) && digits.allSatisfy { (0x30...0x39).contains($0) }
    guard isNumber, let port = UInt16(String(decoding: digits, as: UTF8.self)), port > 0 else { throw .port }
    return port
  }

  private static func host(_ bytes: ArraySlice<UInt8>) throws(Problem) -> String {
    let text = String(decoding: bytes, as: UTF8.self).lowercased()
    if let address = NetworkAddress(text) { return address.text }
    guard let name = DomainName.ascii(text), name.utf8.elementsEqual(text.utf8) else { throw .host }
    // `127.1`, `0x7f.0.0.1` and `2130706433` are addresses to some readers and names to others.
    let last = name.split(separator: ".").last ?? ""
    let isNumber = last.utf8.allSatisfy { (0x30...0x39).contains($0) } || last.utf8.starts(with: "0x".utf8)
    guard !isNumber else { throw .host }
    return name
  }
}
