import Glibc

/// The address of a peer. An IPv4 address mapped into IPv6 is that IPv4 address.
package enum PeerAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address in host byte order.
  case ipv4(UInt32, port: UInt16)
  /// Both halves of the address in host byte order.
  case ipv6(high: UInt64, low: UInt64, port: UInt16)
  /// A process on this machine, over a unix socket.
  case unix

  /// A numeric address without a port, such as `192.0.2.1` or `2001:db8::1`; nil for anything else.
  package init?(_ text: String, port: UInt16 = 0) {
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      self = .ipv4(UInt32(bigEndian: four.s_addr), port: port)
    } else if inet_pton(AF_INET6, text, &six) == 1 {
      self = PeerAddress(six, port: port)
    } else {
      return nil
    }
  }

  /// Reads an address that accept(2) or getsockname(2) filled in.
  init(_ storage: sockaddr_storage) {
    var storage = storage
    // SAFETY: `sockaddr_storage` is made to be read as the address its family names.
    self = withUnsafePointer(to: &storage) { pointer in
      let raw = UnsafeRawPointer(pointer)
      switch Int32(pointer.pointee.ss_family) {
      case AF_INET:
        let address = raw.load(as: sockaddr_in.self)
        return .ipv4(UInt32(bigEndian: address.sin_addr.s_addr), port: UInt16(bigEndian: address.sin_port))
      case AF_INET6:
        let address = raw.load(as: sockaddr_in6.self)
        return PeerAddress(address.sin6_addr, port: UInt16(bigEndian: address.sin6_port))
      default:
        return .unix
      }
    }
  }

  private init(_ address: in6_addr, port: UInt16) {
    let (high, low) = withUnsafeBytes(of: address) { bytes in
      (
        UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      )
    }
    self.init(high: high, low: low, port: port)
  }

  /// An IPv6 address, or the IPv4 address mapped into it (RFC 4291, section 2.5.5.2).
  init(high: UInt64, low: UInt64, port: UInt16) {
    if high == 0,  // GUARD: mapped IPv4 is IPv4: as a peer
      low >> 32 == 0xFFFF
    {
      self = .ipv4(UInt32(truncatingIfNeeded: low), port: port)
    } else {
      self = .ipv6(high: high, low: low, port: port)
    }
  }

  /// The 4 or 16 bytes of the address, most significant first; none over a unix socket.
  package var bytes: [UInt8] {
    switch self {
    case .ipv4(let address, _): withUnsafeBytes(of: address.bigEndian, Array.init)
    case .ipv6(let high, let low, _):
      withUnsafeBytes(of: high.bigEndian, Array.init) + withUnsafeBytes(of: low.bigEndian, Array.init)
    case .unix: []
    }
  }

  /// The network one peer controls, to count by: an IPv4 address itself, the /64 of an IPv6 address. Without a port.
  package var network: PeerAddress {
    switch self {
    case .ipv4(let address, _): .ipv4(address, port: 0)
    case .ipv6(let high, _, _): .ipv6(high: high, low: 0, port: 0)
    case .unix: .unix
    }
  }

  /// Whether the other end is a process on this machine that connects over its own network (127.0.0.0/8, ::1).
  package var isLoopback: Bool {
    switch self {
    case .ipv4(let address, _): address >> 24 == 127
    case .ipv6(let high, let low, _): high == 0 && low == 1
    case .unix: false
    }
  }

  /// The port, or nil over a unix socket.
  package var port: UInt16? {
    switch self {
    case .ipv4(_, let port), .ipv6(_, _, let port): port
    case .unix: nil
    }
  }

  /// The address alone in its usual spelling, `unix` over a unix socket.
  package var address: String {
    switch self {
    case .ipv4(let address, _):
      return "\(address >> 24).\(address >> 16 & 255).\(address >> 8 & 255).\(address & 255)"
    case .ipv6(let high, let low, _):
      var raw = in6_addr()
      withUnsafeMutableBytes(of: &raw) { bytes in
        bytes.storeBytes(of: high.bigEndian, as: UInt64.self)
        bytes.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
      }
      // SAFETY: the buffer has room for the longest spelling and its NUL.
      return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
        inet_ntop(AF_INET6, &raw, text.baseAddress, socklen_t(text.count)).map { String(cString: $0) } ?? ""
      }
    case .unix:
      return "unix"
    }
  }

  /// Address and port.
  package var description: String {
    switch self {
    case .ipv4(_, let port): "\(address):\(port)"
    case .ipv6(_, _, let port): "[\(address)]:\(port)"
    case .unix: "unix"
    }
  }
}
