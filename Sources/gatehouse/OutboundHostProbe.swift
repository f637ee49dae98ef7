import GatehouseIdentity
import GatehouseOutbound
import GatehouseRuntime

/// Asks a host over the network, as anybody would reach it; in development over plain HTTP and on this machine, too.
struct OutboundHostProbe: HostProbe {
  let isDevelopment: Bool

  func answer(of host: HostName) async throws -> [UInt8] {
    let loops = LoopGroup(count: 1)
    loops.start()
    defer { loops.stop() }
    let client = OutboundHTTP(
      loop: loops.loops[0], OutboundHTTP.Settings(addresses: ReachableAddresses(allowsLoopback: isDevelopment)))
    do {
      let url = try client.url("\(isDevelopment ? "http" : "https")://\(host)\(TenantHost.proofPath)")
      let answer = try await client.send(
        try OutboundRequest(.get, url, lane: OutboundLane(.host, owner: host.description), bodyLimit: 1024))
      await client.close()
      guard answer.isSuccess else { throw Failure(.unavailable, "status \(answer.status)") }
      return answer.body
    } catch {
      await client.close()
      throw error
    }
  }
}
