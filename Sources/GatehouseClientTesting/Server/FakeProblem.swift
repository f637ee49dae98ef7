import Foundation
import GatehouseClient
import GatehousePolicy
import GatehouseWire

/// A refusal (RFC 9457).
struct FakeProblem: Error {
  /// One broken rule.
  struct Broken {
    var pointer: String
    var rule: String
    var params: [String: ParameterValue] = [:]
    var message: Texts
    var sentence: Texts

    init(_ violation: GatehousePolicy.Violation) {
      (pointer, rule, params) = (violation.pointer, violation.rule, violation.params)
      (message, sentence) = (violation.message, violation.sentence)
    }

    /// One that a test chose.
    init(_ chosen: AuthError.Violation) {
      let isField = !["email", "password"].contains(chosen.input)
      pointer = isField ? Pointer.profile(chosen.input) : "/\(chosen.input)"
      (rule, message, sentence) = (chosen.rule, ["en": chosen.message], ["en": chosen.sentence])
    }
  }

  /// Another proof that is asked for.
  struct Challenge {
    var id: String
    var expiresIn: Int
    var factors: [String]
    var rememberFor: Int?
  }

  var code: String
  /// Nil: that of the code.
  var title: String?
  var violations: [Broken] = []
  var next: [AuthStep] = []
  var provider: String?
  var methods: [String]
  var retryAfter: Int?
  var challenge: Challenge?
  /// The options of the next try of a passkey.
  var passkey: RequestOptions?

  init(
    _ code: String, violations: [Broken] = [], next: [String] = [], provider: String? = nil, methods: [String] = [],
    retryAfter: Int? = nil, challenge: Challenge? = nil
  ) {
    self.challenge = challenge
    self.methods = methods
    self.code = code
    self.violations = violations
    self.next = next.map { AuthStep(need: $0) }
    self.provider = provider
    self.retryAfter = retryAfter
  }

  /// The refusal that a test chose.
  init(_ chosen: AuthError) {
    self.init(
      chosen.code.rawValue, violations: chosen.violations.map(Broken.init), provider: chosen.provider,
      methods: chosen.methods.map(\.rawValue), retryAfter: chosen.retryAfter.map { Int($0.components.seconds) })
    next = chosen.next
    // The client's own sentence for a code is none of the server's.
    title = chosen.message == AuthError(chosen.code).message ? nil : chosen.message
  }

  /// The answer: codes of the contract have their status and text; another one is that of a later version.
  func reply(_ languages: [String], _ policy: Policy) -> FakeReply {
    let later = (status: 409, title: Spoken("Something new.", "Algo nuevo.", "Etwas Neues.", "شيء جديد."))
    let known = ErrorCode(rawValue: code)
    let entry = known?.entry ?? later
    let named = provider.flatMap { known?.title(naming: Label.provider($0)) }
    let ours = (named ?? entry.title)[Language(bestOf: languages)]
    let content = Content(
      type: "urn:gatehouse:problem:\(code)",
      title: title ?? policy.messages[code]?.text(in: languages) ?? ours, status: entry.status,
      code: code, requestID: "request-\(code)",
      errors: violations.isEmpty
        ? nil
        : violations.map { broken in
          ProblemError(
            pointer: broken.pointer, rule: broken.rule, params: broken.params.isEmpty ? nil : broken.params,
            message: broken.message.text(in: languages) ?? broken.rule, sentence: broken.sentence.text(in: languages))
        },
      next: next.isEmpty ? nil : next.map(\.need),
      requirements: next.isEmpty
        ? nil
        : next.map { step in
          AccessRequirement(
            need: step.need,
            message: step.message ?? policy.request(for: step.need)?.text(in: languages) ?? step.need)
        },
      provider: provider, methods: methods.isEmpty ? nil : methods, retryAfter: retryAfter,
      challengeID: challenge?.id, expiresIn: challenge?.expiresIn, factors: challenge?.factors,
      rememberFor: challenge?.rememberFor, passkey: passkey)
    var reply = FakeReply(status: entry.status, type: "application/problem+json")
    reply.body = (try? ContractJSON.encode(content)) ?? Data("{}".utf8)
    if let seconds = retryAfter ?? ([429, 503].contains(entry.status) ? 1 : nil) {
      reply.headers["retry-after"] = "\(seconds)"
    }
    return reply
  }

  /// `Problem` of the contract, with any code.
  private struct Content: Encodable {
    var type: String
    var title: String
    var status: Int
    var code: String
    var requestID: String
    var errors: [ProblemError]?
    var next: [String]?
    var requirements: [AccessRequirement]?
    var provider: String?
    var methods: [String]?
    var retryAfter: Int?
    var challengeID: String?
    var expiresIn: Int?
    var factors: [String]?
    var rememberFor: Int?
    var passkey: RequestOptions?
  }
}
