/// How many connections each address (IPv6: each /64) has open on a server, over all its loops.
final class AddressCounts: Sendable {
  private let limit: Int
  private let open = Locked<[PeerAddress: Int]>([:])

  init(limit: Int) {
    self.limit = limit
  }

  /// Counts one more connection; false, and nothing counted, if there are too many.
  func enter(_ peer: PeerAddress) -> Bool {
    open.withLock { open in
      let count = open[peer.network, default: 0]
      guard count < limit else { return false }
      open[peer.network] = count + 1
      return true
    }
  }

  /// Undoes one `enter` that was true.
  func leave(_ peer: PeerAddress) {
    open.withLock { open in
      // INVARIANT: no entry is zero, so that the table holds only who is connected.
      guard let count = open[peer.network] else { return }
      open[peer.network] = count > 1 ? count - 1 : nil
    }
  }
}
