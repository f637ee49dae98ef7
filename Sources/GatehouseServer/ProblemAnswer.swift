import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseRuntime
import GatehouseWire

/// Refusals and errors, rendered once: `application/problem+json` (RFC 9457).
enum ProblemAnswer {
  /// What any thrown error means to the caller. What is not ours to say stays in the note.
  static func refusal(of error: any Error) -> Refusal {
    switch error {
    case let refusal as Refusal: refusal
    case let error as StoreError: Refusal(error)
    default: Refusal(.internal, note: "\(type(of: error)): \(error)")
    }
  }

  static func response(_ refusal: Refusal, requestID: String, languages: [String]) -> Response {
    let entry = refusal.code.entry
    let isSpanish = Languages.choose(from: ["en", "es"], preferring: languages) == "es"
    let problem = Problem(
      type: "urn:gatehouse:problem:\(refusal.code.rawValue)", title: isSpanish ? entry.es : entry.en,
      status: entry.status, code: refusal.code, requestID: requestID, detail: refusal.detail,
      errors: refusal.violations.isEmpty ? nil : refusal.violations.map { error($0, languages) },
      next: refusal.next.isEmpty ? nil : refusal.next,
      missing: refusal.missing.isEmpty ? nil : refusal.missing, retryAfter: refusal.retryAfter, limit: refusal.limit)
    // A problem is plain strings and numbers: encoding one cannot fail.
    let body = (try? JSONEncoding.encode(problem)) ?? Array("{}".utf8)
    var response = Response(status: entry.status, contentType: "application/problem+json", body: body)
    if let seconds = refusal.retryAfter ?? (entry.status == 503 || entry.status == 429 ? 1 : nil) {
      response.headers.set("Retry-After", String(seconds))
    }
    if entry.status == 401 {
      let reason = refusal.code == .unauthenticated ? "" : " error=\"invalid_token\""
      response.headers.set("WWW-Authenticate", "Bearer" + reason)
    }
    return response
  }

  private static func error(_ violation: Violation, _ languages: [String]) -> ProblemError {
    ProblemError(
      pointer: violation.pointer, rule: violation.rule, params: violation.params.isEmpty ? nil : violation.params,
      message: violation.message.text(in: languages) ?? violation.rule)
  }
}
