public import Foundation

/// Carries one request to a server, and its answer back. It follows no redirect and keeps no cookie.
public protocol HTTPTransport: Sendable {
  /// Throws `TransportError` when no whole answer arrived by the deadline, and `CancellationError` when the task was
  /// cancelled.
  func send(_ call: HTTPCall, deadline: Duration) async throws -> HTTPAnswer
}

/// No whole answer arrived. Whether the request did is not known.
public struct TransportError: Error, Sendable, Hashable {
  /// For logs: the kind of failure (`deadline`, `too large`, `certificate not trusted`) or the system's code. It holds
  /// no address and no value.
  public var reason: String
  /// No answer.
  public init(reason: String) { self.reason = reason }
}

/// A request.
public struct HTTPCall: Sendable {
  /// The address of the request.
  public var url: URL
  /// `GET`, `POST`, and so on.
  public var method: String
  /// Header fields.
  public var headers: [String: String]
  /// The content, if any.
  public var body: Data?
  /// An answer with more bytes than that counts as none.
  public var largestAnswer: Int

  /// A request.
  public init(
    url: URL, method: String, headers: [String: String] = [:], body: Data? = nil, largestAnswer: Int = 1 << 20
  ) {
    self.url = url
    self.method = method
    self.headers = headers
    self.body = body
    self.largestAnswer = largestAnswer
  }
}

/// An answer.
public struct HTTPAnswer: Sendable {
  /// The status.
  public var status: Int
  /// Header fields, by their names in lower case.
  public var headers: [String: String]
  /// The content.
  public var body: Data

  /// An answer. Names of header fields may have any case.
  public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
    self.status = status
    self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { _, last in last })
    self.body = body
  }
}

/// Requests and answers show no content and no header field: both hold tokens and passwords.
extension HTTPCall: CustomStringConvertible, CustomReflectable {
  /// Method and path.
  public var description: String { "HTTPCall(\(method) \(url.path))" }
  /// Nothing within.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension HTTPAnswer: CustomStringConvertible, CustomReflectable {
  /// The status.
  public var description: String { "HTTPAnswer(\(status))" }
  /// Nothing within.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
