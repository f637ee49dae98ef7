import GatehousePolicy

/// A host that the floor allows on every port, every host below a domain, or the scheme of an app.
enum HostPattern {
  /// `accounts.example.com`, `*.example.com`, `localhost`
  static let host = TextForm(
    "a host such as accounts.example.com or \"*.example.com\", in ASCII and without a port", code: .badDomain,
    lengths: 1...255, accepts: isHost)

  /// A host, or a scheme with its colon: `com.example.app:`
  static let target = TextForm(
    "a host such as app.example.com or \"*.example.com\", or an app's scheme such as \"com.example.app:\"",
    code: .badDomain, lengths: 1...255, accepts: { isHost($0) || isScheme($0) })

  /// Whether one of the patterns covers this address.
  static func holds(_ address: String, _ patterns: [String]) -> Bool {
    guard let url = WrittenURL(address) else { return false }
    guard url.isSecureWeb else { return patterns.contains { $0.utf8.elementsEqual("\(url.scheme):".utf8) } }
    let host = url.host.lowercased()
    return patterns.contains { pattern in
      guard !isScheme(pattern) else { return false }
      guard let domain = DomainPattern(pattern) else { return pattern.lowercased().utf8.elementsEqual(host.utf8) }
      return domain.covers(host)  // GUARD: floor: hosts
    }
  }

  private static func isHost(_ text: String) -> Bool {
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return false }
    guard !["localhost", "127.0.0.1", "[::1]"].contains(text) else { return true }
    // No operator owns a whole top-level domain.
    return DomainPattern(text)?.domain.contains(".") ?? false
  }

  private static func isScheme(_ text: String) -> Bool {
    guard text.hasSuffix(":"), let url = WrittenURL("\(text)//x") else { return false }
    return url.isOwnScheme && "\(url.scheme):".utf8.elementsEqual(text.utf8)
  }
}
