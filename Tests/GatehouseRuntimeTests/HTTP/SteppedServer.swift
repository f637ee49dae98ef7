import Glibc
import Testing

@testable import GatehouseRuntime

/// A server without a thread: its loop turns only when the test says so, and its time moves only when the test says so.
/// Nothing here waits, and nothing depends on how fast the machine is.
final class SteppedServer: @unchecked Sendable {
  // SAFETY: used by one synchronous test only.
  let clock = ManualClock()
  let loop: Loop
  let shard: ServerShard
  /// Where it listens; connections there are accepted when the loop turns.
  let address: ListenAddress
  let listener: Int32
  let addresses: AddressAccounts
  private let cuts = Locked<Int?>(nil)

  /// With the product's limits, so that tests speak of seconds.
  init(
    limits: HTTPLimits = HTTPLimits(), capacity: Int = 1000, proxies: ProxyTrust = .none,
    onlyTrusted: Bool = false, observer: (any HTTPObserver)? = nil, sharesPort: Bool = false,
    handler: @escaping Handler = { .text("\($0.method) \($0.rawTarget) \($0.body.count)") }
  ) throws {
    signal(SIGPIPE, SIG_IGN)
    loop = Loop(name: "stepped", clock: clock)
    let sockets = try ListeningSockets(.tcp(host: "127.0.0.1", port: 0), count: 1, sharesPort: sharesPort)
    address = sockets.address
    listener = sockets.descriptors[0]
    addresses = AddressAccounts(limits: limits)
    shard = ServerShard(
      loop: loop, listener: listener, sharesPort: sharesPort, capacity: capacity, limits: limits, proxies: proxies,
      onlyTrusted: onlyTrusted, addresses: addresses, observer: observer,
      handlers: Handlers(handler: handler))
    loop.onThisThread { shard.start() }
  }

  deinit {
    // Ends what is left, so that the loop holds nothing any more.
    if cuts.withLock({ $0 }) == nil { drain(within: .zero) }
    pass(.seconds(60))
  }

  /// Turns so often that everything that could happen now has happened.
  func settle(turns: Int = 64) {
    loop.onThisThread {
      for _ in 0..<turns { loop.turn(waits: false) }
    }
  }

  /// One turn.
  func turn() { loop.onThisThread { loop.turn(waits: false) } }

  /// Lets `duration` pass: timers fire in their order, and what follows from each happens before the next.
  func pass(_ duration: Duration) {
    settle()
    let end = clock.now + duration
    while loop.onThisThread({ clock.fireNext(until: end) }) { settle(turns: 4) }
    settle()
  }

  /// A new connection of `peer`; its bytes are with the server as soon as they are sent.
  func connect(peer: PeerAddress = .unix) throws -> SteppedClient {
    var ends: [Int32] = [-1, -1]
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    try #require(socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0)
    let served = ends[0]
    loop.onThisThread { shard.welcome(served, peer: peer) }
    settle()
    return SteppedClient(ends[1], server: self)
  }

  /// Begins a drain; `cutAnswers` tells when it is over.
  func drain(within limit: Duration) {
    loop.onThisThread {
      _ = Task.immediate(executorPreference: loop) { [shard, cuts] in
        let cut = await shard.drain(within: limit)
        cuts.withLock { $0 = cut }
      }
    }
    settle()
  }

  /// Bytes in buffers of connections, to the step.
  var buffered: Int { shard.memory.bytes }

  /// How many answers the drain cut; nil while it goes on.
  var cutAnswers: Int? { cuts.withLock { $0 } }
}

/// The other end of a connection to a stepped server.
final class SteppedClient {
  let descriptor: Int32
  private let server: SteppedServer
  /// Whether the server has closed its side, or all.
  private(set) var isEnded = false

  init(_ descriptor: Int32, server: SteppedServer) {
    self.descriptor = descriptor
    self.server = server
  }

  deinit { close(descriptor) }

  /// Sends all of `bytes` as far as the server takes them, and lets the server act; false once it takes none any more.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
      server.settle()
    }
    return true
  }

  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  func finishWriting() {
    shutdown(descriptor, Int32(SHUT_WR))
    server.settle()
  }

  /// What has come, at most `limit` bytes of it; the server goes on between reads.
  func received(atMost limit: Int = .max) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < limit {
      let count = recv(descriptor, &buffer, min(buffer.count, limit - bytes.count), 0)
      if count < 0, errno == EAGAIN { break }
      guard count > 0 else {
        isEnded = true
        break
      }
      bytes += buffer[..<count]
      server.settle()
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The statuses of what has come.
  func statuses() -> [Int] {
    received().components(of: "HTTP/1.1 ").compactMap { Int($0.prefix(3)) }
  }

  /// Whether nothing has come and the connection is open.
  var isQuiet: Bool { received().isEmpty && !isEnded }
}

extension String {
  fileprivate func components(of separator: String) -> [Substring] {
    var parts: [Substring] = []
    var rest = self[...]
    while let range = rest.firstRange(of: separator) {
      rest = rest[range.upperBound...]
      parts.append(rest)
    }
    return parts
  }
}
