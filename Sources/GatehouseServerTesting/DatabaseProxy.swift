import Foundation
import GatehousePrimitives

/// A port of this machine that stands where PostgreSQL would. It passes everything on, but for statements that it
/// spoils or swallows, or it accepts and says nothing, as a frozen machine does.
package final class DatabaseProxy: Sendable {
  package let port: UInt16
  private let listener: Int32
  private let target: String?
  private let state = LockBox(State())

  /// The fault of a LISTEN.
  package enum Fault: Sendable {
    /// It becomes something that PostgreSQL refuses.
    case spoil
    /// It is lost on its way, with all that its connection sends later.
    case swallow
  }

  private struct State: Sendable {
    var accepted = 0
    var faults: [Fault] = []
    var done = 0
    var open: [Int32] = []
  }

  /// - Parameter target: the socket that is passed on to; nil for a port that says nothing.
  package init(to target: String?) throws {
    self.target = target
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 64) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else { throw CocoaError(.fileWriteUnknown) }
    listener = descriptor
    port = UInt16(bigEndian: address.sin_port)
    start { [self] in accept() }
  }

  /// Connections that were let in.
  package var accepted: Int { state.withLock { $0.accepted } }
  /// Faults that were done.
  package var done: Int { state.withLock { $0.done } }

  /// Does these to the next LISTEN statements, one to each.
  package func fail(_ faults: [Fault]) { state.withLock { $0.faults = faults } }

  /// Ends every connection and the port.
  package func close() {
    shutdown(listener, Int32(SHUT_RDWR))
    for descriptor in state.withLock({ $0.open }) { shutdown(descriptor, Int32(SHUT_RDWR)) }
  }

  private func start(_ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.name = "database proxy"
    thread.start()
  }

  private func accept() {
    while true {
      let client = Foundation.accept(listener, nil, nil)
      guard client >= 0 else { break }
      state.withLock {
        $0.accepted += 1
        $0.open.append(client)
      }
      guard let target, let server = connect(target) else { continue }
      state.withLock { $0.open.append(server) }
      start { [self] in pass(from: client, to: server, isToServer: true) }
      start { [self] in pass(from: server, to: client, isToServer: false) }
    }
    Foundation.close(listener)
  }

  private func connect(_ path: String) -> Int32? {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    return isConnected ? descriptor : nil
  }

  /// A side that ends takes the other one with it. Descriptors stay open until the process ends, because another thread
  /// may use them.
  private func pass(from: Int32, to: Int32, isToServer: Bool) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var isSwallowing = false
    while true {
      let count = read(from, &buffer, buffer.count)
      guard count > 0 else { break }
      var bytes = Array(buffer[..<count])
      if isToServer, let (place, fault) = fault(in: bytes) {
        isSwallowing = fault == .swallow
        bytes.replaceSubrange(place, with: Array("LISTEX ".utf8))
      }
      if isSwallowing { continue }
      var sent = 0
      while sent < count {
        let written = bytes[sent...].withUnsafeBytes { send(to, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        guard written > 0 else { break }
        sent += written
      }
    }
    shutdown(from, Int32(SHUT_RDWR))
    shutdown(to, Int32(SHUT_RDWR))
  }

  private func fault(in bytes: [UInt8]) -> (place: Range<Int>, fault: Fault)? {
    guard let place = bytes.firstRange(of: Array("LISTEN ".utf8)) else { return nil }
    let fault = state.withLock { state -> Fault? in
      guard !state.faults.isEmpty else { return nil }
      state.done += 1
      return state.faults.removeFirst()
    }
    return fault.map { (place, $0) }
  }
}
