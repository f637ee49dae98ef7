import Glibc

/// A connection whose proxy has not yet named its client. It takes exactly the header's bytes off the descriptor: the
/// bytes behind it, encrypted or not, are the next reader's. Loop thread only.
final class ProxyPreface: @unchecked Sendable {
  // SAFETY: confined to its shard's loop.
  let proxy: PeerAddress
  private let descriptor: Int32
  private let shard: ServerShard
  private var watch: Watch?
  private var deadline: LoopTimer?
  private var bytes: [UInt8] = []

  init(shard: ServerShard, descriptor: Int32, proxy: PeerAddress) {
    self.shard = shard
    self.descriptor = descriptor
    self.proxy = proxy
  }

  /// Begins to read, under the deadline for heads.
  func open() {
    watch = shard.loop.watch(descriptor) { [self] _ in read() }
    watch?.interest = .read
    wait(atMost: shard.limits.head)
    read()
  }

  /// Gives up when `time` has passed from now.
  func wait(atMost time: Duration) {
    deadline?.cancel()
    deadline = shard.loop.after(time) { [self] in
      refuse()  // GUARD: deadline: of a proxy's header
    }
  }

  /// Ends the connection without an answer: HTTP has not begun yet.
  func close() {
    leave()
    PlainTransport(descriptor).close(abruptly: true)
    shard.departed()
  }

  private func read() {
    while watch != nil {
      switch bytes.withUnsafeBufferPointer(ProxyHeader.read) {
      case .refused: return refuse()
      case .header(let header):
        leave()
        shard.adopt(descriptor, peer: header.client ?? proxy)
        return shard.departed()
      case .more(let missing):
        guard let taken = take(missing) else { return }
        bytes += taken
      }
    }
  }

  /// Up to `count` bytes; nil when none are here, after closing if none will come.
  private func take(_ count: Int) -> [UInt8]? {
    let taken = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { buffer -> [UInt8]? in
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      return count >= 0 ? Array(buffer[..<count]) : nil
    }
    guard let taken else {
      if errno != EAGAIN, errno != EINTR { close() }
      return nil
    }
    guard taken.isEmpty else { return taken }
    // A peer that ends before its first byte only probed the port.
    if bytes.isEmpty { close() } else { refuse() }
    return nil
  }

  private func refuse() {
    shard.observer?.proxyHeaderRefused()
    close()
  }

  private func leave() {
    watch?.cancel()
    watch = nil
    deadline?.cancel()
    deadline = nil
    shard.forget(self)
  }
}
