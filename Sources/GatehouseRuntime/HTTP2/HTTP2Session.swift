import CNGHTTP2

/// HTTP/2 on one connection (RFC 9113). nghttp2 knows frames, compression and flow control; what a request is, what it
/// may cost and when it is over is decided here.
final class HTTP2Session: ProtocolSession, @unchecked Sendable {
  // SAFETY: confined to the loop of its connection; tasks it starts prefer that loop.
  let connection: Connection
  private var library: OpaquePointer?
  private var streams: [Int32: HTTP2Stream] = [:]
  private var arrived: [Int32] = []
  /// Requests that came, for telling one wait from the next.
  private var requests = 0
  /// Handlers at work; more than there are streams when streams were taken back.
  private var running = 0
  /// Bytes of bodies that are not whole.
  private var buffered = 0
  private var resets: TokenBucket
  private var frames: TokenBucket
  private var isGreeted = false
  private var isInHeaders = false
  private var isFlooded = false
  /// nghttp2, or the loop that starts requests, is at work: nothing is pumped from within.
  private var isBusy = false
  private var isInputOver = false
  private var isOver = false
  private var drainDeadline: ContinuousClock.Instant?
  private var hasSaidLast = false

  init(connection: Connection) {
    self.connection = connection
    let limits = connection.limits
    resets = TokenBucket(capacity: limits.resets, perSecond: limits.resetsPerSecond, now: connection.loop.now)
    frames = TokenBucket(capacity: limits.frames, perSecond: limits.framesPerSecond, now: connection.loop.now)
    library = HTTP2Library.makeSession(for: self, limits: limits)
  }

  deinit { nghttp2_session_del(library) }

  var wantsInput: Bool { !isOver }

  var isAnswering: Bool { streams.values.contains { $0.phase != .receiving } }

  var waiting: Waiting {
    if isOver { return Waiting(kind: .nothing, request: requests) }
    if !isGreeted || isInHeaders { return Waiting(kind: .head, request: requests) }
    return Waiting(kind: streams.isEmpty ? .nextRequest : .nothing, request: requests)
  }

  func receive(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard !isOver else { return }
    guard let library else { return end() }
    isBusy = true
    let taken = nghttp2_session_mem_recv(library, bytes.baseAddress, bytes.count)
    isBusy = false
    guard taken >= 0 else { return fail(taken) }
    startArrived()
    pump()
  }

  /// What is being answered still is; a request that is not whole can not become it.
  func inputEnded() {
    isInputOver = true
    pump()
  }

  func resume() { pump() }

  func timedOut() { terminate() }

  /// Tells the peer to open no more streams, and asks for a sign that it has heard it (RFC 9113, section 6.8).
  func drain() {
    guard !isOver, drainDeadline == nil, let library else { return }
    drainDeadline = connection.loop.now + connection.limits.drainGrace
    nghttp2_submit_shutdown_notice(library)
    nghttp2_submit_ping(library, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
    pump()
  }

  func check(_ now: ContinuousClock.Instant) {
    guard !isOver, let library else { return }
    var late: [HTTP2Stream] = []
    for stream in streams.values where isLate(stream, now) { late.append(stream) }
    let isDrained = drainDeadline.map { $0 <= now && !hasSaidLast } ?? false
    guard !late.isEmpty || isDrained else { return }
    for stream in late {
      if stream.phase == .receiving {
        refuse(stream, 408)
      } else {
        nghttp2_submit_rst_stream(library, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream.id, NGHTTP2_CANCEL.rawValue)
      }
    }
    if isDrained { sayLast() }
    pump()
    connection.resumeInput()
  }

  private func isLate(_ stream: HTTP2Stream, _ now: ContinuousClock.Instant) -> Bool {
    guard let since = stream.since else { return false }
    let limits = connection.limits
    switch stream.phase {
    case .receiving:
      let earned = Duration.seconds(min(stream.body.count, limits.bodyBytes)) / max(1, limits.bodyRate)
      // GUARD: http/2: a slow body
      return since + min(limits.body, limits.bodyGrace + earned) <= now
    case .sending:
      // GUARD: http/2: an answer that is never taken
      return since + limits.write <= now
    case .arrived, .running: return false
    }
  }
}

// Callbacks of nghttp2.
extension HTTP2Session {
  /// False if the peer sends more than it gets done.
  func frameBegan() -> Bool {
    // GUARD: http/2: frames that get nothing done
    if !frames.take(now: connection.loop.now) { isFlooded = true }
    return !isFlooded
  }

