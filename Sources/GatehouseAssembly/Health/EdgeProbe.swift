import GatehouseOutbound
import GatehouseRuntime

/// Asks an address as a client of it would, for its certificate alone.
struct EdgeProbe: Sendable {
  /// The belief of a client in the certificate.
  enum Certificate: Sendable {
    case believed
    case refused(CertificateTrouble)
    /// The address was not reached.
    case notSeen
  }

  /// For the server's own address, which the operator named: it may be on this machine, or in a private network.
  private let own: OutboundHTTP
  /// For the hosts of tenants: where other requests may go.
  private let hosts: OutboundHTTP

  /// Works on `loop`, which MUST run until `close` has returned.
  init(loop: Loop, _ outbound: OutboundHTTP.Settings) {
    var everywhere = outbound
    everywhere.addresses = .everywhere
    own = OutboundHTTP(loop: loop, everywhere)
    hosts = OutboundHTTP(loop: loop, outbound)
  }

  func certificate(at text: String, isOwn: Bool) async -> Certificate {
    let client = isOwn ? own : hosts
    do {
      _ = try await client.send(
        try OutboundRequest(
          .get, try client.url(text), purpose: OutboundPurpose(.edge, owner: text), bodyLimit: 64 << 10))
      return .believed
    } catch OutboundError.notTrusted(let trouble) {
      return .refused(trouble)
    } catch OutboundError.tooLarge {
      return .believed
    } catch {
      return .notSeen
    }
  }

  /// Gives up what is under way.
  func close() async {
    await own.close()
    await hosts.close()
  }
}
