import GatehousePrimitives
import GatehouseRuntime

/// The blocks of addresses that proxies speak from.
struct NetworkList: Sendable, Equatable {
  let blocks: [NetworkBlock]

  /// Blocks with commas or blanks between them; `nil` if one is none, or stands for every address there is.
  init?(_ text: String) {
    let parts = text.split { $0 == "," || $0 == " " }
    guard !parts.isEmpty, parts.count <= 256 else { return nil }
    var blocks: [NetworkBlock] = []
    for part in parts {
      guard let block = NetworkBlock(String(part)), block.prefix > 0 else { return nil }
      blocks.append(block)
    }
    self.blocks = blocks
  }

  func contains(_ peer: PeerAddress) -> Bool {
    guard let address = NetworkAddress(bytes: peer.bytes) else { return false }
    return blocks.contains { $0.contains(address) }
  }

  var text: String { blocks.map(\.text).joined(separator: ", ") }
}

extension Kind where Value == NetworkList {
  /// Addresses and blocks of addresses.
  static let networks = Kind(
    placeholder: "NETWORKS", expects: "addresses or blocks like 10.0.0.0/8, 2001:db8::1, but not all addresses",
    parse: { NetworkList($0) }, show: { $0.text })
}

/// How proxies name the client, as the configuration says it.
enum ProxyAnnouncement: String, CaseIterable, Sendable {
  case none
  case proxyV2 = "proxy_v2"
  case forwarded
  case xForwardedFor = "x_forwarded_for"
}

extension Config.Proxies {
  /// The proxies that the server believes, and the header that it reads.
  var trust: ProxyTrust {
    guard let trusted else { return .none }
    let announcement: ProxyTrust.Announcement =
      switch announcement {
      case .proxyV2: .proxyV2
      case .forwarded: .forwarded
      case .xForwardedFor: .xForwardedFor
      case .none: .none
      }
    return ProxyTrust(announcement) { trusted.contains($0) }
  }
}