  func headersBegan(_ id: Int32, isRequest: Bool) {
    isInHeaders = true
    if isRequest {
      requests &+= 1
      streams[id] = HTTP2Stream(id: id, limits: connection.limits)
    } else {
      // Trailers, which no handler uses: refused as in HTTP/1.1.
      // GUARD: http/2: trailers
      streams[id]?.head.refuse(400)
    }
  }

  /// False if the head is far too large: it would still have to be decompressed to its end.
  func fieldReceived(_ id: Int32, _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let stream = streams[id] else { return true }
    stream.head.add(name: name, value: value)
    // GUARD: http/2: a head that unpacks to a huge one
    if stream.head.size > connection.limits.headBytes * 4 { isFlooded = true }
    return !isFlooded
  }

  func fieldRefused(_ id: Int32) { streams[id]?.head.refuse(400) }

  func dataReceived(_ id: Int32, _ bytes: UnsafeBufferPointer<UInt8>) {
    guard let stream = streams[id], stream.phase == .receiving, stream.head.refusal == nil else { return }
    frames.give(bytes.count / 256)
    // GUARD: http/2: size of a body
    guard bytes.count <= connection.limits.bodyBytes - stream.body.count else {
      stream.head.refuse(413)
      return arrived.append(id)
    }
    // GUARD: http/2: bodies that are not whole
    guard bytes.count <= connection.limits.bufferedBytes - buffered else {
      // Nothing was done with the request: the peer may send it again (RFC 9113, section 8.7).
      nghttp2_submit_rst_stream(
        library, UInt8(NGHTTP2_FLAG_NONE.rawValue), id, NGHTTP2_REFUSED_STREAM.rawValue)
      return
    }
    stream.body += bytes
    buffered += bytes.count
  }

  func frameReceived(_ frame: nghttp2_frame_hd) {
    switch UInt32(frame.type) {
    case NGHTTP2_SETTINGS.rawValue: isGreeted = true
    case NGHTTP2_PING.rawValue:
      if frame.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) != 0, drainDeadline != nil { sayLast() }
    case NGHTTP2_HEADERS.rawValue:
      isInHeaders = false
      guard let stream = streams[frame.stream_id] else { return }
      if stream.parsed == nil { headEnded(stream) }
      inputMayEnd(stream, frame)
    case NGHTTP2_DATA.rawValue:
      if let stream = streams[frame.stream_id] { inputMayEnd(stream, frame) }
    default: break
    }
  }

  private func headEnded(_ stream: HTTP2Stream) {
    stream.parsed = stream.head.finish()
    stream.since = connection.loop.now
    if stream.parsed?.expectsContinue == true, let library { HTTP2Library.submitContinue(stream.id, to: library) }
  }

  private func inputMayEnd(_ stream: HTTP2Stream, _ frame: nghttp2_frame_hd) {
    if frame.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0 { stream.isInputOpen = false }
    guard stream.phase == .receiving, !stream.isInputOpen || stream.head.refusal != nil else { return }
    arrived.append(stream.id)
  }

  /// After the answer's end the peer need not send the rest of its request.
  func frameSent(_ frame: nghttp2_frame_hd) {
    guard [NGHTTP2_HEADERS.rawValue, NGHTTP2_DATA.rawValue].contains(UInt32(frame.type)),
      frame.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0, let stream = streams[frame.stream_id]
    else { return }
    stream.isAnswered = true
    guard stream.isInputOpen else { return }
    nghttp2_submit_rst_stream(
      library, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream.id, NGHTTP2_NO_ERROR.rawValue)
  }

  /// False if too many streams ended in another way than by their answer, on the initiative of either side
  /// (CVE-2023-44487 and its like).
  func streamClosed(_ id: Int32) -> Bool {
    guard let stream = streams.removeValue(forKey: id) else { return true }
    forgetBody(stream)
    if stream.isAnswered {
      resets.give(1)
      frames.give(16)
    } else if !resets.take(now: connection.loop.now) {  // GUARD: http/2: streams taken back
      isFlooded = true
    }
    return !isFlooded
  }

