import Foundation
import GatehousePolicy
import GatehouseWire

/// A refusal (RFC 9457).
struct FakeProblem: Error {
  /// One broken rule.
  struct Violation {
    var pointer: String
    var rule: String
    var message: String
    var sentence: String
  }

  var code: String
  var violations: [Violation] = []
  var next: [String] = []
  var provider: String?
  var methods: [String]
  var retryAfter: Int?

  init(
    _ code: String, violations: [Violation] = [], next: [String] = [], provider: String? = nil, methods: [String] = [],
    retryAfter: Int? = nil
  ) {
    self.methods = methods
    self.code = code
    self.violations = violations
    self.next = next
    self.provider = provider
    self.retryAfter = retryAfter
  }

  /// The answer: codes of the contract have its status and text; another one is that of a later version.
  func reply(_ languages: [String]) -> FakeReply {
    let later = (status: 409, title: Spoken("Something new.", "Algo nuevo.", "Etwas Neues.", "شيء جديد."))
    let entry = ErrorCode(rawValue: code)?.entry ?? later
    let content = Content(
      type: "urn:gatehouse:problem:\(code)",
      title: entry.title[Language(bestOf: languages)], status: entry.status,
      code: code, requestID: "request-\(code)",
      errors: violations.isEmpty
        ? nil
        : violations.map {
          Content.Item(pointer: $0.pointer, rule: $0.rule, message: $0.message, sentence: $0.sentence)
        },
      next: next.isEmpty ? nil : next,
      requirements: next.isEmpty ? nil : next.map { Content.Requirement(need: $0, message: Self.sentence($0)) },
      provider: provider, methods: methods.isEmpty ? nil : methods, retryAfter: retryAfter)
    var reply = FakeReply(status: entry.status, type: "application/problem+json")
    reply.body = (try? ContractJSON.encode(content)) ?? Data("{}".utf8)
    if let seconds = retryAfter ?? ([429, 503].contains(entry.status) ? 1 : nil) {
      reply.headers["retry-after"] = "\(seconds)"
    }
    return reply
  }

  /// The server's sentence for a step.
  private static func sentence(_ need: String) -> String {
    let parts = need.split(separator: ":", maxSplits: 1)
    return switch (parts.first, parts.last) {
    case ("verify_email", _): "Please confirm your email address"
    case ("link", let provider?): "Please connect your \(provider.capitalized) account"
    case ("profile", let field?): "Please tell us your \(field)"
    default: "Something is still missing."
    }
  }

  private struct Content: Encodable {
    struct Item: Encodable {
      var pointer: String
      var rule: String
      var message: String
      var sentence: String
    }

    struct Requirement: Encodable {
      var need: String
      var message: String
    }

    var type: String
    var title: String
    var status: Int
    var code: String
    var requestID: String
    var errors: [Item]?
    var next: [String]?
    var requirements: [Requirement]?
    var provider: String?
    var methods: [String]?
    var retryAfter: Int?
  }
}
