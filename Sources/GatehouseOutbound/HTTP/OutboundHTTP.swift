import GatehousePrimitives
package import GatehouseRuntime

/// The only way this server sends an HTTP request: libcurl on a loop, https only, certificates verified, no redirect
/// followed, no proxy, no address that is not public (checked on each connection), bounded in time and size, so many at
/// once to one host, and none to a host that keeps failing.
package final class OutboundHTTP: Sendable {
  package struct Settings: Sendable {
    /// Where connections may go.
    package var addresses = ReachableAddresses()
    /// A PEM file of authorities to trust; the system's when nil.
    package var caFile: String?
    package var userAgent = "Gatehouse"
    var circuits = OutboundCircuits.Limits()

    package init(addresses: ReachableAddresses = ReachableAddresses(), caFile: String? = nil) {
      self.addresses = addresses
      self.caFile = caFile
    }
  }

  private let loop: Loop
  private let exchange: OutboundExchange
  private let addresses: ReachableAddresses

  /// Works on `loop`, which MUST run until `close` has returned.
  package init(loop: Loop, _ settings: Settings = Settings()) {
    self.loop = loop
    addresses = settings.addresses
    exchange = OutboundExchange(loop, settings)
  }

  /// Reads a URL as this client would reach it.
  package func url(_ text: String) throws(OutboundURL.Problem) -> OutboundURL {
    try OutboundURL(text, addresses: addresses)
  }

  /// Sends and waits for the whole answer of any status. From any thread; a cancelled task gets `cancelled` at once.
  package func send(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse {
    // GUARD: outbound: only hosts that are named
    guard request.isHostAllowed else { throw .hostNotAllowed }
    guard let context = Trace.current else { return try await deliver(request) }
    let span = Trace.begin(.message)
    guard let place = span?.place ?? context.parent else { return try await deliver(request) }
    let about = [
      SpanAttribute("http.request.method", request.method.rawValue), SpanAttribute("server.address", request.url.host),
      SpanAttribute("server.port", Int(request.url.port)),
    ]
    do throws(OutboundError) {
      let response = try await deliver(request.within(place, context.state))
      span?.end(
        request.method.rawValue, about + [SpanAttribute("http.response.status_code", response.status)],
        error: response.status >= 400 ? String(response.status) : nil)
      return response
    } catch {
      span?.end(request.method.rawValue, about, error: "unreachable")
      throw error
    }
  }

  private func deliver(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse {
    let ticket = OutboundTicket()
    let (loop, exchange) = (loop, exchange)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<OutboundTicket.Outcome, Never>) in
        loop.execute { exchange.begin(request, ticket) { continuation.resume(returning: $0) } }
      }
    } onCancel: {
      loop.execute { exchange.cancel(ticket) }
    }
    return try result.get()
  }

  /// Gives up what is under way and closes every connection; each waiting caller gets `cancelled`, as do later ones.
  package func close() async {
    let (loop, exchange) = (loop, exchange)
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      loop.execute {
        exchange.close()
        continuation.resume()
      }
    }
  }
}

/// One call of `send`.
final class OutboundTicket: @unchecked Sendable {
  typealias Outcome = Result<OutboundResponse, OutboundError>

  // SAFETY: after `init`, only the loop's thread touches it.
  var id: UInt64?
  var isCancelled = false
}

/// The part of `OutboundHTTP` on its loop.
final class OutboundExchange: @unchecked Sendable {
  // SAFETY: after `init`, only the loop's thread calls in.
  private let loop: Loop
  private let settings: OutboundHTTP.Settings
  private var circuits: OutboundCircuits
  private var calls: [UInt64: Call] = [:]
  private var lastID: UInt64 = 0
  private var isClosed = false
  private lazy var multi = CurlMulti(loop) { [unowned self] transfer, code in
    finish(transfer.id, transfer.result(code))
  }

  private struct Call {
    let request: OutboundRequest
    let key: OutboundCircuits.Key
    let deadline: ContinuousClock.Instant
    let answer: (OutboundTicket.Outcome) -> Void
    /// While it waits for a place.
    var waiting: LoopTimer?
    var isProbe = false
  }

  init(_ loop: Loop, _ settings: OutboundHTTP.Settings) {
    self.loop = loop
    self.settings = settings
    circuits = OutboundCircuits(settings.circuits)
  }

  func begin(
    _ request: OutboundRequest, _ ticket: OutboundTicket, answer: @escaping (OutboundTicket.Outcome) -> Void
  ) {
    guard !isClosed, !ticket.isCancelled else { return answer(.failure(.cancelled)) }
    lastID += 1
    let id = lastID
    ticket.id = id
    let key = OutboundCircuits.Key(purpose: request.purpose, authority: request.url.authority)
    calls[id] = Call(request: request, key: key, deadline: loop.now + request.timeout, answer: answer)
    follow(id, circuits.ask(id, key, at: loop.now))
  }

  func cancel(_ ticket: OutboundTicket) {
    ticket.isCancelled = true
    guard let id = ticket.id else { return }
    giveUp(id, .cancelled)
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    for id in Array(calls.keys) { giveUp(id, .cancelled) }
    multi.close()
  }

  private func follow(_ id: UInt64, _ answer: OutboundCircuits.Answer) {
    switch answer {
    case .start(let isProbe): start(id, isProbe: isProbe)
    case .wait:
      guard let call = calls[id] else { return }
      calls[id]?.waiting = loop.after(loop.now.duration(to: call.deadline)) { [unowned self] in giveUp(id, .timedOut) }
    case .refused(let error):
      let call = calls.removeValue(forKey: id)
      call?.waiting?.cancel()
      call?.answer(.failure(error))
    }
  }

  private func start(_ id: UInt64, isProbe: Bool) {
    guard var call = calls[id] else { return }
    call.waiting?.cancel()
    call.waiting = nil
    call.isProbe = isProbe
    calls[id] = call
    let left = loop.now.duration(to: call.deadline)
    guard let transfer = CurlTransfer(id, call.request, timeout: left, settings), multi.add(transfer) else {
      return finish(id, .failure(.invalidRequest))
    }
  }

  /// One that had started has ended.
  private func finish(_ id: UInt64, _ outcome: OutboundTicket.Outcome) {
    guard let call = calls.removeValue(forKey: id) else { return }
    call.answer(outcome)
    let next = circuits.finish(call.key, Self.verdict(outcome), isProbe: call.isProbe, at: loop.now)
    for (id, answer) in next { follow(id, answer) }
  }

  private func giveUp(_ id: UInt64, _ error: OutboundError) {
    guard let call = calls[id] else { return }
    guard let waiting = call.waiting else {
      multi.remove(id)
      return finish(id, .failure(error))
    }
    waiting.cancel()
    calls[id] = nil
    circuits.abandon(id, call.key)
    call.answer(.failure(error))
  }

  /// The meaning of an outcome for the peer's circuit: an answer of 5xx is a failure too.
  private static func verdict(_ outcome: OutboundTicket.Outcome) -> CircuitBreaker.Outcome {
    switch outcome {
    case .success(let response): response.status >= 500 ? .failure : .success
    case .failure(let error): error.isPeersFailure ? .failure : .neutral
    }
  }
}