  private func forgetBody(_ stream: HTTP2Stream) {
    guard stream.phase == .receiving || stream.phase == .arrived else { return }
    buffered -= stream.body.count
    stream.body = []
  }
}

// Requests and answers.
extension HTTP2Session {
  private func startArrived() {
    guard !arrived.isEmpty else { return }
    isBusy = true
    for id in arrived {
      // A request that was cancelled in the meantime has cost no more than reading it.
      guard let stream = streams[id], stream.phase == .receiving else { continue }
      if let status = stream.head.refusal { refuse(stream, status) } else { start(stream) }
    }
    arrived.removeAll(keepingCapacity: true)
    isBusy = false
  }

  private func start(_ stream: HTTP2Stream) {
    guard let parsed = stream.parsed else { return refuse(stream, 400) }
    // GUARD: http/2: handlers at work
    guard running < connection.limits.streams else {
      nghttp2_submit_rst_stream(
        library, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream.id, NGHTTP2_REFUSED_STREAM.rawValue)
      return
    }
    let request = Request(
      head: parsed.head, body: stream.body, peer: connection.peer, isSecure: connection.isSecure)
    forgetBody(stream)
    stream.phase = .running
    stream.since = nil
    running += 1
    let id = stream.id
    if let response = connection.immediately(request) { return reply(response, on: id) }
    let handler = connection.handler
    Task.immediate(executorPreference: connection.loop) { [self] in
      reply(await handler(request), on: id)
    }
  }

  private func reply(_ response: Response, on id: Int32) {
    running -= 1
    // A number is never used twice on a connection.
    guard !isOver, !connection.isClosed, let stream = streams[id] else { return }
    answer(response, on: stream)
    if response.asksToClose { sayLast() }
    pump()
  }

  private func refuse(_ stream: HTTP2Stream, _ status: Int) {
    connection.observer?.refused(status: status)
    forgetBody(stream)
    answer(connection.refusal(status, nil), on: stream)
  }

  private func answer(_ response: Response, on stream: HTTP2Stream) {
    guard let library else { return }
    stream.phase = .sending
    stream.since = connection.loop.now
    HTTP2Library.submit(response, on: stream, to: library, date: connection.date)
  }

  /// Hands the connection what nghttp2 has for the peer, as far as the peer takes it.
  private func pump() {
    guard !isBusy, !isOver, let library else { return }
    isBusy = true
    while connection.mayAnswer() {
      var bytes: UnsafePointer<UInt8>?
      let count = nghttp2_session_mem_send(library, &bytes)
      guard count >= 0 else {
        isBusy = false
        return fail(count)
      }
      guard count > 0 else { break }
      connection.send { $0.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count)) }
    }
    isBusy = false
    let isDone = nghttp2_session_want_read(library) == 0 && nghttp2_session_want_write(library) == 0
    if isDone || (isInputOver && !isAnswering) { end() }
  }

  /// From here on no new stream is served; those that are open are.
  private func sayLast() {
    guard !hasSaidLast, let library else { return }
    hasSaidLast = true
    nghttp2_submit_goaway(
      library, UInt8(NGHTTP2_FLAG_NONE.rawValue), nghttp2_session_get_last_proc_stream_id(library),
      NGHTTP2_NO_ERROR.rawValue, nil, 0)
  }

  private func terminate() {
    guard !isOver, let library else { return }
    nghttp2_session_terminate_session(library, NGHTTP2_NO_ERROR.rawValue)
    pump()
    end()
  }

  /// nghttp2 gave up, and may not be asked for anything more.
  private func fail(_ error: Int) {
    let code =
      isFlooded || error == Int(NGHTTP2_ERR_FLOODED.rawValue) ? NGHTTP2_ENHANCE_YOUR_CALM : NGHTTP2_PROTOCOL_ERROR
    let last = UInt32(bitPattern: nghttp2_session_get_last_proc_stream_id(library))
    let header: [UInt8] = [0, 0, 8, UInt8(NGHTTP2_GOAWAY.rawValue), 0, 0, 0, 0, 0]
    connection.send { output in
      output += header
      for word in [last, code.rawValue] { withUnsafeBytes(of: word.bigEndian) { output += $0 } }
    }
    if isFlooded { connection.observer?.refused(status: 429) }
    end()
  }

  private func end() {
    guard !isOver else { return }
    isOver = true
    connection.closeAfterOutput()
  }
}
