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
  /// Bytes of requests that no handler has, of those that handlers have, and of answers that are not wholly sent.
  private var buffered = 0
  private var working = 0
  private var answers = 0
  /// Bytes of frames that are no answers.
  private(set) var overhead = 0
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

  var held: Int { buffered + working + answers + streams.count * HTTP2Stream.ownSize }

  var untaken: Int { answers }

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
    advance()
  }

  /// Requests at work are still answered; a request that is not whole can not become it.
  func inputEnded() {
    isInputOver = true
    advance()
  }

  func resume() { advance() }

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
    guard !isOver else { return }
    var late: [HTTP2Stream] = []
    for stream in streams.values where stream.isLate(now, connection.limits) { late.append(stream) }
    let isDrained = drainDeadline.map { $0 <= now && !hasSaidLast } ?? false
    guard !late.isEmpty || isDrained else { return }
    for stream in late {
      if stream.phase == .receiving {
        refuse(stream, 408)
      } else {
        reset(stream.id, NGHTTP2_CANCEL)
      }
    }
    if isDrained { sayLast() }
    advance()
    connection.resumeInput()
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
      return arrive(stream)
    }
    guard keep(bytes.count, of: stream) else { return }
    stream.body += bytes
  }

  /// Counts bytes of a request that no handler has; false if there is no room for them, and the request is refused.
  private func keep(_ count: Int, of stream: HTTP2Stream) -> Bool {
    // GUARD: http/2: bodies that are not whole
    guard count <= connection.limits.bufferedBytes - buffered else {
      giveBack(stream)
      return false
    }
    stream.requestSize += count
    buffered += count
    return true
  }

  private func reset(_ id: Int32, _ why: nghttp2_error_code) {
    nghttp2_submit_rst_stream(library, UInt8(NGHTTP2_FLAG_NONE.rawValue), id, why.rawValue)
  }

  /// Nothing was done with the request: the peer may send it again (RFC 9113, section 8.7).
  private func giveBack(_ stream: HTTP2Stream) {
    stream.phase = .givenBack
    forgetRequest(stream)
    reset(stream.id, NGHTTP2_REFUSED_STREAM)
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
    guard keep(stream.head.kept, of: stream) else { return }
    if stream.parsed?.expectsContinue == true, let library { HTTP2Library.submitContinue(stream.id, to: library) }
  }

  private func inputMayEnd(_ stream: HTTP2Stream, _ frame: nghttp2_frame_hd) {
    if frame.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0 { stream.isInputOpen = false }
    guard stream.phase == .receiving, !stream.isInputOpen || stream.head.refusal != nil else { return }
    arrive(stream)
  }

  private func arrive(_ stream: HTTP2Stream) {
    stream.phase = .arrived
    stream.since = nil
    arrived.append(stream.id)
  }

  /// After the answer's end the peer need not send the rest of its request.
  func frameSent(_ frame: nghttp2_frame_hd) {
    let isAnswer = [NGHTTP2_HEADERS.rawValue, NGHTTP2_DATA.rawValue].contains(UInt32(frame.type))
    // Each frame has nine bytes before its payload (RFC 9113, section 4.1).
    overhead &+= isAnswer ? 9 : 9 + frame.length
    guard isAnswer, frame.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0, let stream = streams[frame.stream_id]
    else { return }
    stream.isAnswered = true
    guard stream.isInputOpen else { return }
    reset(stream.id, NGHTTP2_NO_ERROR)
  }

  /// False if too many streams ended in another way than by their answer, on the initiative of either side
  /// (CVE-2023-44487 and its like).
  func streamClosed(_ id: Int32) -> Bool {
    guard let stream = streams.removeValue(forKey: id) else { return true }
    forgetRequest(stream)
    answers -= stream.answerSize
    if stream.isAnswered {
      resets.give(1)
      frames.give(16)
    } else if !resets.take(now: connection.loop.now) {  // GUARD: http/2: streams taken back
      isFlooded = true
    }
    return !isFlooded
  }

  /// Keeps the request no longer: a handler has it, or none needs it.
  private func forgetRequest(_ stream: HTTP2Stream) {
    buffered -= stream.requestSize
    stream.requestSize = 0
    stream.body = []
    stream.head.forget()
    stream.parsed = nil
  }
}

