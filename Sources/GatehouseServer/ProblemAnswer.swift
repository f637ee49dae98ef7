import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseRuntime
import GatehouseWire

/// Refusals and errors, rendered once: `application/problem+json` (RFC 9457).
enum ProblemAnswer {
  /// `policy` is the tenant's, where one is known: its words and the languages that its app speaks.
  static func answer(_ refusal: Refusal, requestID: String, languages: [String], policy: Policy? = nil) -> Answer {
    let entry = refusal.code.entry
    let spoken = (policy.map { [Languages.choose(from: $0.app.locales, preferring: languages)] } ?? []) + languages
    let problem = Problem(
      type: "urn:gatehouse:problem:\(refusal.code.rawValue)", title: title(refusal, spoken, policy),
      status: entry.status, code: refusal.code, requestID: requestID, detail: refusal.detail,
      errors: refusal.violations.isEmpty ? nil : refusal.violations.map { error($0, spoken) },
      next: refusal.next.isEmpty ? nil : refusal.next, requirements: refusal.requirements,
      provider: refusal.code.title(naming: "") == nil ? nil : refusal.provider,
      missing: refusal.missing.isEmpty ? nil : refusal.missing,
      methods: refusal.methods.isEmpty ? nil : refusal.methods, retryAfter: refusal.retryAfter, limit: refusal.limit,
      challengeID: refusal.challenge?.id, expiresIn: refusal.challenge?.expiresIn, factors: refusal.challenge?.factors,
      rememberFor: refusal.challenge?.rememberSeconds, passkey: refusal.passkey)
    // A problem is plain strings and numbers: encoding one cannot fail.
    let body = (try? JSONEncoding.encode(problem, spelling: .contract)) ?? Array("{}".utf8)
    var answer = Answer.problem(body, status: entry.status)
    if let seconds = refusal.retryAfter ?? (entry.status == 503 || entry.status == 429 ? 1 : nil) {
      answer.headers.set("Retry-After", String(seconds))
    }
    if entry.status == 401 {
      let reason = refusal.code == .unauthenticated ? "" : " error=\"invalid_token\""
      answer.headers.set("WWW-Authenticate", "Bearer" + reason)
    }
    return answer
  }

  /// The tenant's own words, else the provider's name in ours, else ours.
  static func title(_ refusal: Refusal, _ spoken: [String], _ policy: Policy?) -> String {
    if let own = policy?.messages[refusal.code.rawValue]?.text(in: spoken) { return own }
    if let named = refusal.provider.flatMap({ refusal.code.title(naming: Label.provider($0)) }) {
      return named[Language(bestOf: spoken)]
    }
    return refusal.code.entry.title[Language(bestOf: spoken)]
  }

  private static func error(_ violation: Violation, _ spoken: [String]) -> ProblemError {
    ProblemError(
      pointer: violation.pointer, rule: violation.rule, params: violation.params.isEmpty ? nil : violation.params,
      message: violation.message.text(in: spoken) ?? violation.rule,
      sentence: violation.sentence.text(in: spoken))
  }
}
