import Glibc

/// A port of this machine that is taken, and from which no answer comes: connections are refused, or taken and left
/// alone. It is free again when the value goes.
package final class SilentPort: Sendable {
  package let port: UInt16
  private let descriptor: Int32

  package struct Failure: Error {}

  /// - Parameter listens: whether connections are taken.
  package init(listens: Bool) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.descriptor = descriptor
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isTaken = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && (!listens || listen(descriptor, 8) == 0)
          && getsockname(descriptor, $0, &size) == 0
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    guard isTaken else { throw Failure() }
  }

  deinit { close(descriptor) }
}
