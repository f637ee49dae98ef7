import GatehouseIdentity
import GatehousePolicy

extension Surface where Context == Call {
  /// A problem, in the words of the tenant that is known; a page for people where nothing is.
  func refuse(_ error: any Error, _ exchange: inout Exchange) -> Answer { exchange.refusal(by: error) }
}

extension Exchange {
  /// The refusal of an error for the caller, kept for the record.
  mutating func refused(by error: any Error) -> Refusal {
    let refusal = Refusal(of: error)
    record.code = refusal.code
    record.limit = refusal.limit
    record.violated = tenant?.policy.countable(refusal.violations) ?? []
    record.note = refusal.note
    return refusal
  }
}

extension Answer {
  static func problem(_ refusal: Refusal, _ exchange: Exchange) -> Answer {
    ProblemAnswer.answer(
      refusal, requestID: exchange.id, languages: exchange.languages, policy: exchange.tenant?.policy)
  }
}

extension Policy {
  /// The rules of violations as they may be counted: names that only a caller made up share one word.
  func countable(_ violations: [Violation]) -> [String] {
    violations.map { violation in
      let isOfProfile = violation.pointer.hasPrefix("/profile/")
      let isKnown = !isOfProfile || profile.fields.contains { $0.pointer.utf8.elementsEqual(violation.pointer.utf8) }
      return isKnown ? violation.rule : "profile.unknown"
    }
  }
}
