import Foundation
import GatehouseWire

/// A refusal as a client reads it: every word is open, and every member but the code may be absent.
struct ProblemAnswer: Decodable {
  var code: String
  var title: String?
  var detail: String?
  var errors: [Item]?
  var next: [String]?
  var requirements: [Requirement]?
  var provider: String?
  var methods: [String]?
  var retryAfter: Int?
  var requestID: String?
  var challengeID: String?
  var expiresIn: Int?
  var factors: [String]?
  var rememberFor: Int?
  var passkey: Passkey?

  /// The options for a passkey; none where they are not of the standard's form.
  struct Passkey: Decodable {
    var options: RequestOptions?

    init(from decoder: any Decoder) throws { options = try? RequestOptions(from: decoder) }
  }

  struct Item: Decodable {
    var pointer: String
    var rule: String
    var message: String
    var sentence: String?
  }

  struct Requirement: Decodable {
    var need: String
    var message: String
  }

  /// One broken rule: its sentence. Several: the title. The app's own sentence wins over both.
  func error(_ configuration: AuthConfiguration, _ answer: HTTPAnswer) -> AuthError {
    let code = AuthError.Code(rawValue: code)
    let violations = (errors ?? []).map {
      AuthError.Violation(
        input: $0.pointer.split(separator: "/").last.map(String.init) ?? "", rule: $0.rule, message: $0.message,
        sentence: $0.sentence)
    }
    let only = violations.count == 1 ? violations.first?.sentence : nil
    var error = AuthError(
      code,
      message: configuration.sentences[code] ?? only ?? title
        ?? Sentences.text(.unknown, languages: configuration.languages),
      violations: violations, next: AuthStep.list(next ?? [], requirements ?? []), provider: provider,
      methods: (methods ?? []).map(Reauthentication.Method.init), challenge: challenge(at: configuration.clock.now),
      retryAfter: (retryAfter ?? answer.headers["retry-after"].flatMap { Int($0) }).map { .seconds(max(0, $0)) },
      requestID: requestID ?? answer.headers["x-request-id"])
    error.passkey = nextTry(at: configuration.clock.now)
    return error
  }
}

extension AuthStep {
  /// The steps, each with the server's sentence where there is one.
  static func list(_ next: [String], _ requirements: [ProblemAnswer.Requirement]) -> [AuthStep] {
    next.map { need in AuthStep(need: need, message: requirements.first { $0.need == need }?.message) }
  }
}
