import Glibc

/// An HTTP server on the loops of a group: one listener per loop, every connection on the loop that accepted it.
/// Several servers (say, one for operators) may share the loops.
package final class HTTPServer: Sendable {
  /// Where it listens, with the port the system chose if it was asked to.
  package let address: ListenAddress
  private let shards: [ServerShard]

  /// Listens from now on; answers as soon as the loops run. `proxies` says who is asked for the header of the PROXY
  /// protocol, and whose connections are not counted by address; with `tls` every connection is encrypted. With
  /// `sharesPort` another process may listen at the same address: a new server starts before the old one drains, and no
  /// connection is lost between the two. With `onlyTrusted` only processes of this machine and proxies are served.
  /// Servers that share `memory` have one bound for their buffers. `handlers` is asked once for each loop: what loops
  /// share, each waits for the others to use.
  package init(
    loops: LoopGroup, address: ListenAddress, sharesPort: Bool = false, limits: HTTPLimits = HTTPLimits(),
    proxies: ProxyTrust = .none, onlyTrusted: Bool = false, tls: TLSCredentials? = nil, memory: BufferMemory? = nil,
    observer: (any HTTPObserver)? = nil, handlers: () -> Handlers
  ) throws(ListenError) {
    let sockets = try ListeningSockets(address, count: loops.loops.count, sharesPort: sharesPort)
    self.address = sockets.address
    let capacity = max(1, limits.connections / loops.loops.count)
    let addresses = AddressAccounts(limits: limits)
    let memory = memory ?? BufferMemory(bound: limits.buffers)
    shards = zip(loops.loops, sockets.descriptors).map { loop, listener in
      ServerShard(
        loop: loop, listener: listener, sharesPort: sharesPort, capacity: capacity, limits: limits, proxies: proxies,
        onlyTrusted: onlyTrusted, tls: tls, addresses: addresses, memory: memory, observer: observer,
        handlers: handlers())
    }
    for shard in shards { shard.loop.execute { shard.start() } }
  }

  /// As above, with one handler for all loops.
  package convenience init(
    loops: LoopGroup, address: ListenAddress, sharesPort: Bool = false, limits: HTTPLimits = HTTPLimits(),
    proxies: ProxyTrust = .none, onlyTrusted: Bool = false, tls: TLSCredentials? = nil, memory: BufferMemory? = nil,
    observer: (any HTTPObserver)? = nil, handler: @escaping Handler
  ) throws(ListenError) {
    try self.init(
      loops: loops, address: address, sharesPort: sharesPort, limits: limits, proxies: proxies,
      onlyTrusted: onlyTrusted, tls: tls, memory: memory, observer: observer, handlers: { Handlers(handler: handler) })
  }

  /// Stops accepting, answers what is in flight and what idle connections still send within the limits' grace with
  /// `Connection: close`, and cuts the rest when `limit` is over. How many answers were cut: 0 is a clean end. The
  /// loops must be running.
  package func drain(within limit: Duration) async -> Int {
    if case .unix(let path) = address { unlink(path) }
    return await withTaskGroup(of: Int.self) { group in
      for shard in shards { group.addTask { await shard.drain(within: limit) } }
      return await group.reduce(0, +)
    }
  }
}
