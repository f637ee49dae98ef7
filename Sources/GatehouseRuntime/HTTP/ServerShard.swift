import CPlatform
import Glibc

/// One loop's share of a server: its listener, its connections and their deadlines. Loop thread only, but for `init`.
final class ServerShard: @unchecked Sendable {
  // SAFETY: confined to its loop once `start` runs there; nothing is touched before.
  let loop: Loop
  let limits: HTTPLimits
  let handlers: Handlers
  let proxies: ProxyTrust
  /// Whether no peer is served but processes of this machine and proxies.
  private let onlyTrusted: Bool
  private let tls: TLSCredentials?
  let observer: (any HTTPObserver)?
  /// Every connection of the loop reads into the same bytes, one after the other.
  let readBuffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 65_536)
  private let listener: Int32
  private let sharesPort: Bool
  private let capacity: Int
  private let addresses: AddressAccounts
  let memory: BufferMemory
  private var watch: Watch?
  private var connections: [Connection] = []
  /// Where the last search for an idle one ended.
  private var place = 0
  private var prefaces: [ObjectIdentifier: ProxyPreface] = [:]
  private var dirty: [Connection] = []
  private var flushing: [Connection] = []
  private var sweep: LoopTimer?
  /// How many connections, from the first, this round has not come to yet.
  private var unchecked = 0
  /// The number of connections that are checked at a time.
  static let usualPart = 128
  private var dates = DateCache()
  private var emptied: UnsafeContinuation<Int, Never>?
  private var cutting: LoopTimer?
  private var cut = 0

  init(
    loop: Loop, listener: Int32, sharesPort: Bool = false, capacity: Int, limits: HTTPLimits,
    proxies: ProxyTrust = .none, onlyTrusted: Bool = false, tls: TLSCredentials? = nil,
    addresses: AddressAccounts? = nil, memory: BufferMemory? = nil, observer: (any HTTPObserver)?, handlers: Handlers
  ) {
    self.loop = loop
    self.listener = listener
    self.sharesPort = sharesPort
    self.capacity = capacity
    self.limits = limits
    self.proxies = proxies
    self.onlyTrusted = onlyTrusted
    self.tls = tls
    self.addresses = addresses ?? AddressAccounts(limits: limits)
    self.memory = memory ?? BufferMemory(bound: limits.buffers)
    self.observer = observer
    self.handlers = handlers
  }

  deinit { readBuffer.deallocate() }

  var date: [UInt8] { dates.now() }

  func start() {
    watch = loop.watch(listener) { [self] _ in accept() }
    watch?.interest = .read
  }

  /// Takes waiting connections, so many at a time that those already open are not kept waiting.
  private func accept() {
    for _ in 0..<64 where !acceptOne() { return }
  }

  /// False once no connection waits.
  private func acceptOne() -> Bool {
    var storage = sockaddr_storage()
    var length = UInt32(MemoryLayout<sockaddr_storage>.size)
    let descriptor = platform_accept(listener, &storage, &length)
    guard descriptor >= 0 else {
      // The peer went away before it was accepted: look for the next one.
      if errno == ECONNABORTED || errno == EINTR { return true }
      if errno != EAGAIN { pauseAccepting() }
      return false
    }
    welcome(descriptor, peer: PeerAddress(storage))
    return true
  }

  /// Serves a connection that was just accepted; one of a proxy that announces its clients is heard first.
  func welcome(_ descriptor: Int32, peer: PeerAddress) {
    // GUARD: proxy: others are not served in clear
    guard !onlyTrusted || proxies.serves(peer) else {
      observer?.connectionNotTrusted()
      return PlainTransport(descriptor).close(abruptly: true)
    }
    guard proxies.awaitsHeader(from: peer) else { return adopt(descriptor, peer: peer) }
    // GUARD: room: proxies that have not spoken
    guard hasRoom() else { return turnAway(PlainTransport(descriptor)) }
    let preface = ProxyPreface(shard: self, descriptor: descriptor, proxy: peer)
    prefaces[ObjectIdentifier(preface)] = preface
    preface.open()
  }

  /// Serves what comes over a descriptor, encrypted where this server encrypts.
  func adopt(_ descriptor: Int32, peer: PeerAddress) {
    guard let tls else { return adopt(PlainTransport(descriptor), peer: peer) }
    guard let transport = tls.accept(descriptor) else { return turnAway(PlainTransport(descriptor)) }
    adopt(transport, peer: peer)
  }

  /// Serves a connection, or turns it away if there are too many, in all or of this peer.
  func adopt(_ transport: any Transport, peer: PeerAddress) {
    // GUARD: room: connections
    guard hasRoom() else { return turnAway(transport) }
    let connection = Connection(shard: self, transport: transport, peer: peer)
    guard !proxies.counts(peer) || addresses.enter(connection) else {
      transport.close(abruptly: true)
      observer?.connectionCrowdedOut()
      return
    }
    connection.slot = connections.count
    connections.append(connection)
    observer?.connectionOpened()
    connection.open()
    if sweep == nil { scheduleSweep() }
    if isDraining { connection.drain(grace: loop.now + limits.drainGrace) }
  }

  /// Whether one more connection may be opened; at capacity, the one that has been idle for longest makes way.
  private func hasRoom() -> Bool {
    if connections.count + prefaces.count < capacity { return true }
    if place >= connections.count { place = 0 }
    // GUARD: room: idle connections make way
    guard let idle = Connection.longestIdle(of: connections, from: &place) else { return false }
    return idle.makeWay()
  }

  /// Forgets a proxy's connection that is served now, or closed.
  func forget(_ preface: ProxyPreface) { prefaces[ObjectIdentifier(preface)] = nil }

  /// Looks whether a drain has come to its end.
  func departed() {
    if isDraining, connections.isEmpty, prefaces.isEmpty { finishDrain() }
  }

  /// Out of descriptors or memory: the listener stays readable, so asking again at once would only burn the loop.
  private func pauseAccepting() {
    watch?.interest = []
    loop.after(.milliseconds(100)) { [self] in watch?.interest = .read }
  }

  private func turnAway(_ transport: any Transport) {
    observer?.connectionTurnedAway()
    // Before a handshake the peer could not read an answer.
    guard tls == nil else { return transport.close(abruptly: true) }
    var bytes: [UInt8] = []
    let writer = ResponseWriter(isHead: false, closes: true, isVersion11: true)
    writer.write(handlers.refusal(503, nil), date: date, to: &bytes)
    _ = bytes.withUnsafeBytes(transport.write)
    transport.close(abruptly: false)
  }

  /// Flushes `connection` at the end of the turn.
  func flushLater(_ connection: Connection) {
    if dirty.isEmpty { loop.endOfTurn { [self] in flushDirty() } }
    dirty.append(connection)
  }

  private func flushDirty() {
    swap(&dirty, &flushing)
    for connection in flushing { connection.flush() }
    flushing.removeAll(keepingCapacity: true)
  }

  /// Forgets a connection that has just closed.
  func closed(_ connection: Connection) {
    let last = connections.removeLast()
    // INVARIANT: a connection's slot is its index, until it is closed once.
    if last !== connection {
      connections[connection.slot] = last
      last.slot = connection.slot
    }
    observer?.connectionClosed()
    departed()
  }

  /// A connection ends: its address may have another one.
  func release(_ connection: Connection) { addresses.leave(connection) }

  /// A connection that was to make way for another of its address is in use.
  func stay(_ connection: Connection) { addresses.stay(connection) }

  /// The deadlines of all connections are looked at once in a tick; those of many in parts, so that a request waits for
  /// one part of them and not for all.
  private func scheduleSweep() {
    // GUARD: deadline: of many connections, in parts
    let parts = min(16, 1 + connections.count / ServerShard.usualPart)
    sweep = loop.after(limits.tick / parts) { [self] in
      sweep = nil
      check(connections.count / parts + 1)
      if !connections.isEmpty { scheduleSweep() }
    }
  }

  /// Goes on backwards, because a connection that closes is replaced by the last one, which was looked at already.
  private func check(_ count: Int) {
    let now = loop.now
    if unchecked == 0 { unchecked = connections.count }
    for _ in 0..<count {
      unchecked = min(unchecked, connections.count)
      guard unchecked > 0 else { return }
      unchecked -= 1
      connections[unchecked].check(now)
    }
  }
}

