import Glibc
import Testing

@testable import GatehouseRuntime

/// A blocking socket for tests: what goes over the wire is exactly what the test says.
final class RawClient {
  struct Answer: Equatable {
    var status: Int
    var headers: [String: String]
    var body: String
  }

  struct NoAnswer: Error { let why: String }

  let descriptor: Int32
  private var pending: [UInt8] = []
  /// Where the bytes are encrypted.
  private(set) var tls: ClientTLS?

  init(_ address: ListenAddress, receiveBuffer: Int32? = nil) throws {
    var answer: Int32 = -1
    switch address {
    case .tcp(let host, let port):
      let isIPv4 = !host.contains(":")
      descriptor = socket(isIPv4 ? AF_INET : AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
      if var receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, 4) }
      if isIPv4 {
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &target.sin_addr)
        answer = Self.connect(descriptor, &target)
      } else {
        var target = sockaddr_in6()
        target.sin6_family = sa_family_t(AF_INET6)
        target.sin6_port = port.bigEndian
        inet_pton(AF_INET6, host, &target.sin6_addr)
        answer = Self.connect(descriptor, &target)
      }
    case .unix(let path):
      descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var target = sockaddr_un()
      target.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &target.sun_path) { $0.copyBytes(from: path.utf8) }
      answer = Self.connect(descriptor, &target)
    }
    guard answer == 0 else { throw NoAnswer(why: "connect: \(errno)") }
    prepare()
  }

  /// Takes over one end of a socket pair.
  init(connected descriptor: Int32) {
    self.descriptor = descriptor
    prepare()
  }

  private func prepare() {
    // A test that would hang fails instead.
    var patience = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var one: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
  }

  deinit { close(descriptor) }

  /// Shakes hands; from here on everything is encrypted.
  @discardableResult
  func encrypt(_ options: ClientTLS.Options = ClientTLS.Options()) throws -> ClientTLS {
    let tls = try ClientTLS(descriptor, options)
    self.tls = tls
    return tls
  }

  private static func connect<Storage>(_ descriptor: Int32, _ storage: inout Storage) -> Int32 {
    withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Storage>.size))
      }
    }
  }

  /// Sends everything; false once the server has closed.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    if let tls { return tls.write(bytes) }
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  func finishWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// More bytes; nil at the end of the stream (also a reset), an error when none came in time.
  private func more() throws -> [UInt8]? {
    if let tls { return try tls.read() }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count > 0 { return Array(buffer[..<count]) }
    if count < 0, errno == EAGAIN { throw NoAnswer(why: "nothing came in time") }
    return nil
  }

  /// The next response on the connection; `body: false` for an answer to HEAD.
  func receive(body: Bool = true) throws -> Answer {
    while true {
      if let end = pending.firstRange(of: Array("\r\n\r\n".utf8)) {
        let lines = String(decoding: pending[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
          let parts = line.split(separator: ":", maxSplits: 1)
          headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        let length = body ? Int(headers["content-length"] ?? "0") ?? 0 : 0
        while pending.count < end.upperBound + length {
          pending += try more() ?? { throw NoAnswer(why: "cut short") }()
        }
        let answer = Answer(
          status: Int(lines[0].split(separator: " ")[1]) ?? 0, headers: headers,
          body: String(decoding: pending[end.upperBound..<(end.upperBound + length)], as: UTF8.self))
        pending.removeFirst(end.upperBound + length)
        return answer
      }
      guard let bytes = try more() else { throw NoAnswer(why: "closed") }
      pending += bytes
    }
  }

  /// At least one byte of what comes; nil at the end of the stream.
  func receiveSome() throws -> [UInt8]? {
    defer { pending = [] }
    return pending.isEmpty ? try more() : pending
  }

  /// Waits for the server to close; what still came before.
  func receiveToEnd() throws -> String {
    while let bytes = try more() { pending += bytes }
    defer { pending = [] }
    return String(decoding: pending, as: UTF8.self)
  }
}

/// A server on a port of its own for one test, and its loops.
struct RunningServer {
  let loops: LoopGroup
  let server: HTTPServer
  var address: ListenAddress { server.address }

  func client(receiveBuffer: Int32? = nil) throws -> RawClient { try RawClient(address, receiveBuffer: receiveBuffer) }

  /// A client that has already shaken hands.
  func encryptedClient(_ options: ClientTLS.Options = ClientTLS.Options(), receiveBuffer: Int32? = nil) throws
    -> RawClient
  {
    let client = try client(receiveBuffer: receiveBuffer)
    try client.encrypt(options)
    return client
  }
}

/// Runs `body` against a server, then drains and stops it.
func withServer<Result>(
  loops count: Int = 1, at address: ListenAddress = .tcp(host: "127.0.0.1", port: 0), limits: HTTPLimits = HTTPLimits(),
  proxies: ProxyTrust = .none, tls: TLSCredentials? = nil, observer: (any HTTPObserver)? = nil,
  handler: @escaping Handler = { .text("\($0.method) \($0.rawTarget) \($0.body.count)") },
  _ body: (RunningServer) async throws -> Result
) async throws -> Result {
  let loops = LoopGroup(count: count)
  let server = try HTTPServer(
    loops: loops, address: address, limits: limits, proxies: proxies, tls: tls, observer: observer, handler: handler)
  loops.start()
  let running = RunningServer(loops: loops, server: server)
  do {
    let result = try await body(running)
    _ = await server.drain(within: .zero)
    try loops.stop()
    return result
  } catch {
    _ = await server.drain(within: .zero)
    try loops.stop()
    throw error
  }
}
