import CPlatform
import Synchronization

/// One accepted connection: descriptor, unsent bytes, flow and deadlines. It knows no protocol; its session does.
/// Loop thread only.
final class Connection: @unchecked Sendable {
  // SAFETY: confined to its shard's loop.
  private enum State { case open, closingAfterOutput, lingering, closed }

  let peer: PeerAddress
  /// Where the shard keeps this connection.
  var slot = 0
  /// Where the account of its address keeps it, and whether it is to make way. Under the lock of `AddressAccounts`.
  var seat = -1
  var isLeaving = false
  /// The account of its address; nil where the address is not counted.
  var account: AddressAccounts.Account?
  /// Since when it could be closed and no request would be lost, in ticks; 0 while it could not. Other loops
  /// read it.
  let idleSince = Atomic<Int>(0)
  private let shard: ServerShard
  private let transport: any Transport
  private var session: (any ProtocolSession)?
  private var watch: Watch?
  private var state = State.open

  private var output: [UInt8] = []
  private var sent = 0
  /// Bytes that the transport has taken, in all.
  private var written = 0
  private var pace = Pace()
  /// Whether `idleSince` is set.
  private var wasIdle = false
  /// Steps of `BufferSum` that are counted for this connection.
  private var counted = 0
  private var isDirty = false
  private var sessionPaused = false
  private var willRead = false
  private var inputEnded = false
  private var lingered = 0
  /// The event that a blocked read or write waits for.
  private var readBlock = Readiness.read
  private var writeBlock: Readiness = []

  private var waiting = Waiting(kind: .nothing, request: -1)
  private var sessionDeadline: ContinuousClock.Instant?
  private var writeDeadline: ContinuousClock.Instant?

  init(shard: ServerShard, transport: any Transport, peer: PeerAddress) {
    self.shard = shard
    self.transport = transport
    self.peer = peer
  }

  var loop: Loop { shard.loop }
  var limits: HTTPLimits { shard.limits }
  var immediately: ImmediateHandler { shard.handlers.immediately }
  var refusal: RefusalRenderer { shard.handlers.refusal }
  var tooLarge: TooLargeRenderer { shard.handlers.tooLarge }
  var handler: Handler { shard.handlers.handler }
  var observer: (any HTTPObserver)? { shard.observer }
  var date: [UInt8] { shard.date }
  var isSecure: Bool { transport.isSecure }
  var applicationProtocol: ApplicationProtocol? { transport.applicationProtocol }
  var isClosed: Bool { state == .closed }
  /// Whether closing now would lose an answer the peer has not got.
  var isAnswering: Bool { (session?.isAnswering ?? false) || (state != .lingering && unsent > 0) }
  /// Bytes of answers that the transport has not taken.
  var unsent: Int { output.count - sent }

  /// Begins to read.
  func open() {
    session = OpeningSession(connection: self)
    watch = loop.watch(transport.descriptor) { [self] readiness in ready(readiness) }
    settle()
  }

  /// Lets another session take over.
  func become(_ session: any ProtocolSession) { self.session = session }

  /// Whether the session may produce another answer; if not, it is resumed once the peer has taken what there is.
  func mayAnswer() -> Bool {
    // GUARD: room: answers that the client does not take
    sessionPaused = unsent > limits.unsentBytes
    return !sessionPaused
  }

  /// The session is resumed once the peer has taken what there is, if that is anything.
  func resumeOnceSent() { sessionPaused = sessionPaused || unsent > 0 }

  /// Lets `write` append bytes; they go out at the end of the loop's turn, together with what else was appended.
  func send(_ write: (inout [UInt8]) -> Void) {
    guard state == .open else { return }
    write(&output)
    markDirty()
  }

  /// The session has caught up outside of a call of ours, and may want input again.
  func resumeInput() { settle() }

  /// Ends the connection once everything appended so far was taken.
  func closeAfterOutput() {
    guard state == .open else { return }
    state = .closingAfterOutput
    markDirty()
  }

  /// Ends the connection now, without sending the rest.
  func close(abruptly: Bool = false) {
    guard state != .closed else { return }
    state = .closed
    watch?.cancel()
    watch = nil
    // First: a peer that sees its connection end may open another at once, on another loop.
    shard.release(self)
    transport.close(abruptly: abruptly)
    idleSince.store(0, ordering: .relaxed)
    session = nil
    output = []
    sent = 0
    countBuffers()
    shard.closed(self)
  }

