import GatehousePolicy
package import GatehouseAdminWire
import GatehouseWire

/// The problems for errors of an operation, the same at the command line and over HTTP.
package enum AdminProblems {
  /// The problem, and the note for the log alone.
  package static func problem(of error: any Error, requestID: String) -> (problem: AdminProblem, note: String?) {
    switch error {
    case let error as OperatorError: return (problem(error, requestID), nil)
    case let refusal as Refusal: return (problem(refusal, requestID), refusal.note)
    case StoreError.refused(.accountExists):
      return (problem(OperatorError(.notFound, "the account is gone"), requestID), nil)
    case let error as StoreError:
      let refusal = Refusal(error)
      return (problem(refusal, requestID), refusal.note)
    default: return (AdminProblem(.internal, requestID: requestID), "\(type(of: error)): \(error)")
    }
  }

  private static func problem(_ error: OperatorError, _ requestID: String) -> AdminProblem {
    var problem = AdminProblem(code(error), requestID: requestID, detail: error.description, hint: error.hint)
    problem.scope = error.scope?.rawValue
    problem.revision = error.revision
    problem.findings = error.findings.isEmpty ? nil : error.findings
    return problem
  }

  private static func problem(_ refusal: Refusal, _ requestID: String) -> AdminProblem {
    let limited = refusal.limit.map { name in
      "the limit \(name) is used up; it has room in \(refusal.retryAfter ?? 60) seconds"
    }
    let store = refusal.detail == nil ? refusal.store.map(StoreWords.init) : nil
    var problem = AdminProblem(
      refusal.code, requestID: requestID, detail: refusal.detail ?? store?.sentence ?? limited,
      hint: store?.hint ?? (limited == nil ? nil : "gatehouse limit list"))
    problem.retryAfter = refusal.retryAfter
    if !refusal.violations.isEmpty {
      problem.errors = refusal.violations.map { violation in
        ProblemError(
          pointer: violation.pointer, rule: violation.rule,
          params: violation.params.isEmpty ? nil : violation.params,
          message: violation.message.text(in: ["en"]) ?? violation.rule, sentence: violation.sentence.text(in: ["en"]))
      }
    }
    return problem
  }

  private static func code(_ error: OperatorError) -> ErrorCode {
    switch error.kind {
    case .notFound: .notFound
    case .exists: .exists
    case .refused: .refused
    case .stale: error.revision == nil ? .conflict : .revisionStale
    case .notAllowed: .consentRequired
    case .forbidden: .forbidden
    case .unavailable: .overloaded
    }
  }
}
