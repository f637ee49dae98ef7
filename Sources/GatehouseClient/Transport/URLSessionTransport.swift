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
  private let exchanges = Exchanges()
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
    let id = task.taskIdentifier
    exchanges.open(id, largestAnswer: largestAnswer)
    // The time-out of a request starts anew with each byte; the deadline does not.
    let timer = Task { [exchanges] in
      try await Task.sleep(for: deadline, clock: .continuous)
      exchanges.finish(id, TransportError(reason: "deadline"))
      task.cancel()
    }
    defer { timer.cancel() }
    return try await withTaskCancellationHandler {
      task.resume()
      return try await exchanges.wait(id)
    } onCancel: {
      // The caller goes on at once, without waiting for the task.
      exchanges.finish(id, CancellationError())
      task.cancel()
    }
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
    exchanges.receive(response as? HTTPURLResponse, for: dataTask.taskIdentifier)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard exchanges.receive(data, for: dataTask.taskIdentifier) else { return }
    exchanges.finish(dataTask.taskIdentifier, TransportError(reason: "too large"))
    dataTask.cancel()
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    if let error {
      let reason = (error as? URLError).map { "\($0.code.rawValue)" } ?? "other"
      exchanges.finish(task.taskIdentifier, TransportError(reason: reason))
    } else {
      exchanges.finish(task.taskIdentifier, task.response as? HTTPURLResponse)
    }
  }
}
