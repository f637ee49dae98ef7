import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehouseWire

extension Refusal {
  /// The problems of the refusal beside a form: each violation at its field, or one sentence. `own` are the fields that
  /// codes are about on one page. `record`: that of the code which the page waits for.
  func problems(
    _ words: HostedWords, _ call: Call, at own: [ErrorCode: String] = [:], of record: CodeRecord? = nil
  ) -> [FormProblem] {
    if code == .validationFailed {
      // A value that breaks a rule that is covered breaks the one that covers it.
      let covered = ShownRules(call.policy, at: call.now).covered
      return violations.filter { !covered.contains($0.rule) }.map { violation in
        FormProblem(
          field: FieldName.of(violation.pointer),
          message: Self.own(violation, words) ?? violation.sentence.text(in: [words.language])
            ?? violation.message.text(in: [words.language]) ?? violation.rule, rule: violation.rule)
      }
    }
    if let text = codeText(words, call, record) {
      return [FormProblem(field: own[code] ?? Self.fields[code], message: text)]
    }
    if code.status == 429 {
      let sentence =
        code == .tooManyAttempts && call.policy.hasPassword ? words.errors.waitOrReset : words.errors.wait
      let seconds = retryAfter ?? 60
      return [
        FormProblem(
          field: nil, message: sentence(words.duration(seconds)),
          countdown: Countdown(seconds, words.duration, sentence))
      ]
    }
    let field = own[code] ?? Self.fields[code]
    // A signed-in person typed no address that could be wrong.
    let text =
      code == .invalidCredentials && field != nil
      ? words.errors.password : ProblemAnswer.title(self, [words.language], call.policy)
    return [FormProblem(field: field, message: text)]
  }

  /// The sentence about a text that is no address. The one of the policy is about the addresses that it takes.
  private static func own(_ violation: Violation, _ words: HostedWords) -> String? {
    violation.rule == "email.syntax" ? words.errors.noAddress : nil
  }

  /// The fault of a typed code, or of a request for another one; nil for any other refusal, and where the tenant has
  /// words of its own.
  private func codeText(_ words: HostedWords, _ call: Call, _ record: CodeRecord?) -> String? {
    guard call.policy.messages[code.rawValue] == nil else { return nil }
    switch code {
    case .codeInvalid where record == .factor: return words.secondStep.wrong
    case .codeInvalid where record != nil: return isUsedUp ? words.checkMail.usedUp : words.checkMail.wrong
    case .codeExpired where record != nil: return words.checkMail.expired
    case .cooldown:
      let left = retryAfter ?? 1
      let since = call.policy.verification.email.resendCooldown - Int64(left)
      let moment = Timestamp(call.now.addingTimeInterval(-TimeInterval(max(0, since))))
      return words.checkMail.paused(words.moments.time(moment), words.duration(left))
    default: return nil
    }
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
