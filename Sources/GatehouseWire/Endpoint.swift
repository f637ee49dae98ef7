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

  /// The HTTP method.
  static var method: Method { get }
  /// The path below `/t/{tenant}`; `{name}` stands for one parameter of `Input`.
  static var path: String { get }
  /// The status of a success.
  static var status: Int { get }
  /// One line for the API description.
  static var summary: String { get }
  /// What a client has to know beyond that; nil where the types say it all.
  static var details: String? { get }
  /// The status of this success, where an endpoint has several.
  static func status(of output: Output) -> Int
  /// Whether a success has a body.
  static var hasBody: Bool { get }
  /// The rules of the policy that failed without blocking.
  static func warnings(of output: Output) -> [RuleWarning]
}

extension Endpoint {
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