  /// Takes what already came, then lets the session finish what it has; what it only hopes for has until `grace`.
  func drain(grace: ContinuousClock.Instant) {
    if state == .open, wantsInput { read() }
    session?.drain()
    settle()
    if [.firstByte, .nextRequest].contains(waiting.kind), let deadline = sessionDeadline {
      sessionDeadline = min(deadline, grace)
    }
  }

  /// Does what the passing of `now` demands.
  func check(_ now: ContinuousClock.Instant) {
    // GUARD: deadline: what was answered in this turn owes nothing
    if isDirty { settle() }
    guard state != .closed else { return }
    // GUARD: deadline: who does not take an answer
    if let writeDeadline, writeDeadline <= now { return end(.slow) }
    // GUARD: deadline: who holds much and takes little
    if takesTooLittle(now) { return end(.slow) }
    session?.check(now)
    guard let deadline = dueTime, deadline <= now else { return }
    if state == .lingering { return close() }
    sessionDeadline = nil
    session?.timedOut()
    settle()
  }
}

extension Connection {
  /// The time by which the peer must have sent what is awaited. A body has its absolute deadline, and an earlier one
  /// that moves as its bytes arrive: a peer that sends nothing keeps the connection for the grace period only.
  private var dueTime: ContinuousClock.Instant? {
    guard waiting.kind == .body, let deadline = sessionDeadline, let received = session?.bodyReceived else {
      return sessionDeadline
    }
    let earned = Duration.seconds(min(received, limits.bodyBytes)) / max(1, limits.bodyRate)
    // GUARD: deadline: minimum rate of a body
    return min(deadline, deadline - limits.body + limits.bodyGrace + earned)
  }

  private func ready(_ readiness: Readiness) {
    if readiness.contains(readBlock) { read() }
    if state != .closed, !writeBlock.isEmpty, readiness.contains(writeBlock) { flush() }
  }

  /// Reads what is there, a few times at most, so that a peer that always has more does not hold up the others.
  private func read() {
    var left = 8
    repeat {
      left -= 1
      let buffer = shard.readBuffer
      let result = transport.read(into: UnsafeMutableRawBufferPointer(buffer))
      readBlock = .read
      switch result {
      case .bytes(let count): take(UnsafeBufferPointer(rebasing: buffer[..<count]))
      case .blocked(let readiness): readBlock = readiness
      case .failed: return close()
      case .unencrypted: return refuseUnencrypted()
      case .ended:
        inputEnded = true
        if state == .lingering { return close() }
        session?.inputEnded()
      }
    } while state != .closed && transport.hasBufferedInput && wantsInput && left > 0
    // Bytes sent at the end of this turn settle too.
    if !isDirty { settle() }
  }

  /// The peer asked for https:// in clear. It can read a hint, and nothing of its request is read.
  private func refuseUnencrypted() {
    observer?.refused(status: 400)
    let hint = shard.handlers.refusal(400, "This port speaks HTTPS: use https://")
    send { ResponseWriter(isHead: false, closes: true, isVersion11: true).write(hint, date: date, to: &$0) }
    closeAfterOutput()
  }

  /// Bytes that the transport holds already make no descriptor readable: they are read in the next turn.
  private func readLater() {
    guard !willRead else { return }
    willRead = true
    loop.endOfTurn { [self] in
      willRead = false
      if state != .closed, wantsInput, transport.hasBufferedInput { read() }
    }
  }

  private func take(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard state == .lingering else {
      session?.receive(bytes)
      return
    }
    lingered += bytes.count
    // GUARD: deadline: input thrown away after a refusal
    if lingered > limits.lingerBytes { close() }
  }

  private func markDirty() {
    guard !isDirty else { return }
    isDirty = true
    shard.flushLater(self)
  }

