import GatehouseIdentity

/// The origin of a web page: scheme, host and port (RFC 6454), in one spelling, so that two are the same exactly if
/// they are equal.
struct WebOrigin: Equatable {
  private let scheme: String
  private let host: String
  private let port: Int

  /// The origin that the field `Origin` of a request names. Nil for `null` and for what is no origin: a path, a user's
  /// name, another scheme.
  init?(field: String) {
    guard let (scheme, rest) = Self.parts(field), !rest.contains(where: { "/?#@\\".contains($0) }) else { return nil }
    self.init(scheme, rest)
  }

  /// The origin of one of our own addresses.
  init?(of address: String) {
    guard let (scheme, rest) = Self.parts(address) else { return nil }
    self.init(scheme, rest.prefix { $0 != "/" })
  }

  private static func parts(_ text: String) -> (scheme: String, rest: Substring)? {
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let mark = text.firstRange(of: "://") else {
      return nil
    }
    let scheme = text[..<mark.lowerBound].lowercased()
    return ["http", "https"].contains(scheme) ? (scheme, text[mark.upperBound...]) : nil
  }

  private init?(_ scheme: String, _ authority: Substring) {
    // The colons of an IPv6 address stand before its bracket.
    let end = authority.lastIndex(of: "]").map { authority.index(after: $0) } ?? authority.startIndex
    let colon = authority[end...].firstIndex(of: ":") ?? authority.endIndex
    let digits = authority[colon...].dropFirst()
    guard !authority[..<colon].isEmpty, digits.allSatisfy({ ("0"..."9").contains($0) }),
      let port = digits.isEmpty ? (scheme == "https" ? 443 : 80) : Int(digits),
      colon == authority.endIndex || !digits.isEmpty
    else { return nil }
    self.scheme = scheme
    self.host = authority[..<colon].lowercased()
    self.port = port
  }
}

extension TenantSnapshot {
  /// Whether a page of this tenant has the origin that a request names: at its own host, or at the host of all tenants.
  func isOrigin(_ field: String) -> Bool {
    guard let origin = WebOrigin(field: field) else { return false }
    return [issuer, sharedIssuer].contains { WebOrigin(of: $0) == origin }
  }
}
