import GatehouseIdentity
import GatehousePolicy
import GatehouseWire

extension Refusal {
  /// The problems of the refusal beside a form: each violation at its field, or one sentence. `own` are the fields that
  /// codes are about on one page.
  func problems(_ words: HostedWords, _ call: Call, at own: [ErrorCode: String] = [:]) -> [FormProblem] {
    if code == .validationFailed {
      return violations.map { violation in
        FormProblem(
          field: FieldName.of(violation.pointer),
          message: violation.sentence.text(in: [words.language]) ?? violation.message.text(in: [words.language])
            ?? violation.rule, rule: violation.rule)
      }
    }
    if code.status == 429 {
      return [FormProblem(field: nil, message: words.errors.wait(words.duration(retryAfter ?? 60)))]
    }
    let field = own[code] ?? Self.fields[code]
    // A signed-in person typed no address that could be wrong.
    let text =
      code == .invalidCredentials && field != nil
      ? words.errors.password : ProblemAnswer.title(self, [words.language], call.policy)
    return [FormProblem(field: field, message: text)]
  }

  /// The fields that codes are about, on every page that has them.
  private static let fields: [ErrorCode: String] = [
    .accountExists: "email", .reauthenticationRequired: "password", .codeInvalid: "code", .codeExpired: "code",
    .codeUsed: "code",
  ]
}

/// Names of fields, by the pointers of the contract.
enum FieldName {
  static func of(_ pointer: String) -> String {
    pointer.hasPrefix("/profile/") ? "profile." + pointer.dropFirst(9) : String(pointer.dropFirst())
  }

  static func profile(_ name: String) -> String { "profile." + name }
}
