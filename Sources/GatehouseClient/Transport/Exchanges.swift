import Foundation

/// The exchanges under way, by a number of the transport. Each ends once, with the first result that comes: the answer,
/// an error, the deadline or the caller's cancellation. A result may come before its caller waits for it.
final class Exchanges: Sendable {
  private struct Exchange: Sendable {
    let largestAnswer: Int
    var head: HTTPAnswer?
    var body = Data()
    var continuation: CheckedContinuation<HTTPAnswer, any Error>?
    var result: Result<HTTPAnswer, any Error>?
  }

  private let table = Locked<[Int: Exchange]>([:])

  /// Runs one exchange to its result. `start` begins it, and `stop` gives up what is under way of it; the caller goes
  /// on at the deadline or when it is cancelled, without waiting for that. `stop` may come before `start`.
  func run(
    _ id: Int, largestAnswer: Int, deadline: Duration, start: () -> Void, stop: @escaping @Sendable () -> Void
  ) async throws -> HTTPAnswer {
    open(id, largestAnswer: largestAnswer)
    // Time-outs of systems start anew with each byte, or wait for a look-up of a name. This one does not.
    let timer = Task {
      try await Task.sleep(for: deadline, clock: .continuous)
      finish(id, TransportError(reason: "deadline"))
      stop()
    }
    defer { timer.cancel() }
    return try await withTaskCancellationHandler {
      start()
      return try await wait(id)
    } onCancel: {
      finish(id, CancellationError())
      stop()
    }
  }

  /// Notes an exchange that begins. `wait` removes it.
  func open(_ id: Int, largestAnswer: Int) {
    table.withLock { $0[id] = Exchange(largestAnswer: largestAnswer) }
  }

  /// Whether a result is still wanted.
  func isOpen(_ id: Int) -> Bool {
    table.withLock { table in table[id].map { $0.result == nil } ?? false }
  }

  /// The result of an open exchange. Throws what `finish` was told.
  func wait(_ id: Int) async throws -> HTTPAnswer {
    defer { table.withLock { $0[id] = nil } }
    return try await withCheckedThrowingContinuation { continuation in
      let result: Result<HTTPAnswer, any Error>? = table.withLock { table in
        guard let exchange = table[id] else { return .failure(TransportError(reason: "not open")) }
        // A task that is cancelled before it begins reports that at once, and once.
        if let result = exchange.result { return result }
        table[id]?.continuation = continuation
        return nil
      }
      if let result { continuation.resume(with: result) }
    }
  }

  /// Notes the head of an answer: status and fields.
  func receive(_ head: HTTPAnswer, for id: Int) {
    table.withLock { $0[id]?.head = head }
  }

  /// Adds to the content of an answer. Returns whether that is larger than the caller takes.
  func receive(_ data: Data, for id: Int) -> Bool {
    table.withLock { table in
      // The content is taken out of the table, so that no byte of it is copied.
      guard table[id]?.result == nil, var exchange = table.removeValue(forKey: id) else { return false }
      exchange.body.append(data)
      table[id] = exchange
      return exchange.body.count > exchange.largestAnswer
    }
  }

  /// Ends an exchange with what was received. Without a head that is no answer.
  func finish(_ id: Int) {
    guard let exchange = table.withLock({ $0[id] }) else { return }
    guard var answer = exchange.head else { return finish(id, TransportError(reason: "no answer")) }
    answer.body = exchange.body
    finish(id, .success(answer))
  }

  /// Ends an exchange with an error.
  func finish(_ id: Int, _ error: any Error) { finish(id, .failure(error)) }

  private func finish(_ id: Int, _ result: Result<HTTPAnswer, any Error>) {
    let continuation = table.withLock { table -> CheckedContinuation<HTTPAnswer, any Error>? in
      guard var exchange = table[id], exchange.result == nil else { return nil }
      exchange.result = result
      defer { table[id] = exchange }
      return exchange.continuation
    }
    continuation?.resume(with: result)
  }
}