// Requests and answers.
extension HTTP2Session {
  /// Begins what came, as far as there is room for its answers, and sends what the peer takes.
  private func advance() {
    guard !isBusy else { return }
    repeat {
      startArrived()
      pump()
    } while !arrived.isEmpty && !isOver && mayBegin
  }

  private func startArrived() {
    guard !arrived.isEmpty, !isOver else { return }
    isBusy = true
    var begun = 0
    for id in arrived {
      guard mayBegin else { break }
      begun += 1
      // A request that was cancelled in the meantime has cost no more than reading it.
      guard let stream = streams[id], stream.phase == .arrived else { continue }
      if let status = stream.head.refusal { refuse(stream, status) } else { start(stream) }
    }
    arrived.removeFirst(begun)
    isBusy = false
  }

  /// Whether a handler may begin: beside the answers that the peer has not taken there is room for those that handlers
  /// at work have to keep until the peer makes room for them.
  private var mayBegin: Bool {
    let limits = connection.limits
    let room = limits.unsentBytes - connection.unsent - answers
    let awaited = running == 0 ? 0 : running * limits.usualAnswer - HTTP2Library.window(of: running, library)
    // GUARD: http/2: answers that the client does not take
    guard room >= max(0, awaited) else {
      connection.resumeOnceSent()
      return false
    }
    return true
  }

  private func start(_ stream: HTTP2Stream) {
    guard let parsed = stream.parsed else { return refuse(stream, 400) }
    // GUARD: http/2: handlers at work
    guard running < connection.limits.streams else { return giveBack(stream) }
    let request = Request(
      head: parsed.head, body: stream.body, peer: connection.peer, isSecure: connection.isSecure)
    let size = stream.requestSize
    forgetRequest(stream)
    stream.phase = .running
    running += 1
    working += size
    let id = stream.id
    if let response = connection.immediately(request) { return reply(response, on: id, size) }
    let handler = connection.handler
    Task.immediate(executorPreference: connection.loop) { [self] in
      reply(await handler(request), on: id, size)
    }
  }

  private func reply(_ response: Response, on id: Int32, _ size: Int) {
    running -= 1
    working -= size
    guard !isOver, !connection.isClosed else { return }
    // A number is never used twice on a connection.
    if let stream = streams[id] {
      answer(response, on: stream)
      if response.asksToClose { sayLast() }
    }
    guard !isBusy else { return }
    advance()
    if answers > 0 { connection.resumeInput() }
  }

  private func refuse(_ stream: HTTP2Stream, _ status: Int) {
    connection.observer?.refused(status: status)
    let tooLarge = status == 431 ? connection.tooLarge(stream.head.cutHead) : nil
    forgetRequest(stream)
    answer(tooLarge ?? connection.refusal(status, nil), on: stream)
  }

  private func answer(_ response: Response, on stream: HTTP2Stream) {
    guard let library else { return }
    let size = (stream.isHead ? 0 : response.body.count) + response.headers.bytes.count
    let most = connection.limits.unsentBytes
    // GUARD: http/2: answers far beyond what the client takes
    guard answers <= most || answers + size <= 2 * most else {
      reset(stream.id, NGHTTP2_ENHANCE_YOUR_CALM)
      return
    }
    stream.phase = .sending
    stream.since = connection.loop.now
    stream.answerSize = size
    answers += size
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

  func endForRoom() -> Bool {
    guard !isOver else { return true }
    isFlooded = true
    fail(0)
    return true
  }

  /// nghttp2 gave up, and may not be asked for anything more.
  private func fail(_ error: Int) {
    let code =
      isFlooded || error == Int(NGHTTP2_ERR_FLOODED.rawValue) ? NGHTTP2_ENHANCE_YOUR_CALM : NGHTTP2_PROTOCOL_ERROR
    connection.send { $0 += HTTP2Library.goodbye(library, code) }
    if isFlooded { connection.observer?.refused(status: 429) }
    // Nothing more is asked of nghttp2, which needs them no longer.
    (streams, arrived, buffered, answers) = ([:], [], 0, 0)
    end()
  }

  private func end() {
    guard !isOver else { return }
    isOver = true
    connection.closeAfterOutput()
  }
}
