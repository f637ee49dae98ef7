import Glibc

/// The listening descriptors of one address: one per loop, among which the kernel spreads connections.
struct ListeningSockets {
  /// The address with the port the system chose.
  let address: ListenAddress
  let descriptors: [Int32]

  /// Binds and listens `count` times. Another listener at the address is an error, also another process of ours unless
  /// the port is shared.
  init(_ address: ListenAddress, count: Int, sharesPort: Bool = false) throws(ListenError) {
    switch address {
    case .tcp(let host, let port):
      guard let parsed = PeerAddress(host, port: port) else { throw ListenError(address: address, reason: .invalid) }
      // With SO_REUSEPORT a second server would quietly share the port: the first bind is done without it.
      if port != 0, !sharesPort { close(try Self.bound(parsed, sharing: false, for: address)) }
      var bound = [try Self.bound(parsed, sharing: true, for: address)]
      let chosen = Self.port(of: bound[0]) ?? port
      do {
        while bound.count < count {
          guard let same = PeerAddress(host, port: chosen) else { break }
          bound.append(try Self.bound(same, sharing: true, for: address))
        }
        for descriptor in bound { try Self.listen(descriptor, for: address) }
      } catch {
        for descriptor in bound { close(descriptor) }
        throw error
      }
      self.address = .tcp(host: host, port: chosen)
      descriptors = bound
    case .unix(let path):
      let descriptor = try Self.unix(path, for: address)
      self.address = address
      descriptors = [descriptor] + (1..<max(1, count)).map { _ in fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
    }
  }

  private static func bound(
    _ peer: PeerAddress, sharing: Bool, for address: ListenAddress
  ) throws(ListenError) -> Int32 {
    var storage = peer.storage
    let family = Int32(storage.ss_family)
    let descriptor = try stream(family, for: address)
    set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
    if sharing { set(descriptor, SOL_SOCKET, SO_REUSEPORT, 1) }
    if family == AF_INET6 { set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
    let length = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
    try bind(descriptor, &storage, length, for: address)
    return descriptor
  }

  private static func unix(_ path: String, for address: ListenAddress) throws(ListenError) -> Int32 {
    var storage = sockaddr_un()
    storage.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard !bytes.isEmpty, !bytes.contains(0), bytes.count < MemoryLayout.size(ofValue: storage.sun_path) else {
      throw ListenError(address: address, reason: .invalid)
    }
    withUnsafeMutableBytes(of: &storage.sun_path) { $0.copyBytes(from: bytes) }
    let descriptor = try stream(AF_UNIX, for: address)
    try removeStale(path, &storage, for: address)
    try bind(descriptor, &storage, MemoryLayout<sockaddr_un>.size, for: address)
    // Owner and group: who may connect is a matter of the directory and its group.
    chmod(path, 0o660)
    try listen(descriptor, for: address)
    return descriptor
  }

  /// Removes a socket at which no process answers any more; one that answers is taken, and any other file is left
  /// alone.
  private static func removeStale(
    _ path: String, _ storage: inout sockaddr_un, for address: ListenAddress
  ) throws(ListenError) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
    let probe = try stream(AF_UNIX, for: address)
    defer { close(probe) }
    let answer = withSocketAddress(&storage) { connect(probe, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    if answer == 0 || errno == EAGAIN { throw ListenError(address: address, reason: .taken) }
    if errno == ECONNREFUSED { unlink(path) }
  }

  private static func stream(_ family: Int32, for address: ListenAddress) throws(ListenError) -> Int32 {
    let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    let descriptor = socket(family, Int32(kind), 0)
    guard descriptor >= 0 else { throw ListenError(address: address, reason: .system(errno)) }
    return descriptor
  }

  private static func bind<Storage>(
    _ descriptor: Int32, _ storage: inout Storage, _ length: Int, for address: ListenAddress
  ) throws(ListenError) {
    let answer = withSocketAddress(&storage) { Glibc.bind(descriptor, $0, socklen_t(length)) }
    guard answer != 0 else { return }
    let number = errno
    close(descriptor)
    throw ListenError(address: address, reason: number == EADDRINUSE ? .taken : .system(number))
  }

  private static func listen(_ descriptor: Int32, for address: ListenAddress) throws(ListenError) {
    guard Glibc.listen(descriptor, 4096) != 0 else { return }
    throw ListenError(address: address, reason: errno == EADDRINUSE ? .taken : .system(errno))
  }

  private static func port(of descriptor: Int32) -> UInt16? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    guard withSocketAddress(&storage, { getsockname(descriptor, $0, &length) }) == 0 else { return nil }
    return PeerAddress(storage).port
  }

  private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }
}

/// Lends a socket address of any family as the system calls want it.
private func withSocketAddress<Storage, Result>(
  _ storage: inout Storage, _ body: (UnsafeMutablePointer<sockaddr>) -> Result
) -> Result {
  // SAFETY: every socket address begins as `sockaddr` does, and the length handed along is that of the real type.
  withUnsafeMutablePointer(to: &storage) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
  }
}

extension PeerAddress {
  /// The address for bind(2).
  fileprivate var storage: sockaddr_storage {
    var storage = sockaddr_storage()
    // SAFETY: `sockaddr_storage` is made to hold the address its family names.
    withUnsafeMutableBytes(of: &storage) { bytes in
      switch self {
      case .ipv4(let address, let port):
        var value = sockaddr_in()
        value.sin_family = sa_family_t(AF_INET)
        value.sin_port = port.bigEndian
        value.sin_addr.s_addr = address.bigEndian
        bytes.storeBytes(of: value, as: sockaddr_in.self)
      case .ipv6(let high, let low, let port):
        var value = sockaddr_in6()
        value.sin6_family = sa_family_t(AF_INET6)
        value.sin6_port = port.bigEndian
        withUnsafeMutableBytes(of: &value.sin6_addr) { address in
          address.storeBytes(of: high.bigEndian, as: UInt64.self)
          address.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        bytes.storeBytes(of: value, as: sockaddr_in6.self)
      case .unix:
        break
      }
    }
    return storage
  }
}
