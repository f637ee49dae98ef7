/// The peers that are proxies of the operator, and the way in which they name their client. Any other peer is a client
/// itself, even if it sends such a header.
package struct ProxyTrust: Sendable {
  /// How a proxy names its client.
  package enum Announcement: Sendable {
    /// Not at all: the peer is the client.
    case none
    /// By the binary header of the PROXY protocol, version 2, as the first bytes of every connection.
    case proxyV2
    /// By the `Forwarded` field of RFC 7239.
    case forwarded
    /// By the `X-Forwarded-For` field.
    case xForwardedFor
  }

  /// No peer is trusted to name its client.
  package static let none = ProxyTrust(.none) { _ in false }

  let announcement: Announcement
  /// Whether an address is that of a configured proxy.
  let isProxy: @Sendable (PeerAddress) -> Bool

  /// `isProxy` is asked at every connection and request: it must be quick and always answer the same.
  package init(_ announcement: Announcement, isProxy: @escaping @Sendable (PeerAddress) -> Bool) {
    self.announcement = announcement
    self.isProxy = isProxy
  }

  /// Whether connections of this peer must begin with a header of the PROXY protocol.
  func awaitsHeader(from peer: PeerAddress) -> Bool {
    announcement == .proxyV2
      && isProxy(peer)  // GUARD: proxy: a header of the PROXY protocol
  }

  /// Whether connections of this peer count against it: those of a proxy are its clients'.
  func counts(_ peer: PeerAddress) -> Bool { peer != .unix && !(announcement != .none && isProxy(peer)) }

  /// Whether this peer is served where only processes of this machine and proxies are.
  func serves(_ peer: PeerAddress) -> Bool { peer == .unix || peer.isLoopback || isProxy(peer) }

  /// Whether a peer is one of the proxies, by the address of the connection.
  package func trusts(_ peer: PeerAddress) -> Bool { isProxy(peer) }

  /// The client a request comes from: the nearest address that is not a configured proxy. The peer itself where no
  /// proxy speaks, and where a proxy says nothing or nothing that is an address.
  package func client(of request: Request) -> PeerAddress {
    client(peer: request.peer, request.headers)
  }

  func client(peer: PeerAddress, _ headers: Headers) -> PeerAddress {
    let syntax: ForwardedHops.Syntax
    switch announcement {
    case .none, .proxyV2: return peer
    case .forwarded: syntax = .forwarded
    case .xForwardedFor: syntax = .list
    }
    // GUARD: proxy: forwarded fields
    guard isProxy(peer) else { return peer }
    var hops = ForwardedHops(headers.values(of: syntax.field), syntax)
    var client: PeerAddress?
    // The text left of the first address that is not a proxy was written by that client: it is not read.
    while let hop = hops.next() {
      guard let hop else { return peer }
      client = hop
      // GUARD: proxy: what stands left of a stranger
      guard isProxy(hop) else { break }
    }
    return client ?? peer
  }
}
