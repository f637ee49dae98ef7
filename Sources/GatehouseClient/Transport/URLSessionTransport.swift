import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Requests by `URLSession`, ephemeral: no cookie, no cache, no credential is kept, and no redirect is followed.
public struct URLSessionTransport: HTTPTransport {
  /// One session for the life of the process: a session that is invalidated while a task ends can crash on Linux.
  private static let shared = SessionDelegate()

  /// The process's session.
  public init() {}

  /// Sends a request.
  public func send(_ call: HTTPCall, deadline: Duration) async throws -> HTTPAnswer {
    var request = URLRequest(url: call.url, cachePolicy: .reloadIgnoringLocalCacheData)
    request.timeoutInterval = max(0.1, deadline.inSeconds)
    request.httpMethod = call.method
    request.httpShouldHandleCookies = false
    for (name, value) in call.headers { request.setValue(value, forHTTPHeaderField: name) }
    request.httpBody = call.body
    return try await Self.shared.run(request, largestAnswer: call.largestAnswer, deadline: deadline)
  }
}

/// Collects what tasks receive, bounded, and answers once for each.
private final class SessionDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private struct Exchange {
    var continuation: CheckedContinuation<HTTPAnswer, any Error>
    var largestAnswer: Int
    var response: HTTPURLResponse?
    var body = Data()
  }

  private let exchanges = Locked<[Int: Exchange]>([:])
  private let session = Locked<URLSession?>(nil)

  private func theSession() -> URLSession {
    session.withLock { session in
      if let session { return session }
      let configuration = URLSessionConfiguration.ephemeral
      configuration.httpCookieAcceptPolicy = .never
      configuration.httpShouldSetCookies = false
      configuration.urlCache = nil
      configuration.urlCredentialStorage = nil
      configuration.httpMaximumConnectionsPerHost = 6
      let made = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
      session = made
      return made
    }
  }

  func run(_ request: URLRequest, largestAnswer: Int, deadline: Duration) async throws -> HTTPAnswer {
    let task = theSession().dataTask(with: request)
    // The time-out of a request starts anew with each byte; the deadline does not.
    let timer = Task {
      try await Task.sleep(for: deadline, clock: .continuous)
      task.cancel()
    }
    defer { timer.cancel() }
    do {
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          exchanges.withLock {
            $0[task.taskIdentifier] = Exchange(continuation: continuation, largestAnswer: largestAnswer)
          }
          task.resume()
        }
      } onCancel: {
        task.cancel()
      }
    } catch {
      try Task.checkCancellation()
      throw error
    }
  }

  private func finish(_ task: URLSessionTask, _ result: Result<HTTPAnswer, any Error>) {
    let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    exchange?.continuation.resume(with: result)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    exchanges.withLock { $0[dataTask.taskIdentifier]?.response = response as? HTTPURLResponse }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let isTooLarge = exchanges.withLock { exchanges in
      guard var exchange = exchanges.removeValue(forKey: dataTask.taskIdentifier) else { return false }
      exchange.body.append(data)
      exchanges[dataTask.taskIdentifier] = exchange
      return exchange.body.count > exchange.largestAnswer
    }
    guard isTooLarge else { return }
    finish(dataTask, .failure(TransportError(reason: "too large")))
    dataTask.cancel()
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    if let error {
      finish(task, .failure(TransportError(reason: (error as? URLError).map { "\($0.code.rawValue)" } ?? "other")))
      return
    }
    let exchange = exchanges.withLock { $0[task.taskIdentifier] }
    guard let exchange, let response = exchange.response ?? task.response as? HTTPURLResponse else {
      finish(task, .failure(TransportError(reason: "no answer")))
      return
    }
    var headers: [String: String] = [:]
    for (name, value) in response.allHeaderFields {
      if let name = name as? String, let value = value as? String { headers[name] = value }
    }
    finish(task, .success(HTTPAnswer(status: response.statusCode, headers: headers, body: exchange.body)))
  }
}
