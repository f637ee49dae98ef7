import Foundation
import GatehouseOutbound
import GatehouseAdminWire
import GatehouseWire

extension Failure {
  /// A problem in the words of a command, the same whether it arose here or in a server.
  init(_ problem: AdminProblem) {
    let lines = (problem.errors ?? []).map { "\($0.pointer) breaks \($0.rule): \($0.message)" }
    let said = lines.isEmpty ? [problem.detail ?? problem.title] : lines
    self.init(Self.exit(of: problem), said, hint: problem.hint, code: problem.code.rawValue)
  }

  /// Creates the failure for an answer of a server that is no success.
  init(refusal answer: AdminAnswer, server: String) {
    if let problem = try? ContractJSON.decode(AdminProblem.self, from: Data(answer.body)) {
      switch problem.code.known {
      case .unauthenticated:
        self.init(
          .notAllowed, "\(server) does not take this token: it is unknown, revoked or expired",
          hint: "gatehouse admin list")
      case .tooManyAttempts:
        self.init(.notAllowed, "\(server) saw too many bad tokens; wait \(problem.retryAfter ?? 60) seconds")
      default: self.init(problem)
      }
    } else {
      self.init(.unavailable, "\(server) answered \(answer.status), which is not an answer of an admin API")
    }
  }

  private static func exit(of problem: AdminProblem) -> Exit {
    switch problem.code.known {
    case .notFound, .tenantNotFound: .notFound
    case .exists, .conflict, .revisionStale: .conflict
    case .refused: .no
    case .malformedRequest, .preconditionRequired, .payloadTooLarge, .unsupportedMediaType, .methodNotAllowed: .usage
    default: problem.status >= 500 || problem.status == 429 ? .unavailable : .notAllowed
    }
  }
}
