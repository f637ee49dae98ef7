import Synchronization

/// The share of each address (IPv6: each /64) in a server, over all its loops: open connections, and bytes in buffers.
final class AddressAccounts: Sendable {
  /// The share of one address.
  final class Account: @unchecked Sendable {
    // SAFETY: `members` and `leaving` are used under the lock of the table alone.
    /// Bytes in the buffers of its connections.
    let buffers: BufferSum
    fileprivate var members: [Connection] = []
    /// How many members make way, and count no more.
    fileprivate var leaving = 0
    /// Where the last search ended.
    private var place = 0

    fileprivate init(bound: Int) { buffers = BufferSum(bound: bound) }

    fileprivate var count: Int { members.count - leaving }

    fileprivate func longestIdle() -> Connection? {
      place = members.isEmpty ? 0 : place % members.count
      return Connection.longestIdle(of: members, from: &place) { !$0.isLeaving }
    }
  }

  private let limits: HTTPLimits
  private let open = Locked<[PeerAddress: Account]>([:])

  init(limits: HTTPLimits) {
    self.limits = limits
  }

  /// Whether no address has anything.
  var isEmpty: Bool { open.withLock { $0.isEmpty } }

  /// Counts one more connection of its peer; false, and nothing counted, if there are too many. Beyond half of what an
  /// address may have, the connection of it that has been idle for longest makes way.
  func enter(_ connection: Connection) -> Bool {
    let most = limits.connectionsPerAddress
    let (account, leaver) = open.withLock { open -> (Account?, Connection?) in
      let network = connection.peer.network
      let account = open[network] ?? Account(bound: limits.buffersPerAddress)
      var leaver: Connection?
      if account.count >= most / 2,  // GUARD: room: idle connections of an address make way
        let idle = account.longestIdle()
      {
        idle.isLeaving = true
        account.leaving += 1
        leaver = idle
      }
      // GUARD: room: connections of one address
      guard account.count < most else { return (nil, leaver) }
      connection.seat = account.members.count
      account.members.append(connection)
      open[network] = account
      return (account, leaver)
    }
    leaver?.loop.execute { leaver?.makeWay() }
    connection.account = account
    return account != nil
  }

  /// A connection that was to make way is in use again.
  func stay(_ connection: Connection) {
    guard let account = connection.account else { return }
    open.withLock { _ in
      guard connection.isLeaving else { return }
      connection.isLeaving = false
      account.leaving -= 1
    }
  }

  /// Undoes one `enter` that was true; a second call does nothing.
  func leave(_ connection: Connection) {
    guard let account = connection.account else { return }
    open.withLock { open in
      guard connection.seat >= 0 else { return }
      let last = account.members.removeLast()
      // INVARIANT: a connection's seat is its index.
      if last !== connection {
        account.members[connection.seat] = last
        last.seat = connection.seat
      }
      connection.seat = -1
      if connection.isLeaving { account.leaving -= 1 }
      // INVARIANT: no entry is empty, so that the table holds only who is connected.
      if account.members.isEmpty { open[connection.peer.network] = nil }
    }
  }
}

extension Connection {
  /// The connection that has been idle for longest, of all or, where there are many, of those that come next; nil only
  /// if none of them is idle. `place` moves on.
  static func longestIdle(
    of connections: [Connection], from place: inout Int, where mayLeave: (Connection) -> Bool = { _ in true }
  ) -> Connection? {
    var found: (connection: Connection, since: Int)?
    for looked in 0..<connections.count {
      if looked >= 512, found != nil { break }
      place = place + 1 < connections.count ? place + 1 : 0
      let connection = connections[place]
      let since = connection.idleSince.load(ordering: .relaxed)
      if since != 0, found.map({ since < $0.since }) ?? true, mayLeave(connection) { found = (connection, since) }
    }
    return found?.connection
  }
}
