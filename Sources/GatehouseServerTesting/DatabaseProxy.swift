import Foundation
import GatehousePrimitives

/// A port of this machine that stands where PostgreSQL would: it passes everything on, but for statements that it spoils,
/// or it accepts and says nothing, as a frozen machine does.
package final class DatabaseProxy: Sendable {
  package let port: UInt16
  private let listener: Int32
  private let target: String?
  private let state = LockBox(State())

  private struct State: Sendable {
    var accepted = 0
    var spoils = 0
    var spoiled = 0
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
  /// Statements that were spoiled.
  package var spoiled: Int { state.withLock { $0.spoiled } }

  /// Makes the next `count` LISTEN something that PostgreSQL refuses.
  package func spoilListen(_ count: Int) { state.withLock { $0.spoils = count } }

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

  /// A side that ends takes the other one with it. Descriptors stay until the process ends: another thread may use them.
  private func pass(from: Int32, to: Int32, isToServer: Bool) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(from, &buffer, buffer.count)
      guard count > 0 else { break }
      var bytes = Array(buffer[..<count])
      if isToServer { spoil(&bytes) }
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

  private func spoil(_ bytes: inout [UInt8]) {
    guard let place = bytes.firstRange(of: Array("LISTEN ".utf8)) else { return }
    let isMeant = state.withLock { state in
      guard state.spoils > 0 else { return false }
      state.spoils -= 1
      state.spoiled += 1
      return true
    }
    if isMeant { bytes.replaceSubrange(place, with: Array("LISTEX ".utf8)) }
  }
}
