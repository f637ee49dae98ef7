import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The exchanges under way, by a number of the transport. Each ends once, with the first result that comes: the answer,
/// an error, the deadline or the caller's cancellation. A result may come before its caller waits for it.
final class Exchanges: Sendable {
  private struct Exchange: Sendable {
    let largestAnswer: Int
    var response: HTTPURLResponse?
    var body = Data()
    var continuation: CheckedContinuation<HTTPAnswer, any Error>?
    var result: Result<HTTPAnswer, any Error>?
  }

  private let table = Locked<[Int: Exchange]>([:])

  /// Notes an exchange that begins. `wait` removes it.
  func open(_ id: Int, largestAnswer: Int) {
    table.withLock { $0[id] = Exchange(largestAnswer: largestAnswer) }
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

  /// Notes the head of an answer.
  func receive(_ response: HTTPURLResponse?, for id: Int) {
    table.withLock { $0[id]?.response = response }
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

  /// Ends an exchange with what was received. `response` is the head where none was noted.
  func finish(_ id: Int, _ response: HTTPURLResponse?) {
    let received = table.withLock { table in table[id].map { ($0.response, $0.body) } }
    guard let (head, body) = received, let response = head ?? response else {
      return finish(id, TransportError(reason: "no answer"))
    }
    var headers: [String: String] = [:]
    for (name, value) in response.allHeaderFields {
      if let name = name as? String, let value = value as? String { headers[name] = value }
    }
    finish(id, .success(HTTPAnswer(status: response.statusCode, headers: headers, body: body)))
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
