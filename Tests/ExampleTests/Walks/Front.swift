import Foundation
import GatehousePrimitives
import GatehouseTesting

/// The network between devices and a server: it leads requests on, keeps them or their answers back, or is not there.
final class Front: Sendable {
  enum Way: Sendable {
    /// To the server that listens on this port of this machine.
    case to(UInt16)
    /// Connections are closed at once.
    case nowhere
    /// Connections stay open until there is another way.
    case later
  }

  /// Where a request is kept.
  enum Place: Sendable { case beforeServer, behindServer }

  private struct State {
    var way = Way.nowhere
    var stops: [(path: String, stop: Stop)] = []
  }

  let port: UInt16
  private let listener: Int32
  private let state = LockBox(State())

  var url: String { "http://127.0.0.1:\(port)" }

  init() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = Self.address(0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isOpen = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &size) == 0
      }
    }
    guard isOpen else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    self.listener = listener
    port = UInt16(bigEndian: address.sin_port)
    let state = state
    Thread.detachNewThread {
      while true {
        let peer = accept(listener, nil, nil)
        guard peer >= 0 else { return }
        Thread.detachNewThread { Self.serve(peer, state) }
      }
    }
  }

  /// Ends the listener; its thread ends with it.
  func close() {
    shutdown(listener, Int32(SHUT_RDWR))
    Glibc.close(listener)
  }

  func lead(_ way: Way) { state.withLock { $0.way = way } }

  /// To this server.
  func lead(to url: String) { lead(.to(URL(string: url)?.port.flatMap { UInt16(exactly: $0) } ?? 0)) }

  /// The next request of this path is kept, and its client gets no answer.
  func keep(_ path: String, _ place: Place) -> Stop {
    let stop = Stop(place)
    state.withLock { $0.stops.append((path, stop)) }
    return stop
  }

  /// One request that is kept.
  final class Stop: Sendable {
    let place: Place
    private let isReached = LockBox(false)
    private let gate = DispatchSemaphore(value: 0)

    init(_ place: Place) { self.place = place }

    /// Waits until the request is there: at the server already, or before it.
    func reached() async throws -> Bool { try await eventually { self.isReached.withLock { $0 } } }

    /// Ends the connection.
    func end() { gate.signal() }

    fileprivate func hold() {
      isReached.withLock { $0 = true }
      gate.wait()
    }
  }

  private static func serve(_ peer: Int32, _ state: LockBox<State>) {
    defer { Glibc.close(peer) }
    guard let request = request(peer) else { return }
    let target = String(decoding: request.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
    let stop = state.withLock { state -> Stop? in
      guard let index = state.stops.firstIndex(where: { target.contains($0.path + " ") }) else { return nil }
      return state.stops.remove(at: index).stop
    }
    if let stop, stop.place == .beforeServer { return stop.hold() }
    guard let port = port(state), let answer = exchange(request, port) else { return }
    if let stop { return stop.hold() }
    send(answer, to: peer)
  }

  /// Where to; nil for nowhere.
  private static func port(_ state: LockBox<State>) -> UInt16? {
    while true {
      switch state.withLock({ $0.way }) {
      case .to(let port): return port
      case .nowhere: return nil
      case .later: usleep(2000)
      }
    }
  }

  /// A whole request: the head, and as much content as it names.
  private static func request(_ peer: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    while true {
      if let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let length =
          head.components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
          .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
        if bytes.count >= end.upperBound + length { return bytes }
      }
      guard let more = receive(peer) else { return nil }
      bytes += more
    }
  }

  /// The server's whole answer. It is told to close, so that the end is seen.
  private static func exchange(_ request: [UInt8], _ port: UInt16) -> [UInt8]? {
    let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { Glibc.close(server) }
    var address = address(port)
    let isThere = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isThere, let line = request.firstRange(of: Array("\r\n".utf8)) else { return nil }
    send(request[..<line.upperBound] + Array("Connection: close\r\n".utf8) + request[line.upperBound...], to: server)
    var answer: [UInt8] = []
    while let more = receive(server) { answer += more }
    return answer.isEmpty ? nil : answer
  }

  private static func receive(_ socket: Int32) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    let count = recv(socket, &buffer, buffer.count, 0)
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  private static func send(_ bytes: [UInt8], to socket: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  private static func address(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
