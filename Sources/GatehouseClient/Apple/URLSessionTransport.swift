#if !os(Linux)
  import Foundation

  /// Requests by `URLSession`, ephemeral. Not on Linux, where it ends the process when a peer cuts the head of an
  /// answer.
  struct URLSessionTransport: HTTPTransport {
    /// One session for the life of the process.
    private static let shared = SessionDelegate()

    func send(_ call: HTTPCall, deadline: Duration) async throws -> HTTPAnswer {
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
      return try await exchanges.run(task.taskIdentifier, largestAnswer: largestAnswer, deadline: deadline) {
        task.resume()
      } stop: {
        task.cancel()
      }
    }

    private func receive(_ response: URLResponse?, for task: URLSessionTask) {
      guard let response = response as? HTTPURLResponse else { return }
      var headers: [String: String] = [:]
      for (name, value) in response.allHeaderFields {
        if let name = name as? String, let value = value as? String { headers[name] = value }
      }
      exchanges.receive(HTTPAnswer(status: response.statusCode, headers: headers), for: task.taskIdentifier)
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
      receive(response, for: dataTask)
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
        receive(task.response, for: task)
        exchanges.finish(task.taskIdentifier)
      }
    }
  }
#endif
