package import GatehousePrimitives

/// The addresses that requests of this server may go to. The judged address is the one that a connection is about to be
/// made to, not its name: a name that resolves to something else the second time changes nothing (OWASP, Server Side
/// Request Forgery Prevention).
package struct ReachableAddresses: Sendable {
  /// Whether this machine itself may be reached: in development only.
  package var allowsLoopback: Bool
  /// Networks of the operator's own that may be reached beside the public ones.
  package var permitted: [NetworkBlock]

  package init(allowsLoopback: Bool = false, permitted: [NetworkBlock] = []) {
    self.allowsLoopback = allowsLoopback
    self.permitted = permitted
  }

  /// Every address: for requests to an address that the operator named, and for reading one that is not connected to.
  package static let everywhere = ReachableAddresses(
    allowsLoopback: true, permitted: ["0.0.0.0/0", "::/0"].compactMap { NetworkBlock($0) })

  /// Whether a connection to `address` may be made.
  package func allows(_ address: NetworkAddress) -> Bool {
    if permitted.contains(where: { $0.contains(address) }) { return true }
    if Self.isLoopback(address) { return allowsLoopback }
    return Self.isPublic(address)
  }

  /// This machine (RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3).
  static func isLoopback(_ address: NetworkAddress) -> Bool {
    loopback.contains { $0.contains(address) }
  }

  /// Whether the address is one of the public Internet: global unicast and none of the IANA special-purpose registries
  /// (RFC 6890), and no cloud's metadata service.
  static func isPublic(_ address: NetworkAddress) -> Bool {
    // GUARD: outbound: addresses of translators
    if let embedded = translated(address) { return isPublic(embedded) }
    if !address.isIPv4, !globalUnicast.contains(address) { return false }
    // GUARD: outbound: private networks
    return !special.contains { $0.contains(address) }
  }

  /// The IPv4 address a translator will connect to for an address of the well-known prefix (RFC 6052 section 2.1).
  private static func translated(_ address: NetworkAddress) -> NetworkAddress? {
    guard !address.isIPv4, address.bytes.starts(with: [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) else { return nil }
    return NetworkAddress(bytes: Array(address.bytes[12...]))
  }

  private static let loopback = blocks("127.0.0.0/8", "::1/128")

  private static let globalUnicast = Blocks("2000::/3")

  private static let special = blocks(
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24",
    "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4",
    "240.0.0.0/4", "127.0.0.0/8",
    // Azure's metadata and health service has a public address that only means something inside.
    "168.63.129.16/32",
    // Teredo and 6to4 hide another address; the others are for protocols and documentation.
    "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")

  private static func blocks(_ texts: String...) -> [Blocks] { texts.map(Blocks.init) }

  /// A block written in this file. INVARIANT: every text above reads; a text that did not would hold every address, and
  /// the test over all of them would fail.
  private struct Blocks {
    private let block: NetworkBlock?
    init(_ text: String) { block = NetworkBlock(text) }
    func contains(_ address: NetworkAddress) -> Bool { block?.contains(address) ?? true }
  }
}
