import GatehouseIdentity
import GatehouseOutbound
import GatehouseRuntime

/// Asks a host over the network, as any client would reach it: at a public address or in a network of the operator's
/// own, with a certificate of a known authority. In clear for development: over plain HTTP and on this machine, too.
struct OutboundHostProbe: HostProbe {
  private let client: OutboundHTTP
  private let scheme: String

  /// Works on `loop`, which MUST run until `close` has returned.
  init(loop: Loop, _ outbound: OutboundHTTP.Settings, inClear: Bool) {
    var outbound = outbound
    outbound.addresses.allowsLoopback = inClear
    client = OutboundHTTP(loop: loop, outbound)
    scheme = inClear ? "http" : "https"
  }

  func answer(of host: HostName) async throws -> [UInt8] {
    let url = try client.url("\(scheme)://\(host)\(TenantHost.proofPath)")
    let answer = try await client.send(
      try OutboundRequest(.get, url, purpose: OutboundPurpose(.host, owner: host.description), bodyLimit: 1024))
    guard answer.isSuccess else { throw BadStatus(status: answer.status) }
    return answer.body
  }

  private struct BadStatus: Error, CustomStringConvertible {
    let status: Int
    var description: String { "status \(status)" }
  }

  /// Gives up what is under way.
  func close() async { await client.close() }
}
