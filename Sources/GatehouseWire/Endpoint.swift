public import GatehousePolicy

/// One operation of the end-user API: what goes in, what comes out, and where it lives.
///
/// Server and client share it, so they cannot disagree. Input is the JSON (or form) body together with the path's and
/// the query's parameters, under one set of names; a name given twice is refused.
public protocol Endpoint: SendableMetatype {
  /// Everything the caller may send. Keys that are not in it are refused.
  associatedtype Input: Codable & Sendable
  /// What a success answers.
  associatedtype Output: Codable & Sendable

  /// Where it lives, what a success is, and why it refuses.
  static var row: EndpointRow { get }
  /// What a client has to know beyond that; nil where the types say it all.
  static var details: String? { get }
  /// The status of this success, where an endpoint has several.
  static func status(of output: Output) -> Int
  /// Whether a success has a body.
  static var hasBody: Bool { get }
  /// The rules of the policy that failed without blocking.
  static func warnings(of output: Output) -> [RuleWarning]
}

/// What an endpoint is beside its types, on one line.
public struct EndpointRow: Sendable {
  /// The HTTP method.
  public let method: Method
  /// The path below `/t/{tenant}`; `{name}` stands for one parameter of `Input`.
  public let path: String
  /// The status of a success.
  public let status: Int
  /// One line for the API description.
  public let summary: String
  /// The codes with which it refuses, beyond those of every operation of its kind (`Route.codes` of the server).
  public let refusals: [ErrorCode]

  /// A row.
  public init(_ method: Method, _ path: String, _ status: Int, _ summary: String, refuses refusals: [ErrorCode] = []) {
    self.method = method
    self.path = path
    self.status = status
    self.summary = summary
    self.refusals = refusals
  }
}

extension Endpoint {
  /// That of the row.
  public static var method: Method { row.method }
  /// That of the row.
  public static var path: String { row.path }
  /// That of the row.
  public static var status: Int { row.status }
  /// That of the row.
  public static var summary: String { row.summary }
  /// Nothing beyond the summary.
  public static var details: String? { nil }
  /// `status`.
  public static func status(of output: Output) -> Int { status }
  /// It has one.
  public static var hasBody: Bool { true }
  /// None.
  public static func warnings(of output: Output) -> [RuleWarning] { [] }
}

extension Endpoint where Output == Nothing {
  /// It has none.
  public static var hasBody: Bool { false }
}

extension Endpoint where Output == SessionAnswer {
  /// Those of the session.
  public static func warnings(of output: Output) -> [RuleWarning] { output.warnings }
}

/// HTTP methods that endpoints use (RFC 9110 section 9).
public enum Method: String, Codable, Sendable, CaseIterable {
  case get = "GET"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
}

/// No input, or no output: `{}` on the way in, no content (204) on the way out.
public struct Nothing: Codable, Hashable, Sendable {
  /// The only value there is.
  public init() {}
}

/// Profile fields by the names that the tenant's policy gives them.
public typealias Profile = [String: FieldValue]