  /// Writes what the transport takes. Called at the end of the turn, and when the descriptor became ready again.
  func flush() {
    isDirty = false
    guard state == .open || state == .closingAfterOutput else { return }
    writeBlock = []
    while unsent > 0, writeBlock.isEmpty {
      let result = output.withUnsafeBytes { transport.write(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
      switch result {
      case .bytes(let count):
        sent += count
        written &+= count
      case .blocked(let readiness): writeBlock = readiness
      case .ended, .failed, .unencrypted: return close()
      }
    }
    if unsent == 0 {
      flushed()
    } else {
      forgetSent()
      if writeDeadline == nil { writeDeadline = loop.now + limits.write }
    }
    settle()
  }

  /// Bytes that were sent are not kept beside those that are not.
  private func forgetSent() {
    guard sent >= 65_536, sent >= unsent else { return }
    output.removeFirst(sent)
    sent = 0
  }

  private func flushed() {
    // An idle connection keeps a small buffer, not the largest it ever needed.
    output.removeAll(keepingCapacity: output.capacity <= 8192)
    sent = 0
    writeDeadline = nil
    if state == .closingAfterOutput { return linger() }
    guard sessionPaused else { return }
    sessionPaused = false
    session?.resume()
  }

  /// The answer is out; closing with unread input would reset the connection and could take the answer away from the
  /// peer (RFC 9112, section 9.6). So unread input is thrown away for a while first.
  private func linger() {
    if inputEnded { return close() }
    transport.finishWriting()
    state = .lingering
    session = nil
    sessionDeadline = loop.now + limits.linger
  }

  private var wantsInput: Bool {
    guard !inputEnded else { return false }
    switch state {
    case .open: return unsent <= limits.unsentBytes && (session?.wantsInput ?? false)
    case .lingering: return true
    case .closingAfterOutput, .closed: return false
    }
  }

  /// Brings deadline and interest up to date.
  private func settle() {
    guard state != .closed else { return }
    if let session,
      // GUARD: deadline: of a head, not moved by a byte
      session.waiting != waiting
    {
      waiting = session.waiting
      let now = loop.now
      sessionDeadline = time(for: waiting.kind).map { now + $0 }
      noteIdleness(now)
    } else if isIdle != wasIdle {
      noteIdleness(loop.now)
    }
    countBuffers()
    guard state != .closed else { return }
    var interest = writeBlock
    if wantsInput { interest.insert(readBlock) }
    watch?.interest = interest
    if transport.hasBufferedInput, wantsInput { readLater() }
  }

  private func time(for kind: Waiting.Kind) -> Duration? {
    switch kind {
    case .firstByte, .head: limits.head
    case .nextRequest: limits.idle
    case .body: limits.body
    case .nothing: nil
    }
  }
}

// Room.
extension Connection {
  private static let start = ContinuousClock.now

  /// Time in units of 2^40 attoseconds, about a microsecond: no division for each request.
  private static func ticks(_ now: ContinuousClock.Instant) -> Int {
    max(1, Int(truncatingIfNeeded: (now - start).attoseconds >> 40))
  }

  /// Whether nothing would be lost if it closed.
  private var isIdle: Bool { state == .open && waiting.isIdle && unsent == 0 }

  /// Tells other loops since when it is idle.
  private func noteIdleness(_ now: ContinuousClock.Instant) {
    wasIdle = isIdle
    idleSince.store(wasIdle ? Connection.ticks(now) : 0, ordering: .relaxed)
  }

  /// Closes an idle connection in favour of a new one; one whose next request has come stays. Returns whether it
  /// closed.
  @discardableResult
  func makeWay() -> Bool {
    if state == .open, wantsInput { read() }
    guard state != .closed else { return true }
    guard isIdle || state == .lingering else {
      shard.stay(self)
      return false
    }
    observer?.connectionEnded(.madeWay)
    session?.timedOut()
    flush()
    close()
    return true
  }

  /// Ends the connection for what its peer does not take, or because there is no room for what it asks for.
  private func end(_ why: ConnectionEnd) {
    let isEnding = session?.endForRoom() ?? true
    guard isEnding || why == .slow else { return }
    observer?.connectionEnded(why)
    flush()
    // Who takes no bytes is not waited for.
    if state != .closed, unsent > 0 { close(abruptly: true) }
  }

  /// Whether the peer holds much of what it may, and does not take it.
  private func takesTooLittle(_ now: ContinuousClock.Instant) -> Bool {
    guard state == .open || state == .closingAfterOutput else { return false }
    let untaken = unsent + (session?.untaken ?? 0)
    guard untaken > BufferSum.step, untaken > limits.unsentBytes / 2 || isCrowded else {
      pace.rest()
      return false
    }
    // What the system still has is not taken either.
    let queued = Int(platform_unsent_bytes(transport.descriptor))
    return pace.isTooSlow(taken: written - queued - (session?.overhead ?? 0), at: now, limits)
  }

  /// Whether buffers of all, or of this address, are more than half full.
  private var isCrowded: Bool { shard.memory.sum.isCrowded || (account?.buffers.isCrowded ?? false) }

  /// Counts what this connection holds, and ends one that holds more than there is room for.
  private func countBuffers() {
    let steps = (output.count + (session?.held ?? 0)) / BufferSum.step
    guard steps != counted else { return }
    let (change, own) = ((steps - counted) * BufferSum.step, counted * BufferSum.step)
    counted = steps
    let isFull = shard.memory.add(change, own: own)
    let isCrowdedOut = account?.buffers.add(change, own: own) ?? false
    if isFull || isCrowdedOut, change > 0, state == .open { end(.buffers) }
  }
}
