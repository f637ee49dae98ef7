import Foundation
import FoundationNetworking
package import GatehousePrimitives

/// An HTTP client that is not ours (Foundation's), that follows no redirect and keeps no cookie by itself.
package final class TestClient: Sendable {
  /// One answer.
  package struct Answer: Sendable {
    package let status: Int
    /// By lower-case name.
    package let headers: [String: String]
    package let body: [UInt8]

    /// The body as JSON; null when it is none.
    package var json: JSONValue { (try? JSONParser.parse(body, limits: .stored)) ?? .null }
    package var text: String { String(decoding: body, as: UTF8.self) }
    /// The stable code of a problem.
    package var code: String? { json["code"]?.string }
    /// The rules of a problem, in order.
    package var rules: [String] { (json["errors"]?.array ?? []).compactMap { $0["rule"]?.string } }
  }

  private let base: String
  private let session: URLSession

  /// `base` is put before every path.
  package init(_ base: String) {
    self.base = base
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.urlCache = nil
    configuration.timeoutIntervalForRequest = 60
    session = URLSession(configuration: configuration, delegate: NoRedirects(), delegateQueue: nil)
  }

  /// A session keeps its connections until it is told.
  deinit { session.finishTasksAndInvalidate() }

  package func send(
    _ method: String, _ path: String, _ body: String? = nil, token: String? = nil, headers: [String: String] = [:]
  ) async throws -> Answer {
    guard let url = URL(string: base + path) else { throw URLError(.badURL) }
    var request = URLRequest(url: url)
    request.httpMethod = method
    if let body {
      request.httpBody = Data(body.utf8)
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
    if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    let (data, response) = try await session.data(for: request)
    guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    var fields: [String: String] = [:]
    for (name, value) in response.allHeaderFields { fields["\(name)".lowercased()] = "\(value)" }
    return Answer(status: response.statusCode, headers: fields, body: [UInt8](data))
  }

  package func get(_ path: String, token: String? = nil) async throws -> Answer {
    try await send("GET", path, token: token)
  }

  package func post(_ path: String, _ body: String = "{}", token: String? = nil) async throws -> Answer {
    try await send("POST", path, body, token: token)
  }
}

private final class NoRedirects: NSObject, URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) { completionHandler(nil) }
}
