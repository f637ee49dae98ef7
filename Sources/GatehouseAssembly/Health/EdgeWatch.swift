import GatehouseIdentity
import GatehouseOutbound
import GatehousePrimitives

/// Asks the addresses that people use for their certificates: the server's own URL, and the verified hosts of tenants.
/// An address that cannot be reached from here says nothing; a certificate that clients refuse does.
struct EdgeWatch: Sendable {
  /// How many addresses are asked in one round; the next round goes on behind them.
  private static let most = 100
  /// How many are named.
  private static let mostNamed = 3

  private struct State: Sendable {
    var next = 0
    var troubles: [String: CertificateTrouble] = [:]
  }

  private let probe: EdgeProbe
  private let publicURL: String
  private let registry: TenantRegistry
  private let state = LockBox(State())

  init(_ probe: EdgeProbe, _ services: Services) {
    self.probe = probe
    publicURL = services.publicURL
    registry = services.registry
  }

  /// Asks the next addresses. The sentence names those whose certificate is refused; nil where there are none.
  func look() async -> String? {
    let hosts = registry.all.flatMap { tenant in
      tenant.hosts.filter { $0.verifiedAt != nil }.map { "https://\($0.host)/" }
    }
    let all = ([publicURL] + hosts.sorted()).filter { $0.hasPrefix("https://") }
    let start = state.withLock { state in
      defer { state.next = state.next + Self.most >= all.count ? 0 : state.next + Self.most }
      return min(state.next, all.count)
    }
    for url in all[start...].prefix(Self.most) {
      let answer = await probe.certificate(at: url, isOwn: url == publicURL)
      state.withLock { state in
        switch answer {
        case .believed: state.troubles[url] = nil
        case .refused(let trouble): state.troubles[url] = trouble
        case .notSeen: break
        }
      }
    }
    return state.withLock { state in
      state.troubles = state.troubles.filter { all.contains($0.key) }
      return Self.sentence(state.troubles)
    }
  }

  private static func sentence(_ troubles: [String: CertificateTrouble]) -> String? {
    guard !troubles.isEmpty else { return nil }
    let named = troubles.sorted { $0.key < $1.key }.prefix(mostNamed).map { "\($0.key): \($0.value.sentence)" }
    let more = troubles.count > mostNamed ? "; \(troubles.count - mostNamed) more" : ""
    return named.joined(separator: "; ") + more
  }
}
