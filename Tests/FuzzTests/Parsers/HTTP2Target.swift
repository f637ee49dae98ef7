import Glibc

@testable import GatehouseRuntime

extension FuzzTarget {
  /// What follows the greeting on a connection of HTTP/2: nothing breaks, no handler sees a request beyond the limits,
  /// and whatever one sees means the same when it is written out as HTTP/1.1, as a proxy would.
  static let http2 = FuzzTarget(name: "http2") { bytes in
    let server = FuzzedServer()
    server.hear(FuzzedServer.greeting + bytes)
    for request in server.requests {
      if let problem = problem(of: request) { return problem }
    }
    return nil
  }

  private static func problem(of request: Request) -> String? {
    let limits = HTTPLimits()
    if request.body.count > limits.bodyBytes { return "a body beyond the limit" }
    if request.headers.count > limits.fields + 1 { return "more fields than the limit" }
    var text = Array("\(request.method) \(request.rawTarget) HTTP/1.1\r\n".utf8)
    var fields: [[UInt8]] = request.headers.fields.map { field in
      Array(request.headers.slice(field.name)) + Array(": ".utf8) + Array(request.headers.slice(field.value))
    }
    if !request.headers.contains("content-length"), !request.body.isEmpty {
      fields.append(Array("content-length: \(request.body.count)".utf8))
    }
    text += fields.flatMap { $0 + Array("\r\n".utf8) } + Array("\r\n".utf8) + request.body
    // One more line, and longer names for the same fields: what is measured differs by this much.
    var roomy = limits
    roomy.headBytes = 65_535
    roomy.fields += 2
    var parser = RequestParser(limits: roomy)
    text.withUnsafeBufferPointer { parser.append($0) }
    guard case .request(let parsed) = parser.next() else { return "refused as HTTP/1.1" }
    let again: [[UInt8]] = parsed.head.headers.fields.map { field in
      Array(parsed.head.headers.slice(field.name)) + Array(": ".utf8) + Array(parsed.head.headers.slice(field.value))
    }
    guard parsed.head.method == request.method, again == fields, parsed.body == request.body, parser.buffered == 0,
      Array(parsed.head.headers.bytes[parsed.head.target.whole]).elementsEqual(request.rawTarget.utf8)
    else { return "means something else as HTTP/1.1" }
    return nil
  }
}

/// A server of one connection, turned by hand.
private final class FuzzedServer {
  static let greeting = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0]

  private let clock = ManualClock()
  private let loop: Loop
  private let seen = Locked<[Request]>([])
  private let shard: ServerShard

  init() {
    loop = Loop(name: "fuzzed", clock: clock)
    let handlers = Handlers { [seen] request in
      seen.withLock { $0.append(request) }
      return .text(request.rawTarget)
    }
    shard = ServerShard(
      loop: loop, listener: -1, capacity: 1, limits: HTTPLimits(), observer: nil, handlers: handlers)
  }

  /// What handlers saw.
  var requests: [Request] { seen.withLock { $0 } }

  /// Serves a peer that sends these bytes, and goes away once there is nothing left to say.
  func hear(_ bytes: [UInt8]) {
    var ends: [Int32] = [-1, -1]
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    guard socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else { return }
    let (served, peer) = (ends[0], ends[1])
    loop.onThisThread { shard.adopt(served, peer: .unix) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(peer, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
      turn()
    }
    close(peer)
    turn()
    // Whatever still waits has its deadline; then nothing holds the loop any more.
    let end = clock.now + .seconds(120)
    while loop.onThisThread({ clock.fireNext(until: end) }) { turn() }
  }

  private func turn() {
    loop.onThisThread {
      for _ in 0..<6 { loop.turn(waits: false) }
    }
  }
}
