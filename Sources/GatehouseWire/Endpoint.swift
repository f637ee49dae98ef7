package import GatehousePolicy

/// One operation of the end-user API: what goes in, what comes out, and where it lives.
///
/// Server and client share it, so they cannot disagree. Input is the JSON (or form) body together with the path's and
/// the query's parameters, under one set of names; a name given twice is refused.
package protocol Endpoint: SendableMetatype {
  /// Everything the caller may send. Keys that are not in it are refused.
  associatedtype Input: Codable & Sendable
  /// The body of a success.
  associatedtype Output: Codable & Sendable

  /// The path, the success and the refusals.
  static var row: EndpointRow { get }
  /// Further facts for a client; nil where the types say it all.
  static var details: String? { get }
  /// Each success by its status, with the type of its body.
  static var successes: [(status: Int, output: any (Decodable & SendableMetatype).Type)] { get }
  /// The status of this success: one of `successes`.
  static func status(of output: Output) -> Int
  /// Whether a success has a body.
  static var hasBody: Bool { get }
  /// The rules of the policy that failed without blocking.
  static func warnings(of output: Output) -> [RuleWarning]
}

/// The properties of an endpoint beside its types, on one line.
package struct EndpointRow: Sendable {
  /// The HTTP method.
  package let method: Method
  /// The path below `/t/{tenant}`; `{name}` stands for one parameter of `Input`.
  package let path: String
  package let status: Int
  /// One line for the API description.
  package let summary: String
  /// The codes with which it refuses, beyond those of every operation of its kind (`Route.codes` of the server).
  package let refusals: [ErrorCode]

  package init(_ method: Method, _ path: String, _ status: Int, _ summary: String, refuses refusals: [ErrorCode] = []) {
    (self.method, self.path, self.status, self.summary, self.refusals) = (method, path, status, summary, refusals)
  }
}

extension Endpoint {
  package static var method: Method { row.method }
  package static var path: String { row.path }
  package static var status: Int { row.status }
  package static var summary: String { row.summary }
  /// Nothing beyond the summary.
  package static var details: String? { nil }
  /// One, the row's.
  package static var successes: [(status: Int, output: any (Decodable & SendableMetatype).Type)] {
    [(status, Output.self)]
  }
  /// `status`.
  package static func status(of output: Output) -> Int { status }
  /// It has one.
  package static var hasBody: Bool { true }
  /// None.
  package static func warnings(of output: Output) -> [RuleWarning] { [] }
}

extension Endpoint where Output == Nothing {
  /// It has none.
  package static var hasBody: Bool { false }
}

extension Endpoint where Output == SessionAnswer {
  /// Those of the session.
  package static func warnings(of output: Output) -> [RuleWarning] { output.warnings }
}

/// HTTP methods that endpoints use (RFC 9110 section 9).
package enum Method: String, Codable, Sendable, CaseIterable {
  case get = "GET"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
}

/// No input, or no output: `{}` on the way in, no content (204) on the way out.
package struct Nothing: Codable, Hashable, Sendable {
  /// The only value there is.
  package init() {}
}

/// Profile fields by the names that the tenant's policy gives them.
package typealias Profile = [String: FieldValue]
