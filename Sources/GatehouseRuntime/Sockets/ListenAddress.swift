import Glibc

/// Where a server listens.
package enum ListenAddress: Hashable, Sendable, CustomStringConvertible {
  /// A numeric IPv4 or IPv6 address; `::` takes IPv4 too; port 0 lets the system choose.
  case tcp(host: String, port: UInt16)
  /// A unix socket at that path.
  case unix(path: String)

  /// `127.0.0.1:8080`, `[::1]:8080` or `unix:/run/gatehouse.sock`; nil for anything else (names are not looked up).
  package init?(_ text: String) {
    if text.hasPrefix("unix:") {
      let path = text.dropFirst(5)
      guard !path.isEmpty else { return nil }
      self = .unix(path: String(path))
      return
    }
    guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")),
      let port = UInt16(text[text.index(after: colon)...])
    else { return nil }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
      guard host.utf8.contains(UInt8(ascii: ":")) else { return nil }
    } else if host.utf8.contains(UInt8(ascii: ":")) {
      return nil
    }
    guard PeerAddress(String(host)) != nil else { return nil }
    self = .tcp(host: String(host), port: port)
  }

  package var description: String {
    switch self {
    case .tcp(let host, let port): host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .unix(let path): "unix:\(path)"
    }
  }

  /// The port, or nil for a unix socket.
  package var port: UInt16? {
    if case .tcp(_, let port) = self { port } else { nil }
  }
}

/// Why the server can not listen at an address.
package struct ListenError: Error, Hashable, CustomStringConvertible {
  package enum Reason: Hashable, Sendable {
    /// Another socket listens there already.
    case taken
    /// Not a numeric address, or a path too long for a socket.
    case invalid
    /// The system's error number.
    case system(Int32)
  }

  package let address: ListenAddress
  package let reason: Reason

  package var description: String {
    switch reason {
    case .taken: "\(address) is already in use"
    case .invalid: "\(address) is not an address to listen on"
    case .system(let number): "can not listen on \(address): \(String(cString: strerror(number)))"
    }
  }
}