extension ServerShard {
  /// Stops accepting, finishes what is in flight, and cuts what is left after `limit`. How many answers were cut.
  func drain(within limit: Duration) async -> Int {
    await withUnsafeContinuation { continuation in
      loop.execute { [self] in beginDrain(within: limit, continuation) }
    }
  }

  private func beginDrain(within limit: Duration, _ continuation: UnsafeContinuation<Int, Never>) {
    guard watch != nil, emptied == nil else { return continuation.resume(returning: 0) }
    emptied = continuation
    // Closing the listener resets handshakes that have begun. Where another process takes the new ones, this one
    // listens until those have ended, and serves all connections as before.
    guard sharesPort, platform_refuse_handshakes(listener) == 0 else { return stopListening(drainingWithin: limit) }
    loop.after(limits.handover) { [self] in stopListening(drainingWithin: limit) }
  }

  /// Whether the listener is closed and connections come to their end.
  private var isDraining: Bool { emptied != nil && watch == nil }

  private func stopListening(drainingWithin limit: Duration) {
    // A client that already waits to be accepted would be reset when the listener closes.
    while acceptOne() {}
    watch?.cancel()
    watch = nil
    close(listener)
    let grace = loop.now + limits.drainGrace
    for connection in connections { connection.drain(grace: grace) }
    for preface in prefaces.values { preface.wait(atMost: limits.drainGrace) }
    cutting = loop.after(limit) { [self] in
      cut = connections.count(where: \.isAnswering)
      for connection in connections { connection.close(abruptly: true) }
      for preface in Array(prefaces.values) { preface.close() }
    }
    departed()
  }

  private func finishDrain() {
    guard let emptied else { return }
    self.emptied = nil
    emptied.resume(returning: cut)
    cutting?.cancel()
    cutting = nil
  }
}
