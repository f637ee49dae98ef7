/// HTTP/1.1 and 1.0 on one connection: one request at a time, answered strictly in order.
final class HTTP1Session: ProtocolSession, @unchecked Sendable {
  // SAFETY: confined to the loop of its connection; tasks it starts prefer that loop.
  private struct InFlight {
    let isHead: Bool
    let keepsAlive: Bool
    let isVersion11: Bool
    /// Bytes of the request.
    var size = 0
  }

  private let connection: Connection
  private var parser: RequestParser
  private var inFlight: InFlight?
  private var requests = 0
  private var isAdvancing = false
  private var isPaused = false
  /// Further requests of this turn have to wait for the next.
  private var isYielding = false
  private var isDraining = false
  private var isInputOver = false
  private var isOver = false

  init(connection: Connection) {
    self.connection = connection
    parser = RequestParser(limits: connection.limits)
  }

  var isAnswering: Bool { inFlight != nil }

  var bodyReceived: Int? { parser.bodyReceived }

  var held: Int { parser.buffered + parser.bodyReceived + (inFlight?.size ?? 0) }

  var wantsInput: Bool { !isOver && parser.buffered < connection.limits.pipelinedBytes }

  var waiting: Waiting {
    if inFlight != nil || isPaused || isYielding || isOver { return Waiting(kind: .nothing, request: requests) }
    let kind: Waiting.Kind =
      switch parser.progress {
      case .idle: requests == 0 ? .firstByte : .nextRequest
      case .head: .head
      case .body: .body
      }
    return Waiting(kind: kind, request: requests)
  }

  func receive(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard !isOver else { return }
    parser.append(bytes)
    advance()
  }

  func inputEnded() {
    isInputOver = true
    advance()
  }

  func resume() { advance() }

  func timedOut() {
    switch waiting.kind {
    case .head, .body: refuse(408)
    case .firstByte, .nextRequest: end()
    case .nothing: break
    }
  }

  func drain() { isDraining = true }

  /// A request that is not whole is refused.
  func endForRoom() -> Bool {
    guard inFlight == nil else { return false }
    guard !isOver else { return true }
    if connection.unsent == 0 { refuse(503) } else { end() }
    return true
  }

  /// Parses and starts requests until one is in flight, the bytes run out, the peer must first take its answers, or
  /// others must get their turn.
  private func advance() {
    // A handler that never suspends answers inside `start`: the loop below goes on, the stack does not grow.
    guard !isAdvancing, !isYielding else { return }
    isAdvancing = true
    defer { isAdvancing = false }
    let first = requests
    while inFlight == nil, !isOver {
      isPaused = !connection.mayAnswer()
      if isPaused { return }
      // GUARD: room: others get their turn
      if requests &- first >= connection.limits.requestsPerTurn { return yield() }
      switch parser.next() {
      case .request(let parsed): start(parsed)
      case .refused(let status): refuse(status)
      case .more:
        if isInputOver { return end() }
        if parser.takeContinue() { connection.send { $0.append(contentsOf: ResponseWriter.continueLine.bytes) } }
        return
      }
    }
  }

  /// Goes on at the end of the turn, after the other descriptors that were ready; a calm loop has two such ends before
  /// it looks at its descriptors again.
  private func yield() {
    isYielding = true
    connection.loop.endOfTurn { [self] in
      isYielding = false
      guard !connection.isClosed else { return }
      advance()
      connection.resumeInput()
    }
  }

  private func start(_ parsed: RequestParser.Parsed) {
    requests &+= 1
    inFlight = InFlight(
      isHead: parsed.head.method == .head, keepsAlive: parsed.keepsAlive, isVersion11: parsed.isVersion11,
      size: parsed.head.headers.bytes.count + parsed.body.count)
    let request = Request(
      head: parsed.head, body: parsed.body, peer: connection.peer, isSecure: connection.isSecure)
    if let response = connection.immediately(request) { return reply(response) }
    let handler = connection.handler
    Task.immediate(executorPreference: connection.loop) { [self] in
      reply(await handler(request))
    }
  }

  private func reply(_ response: Response) {
    guard let answered = inFlight, !connection.isClosed else { return }
    inFlight = nil
    let closes = !answered.keepsAlive || isDraining || response.asksToClose
    write(response, closes: closes, to: answered)
    if closes { end() } else { advance() }
  }

  /// Answers what can not be understood (or came too late), and ends.
  private func refuse(_ status: Int) {
    connection.observer?.refused(status: status)
    let tooLarge = status == 431 ? connection.tooLarge(parser.cutHead) : nil
    write(
      tooLarge ?? connection.refusal(status, nil), closes: true,
      to: InFlight(isHead: false, keepsAlive: false, isVersion11: true))
    end()
  }

  private func write(_ response: Response, closes: Bool, to request: InFlight) {
    let writer = ResponseWriter(isHead: request.isHead, closes: closes, isVersion11: request.isVersion11)
    connection.send { output in
      writer.write(response, date: connection.date, to: &output)
    }
  }

  private func end() {
    guard !isOver else { return }
    isOver = true
    connection.closeAfterOutput()
  }
}
