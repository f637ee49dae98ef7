import Foundation

extension RuleKind {
  /// The password was set no longer ago than this. Judged at sign-in, where it asks for a new one unless `existing:`
  /// says otherwise.
  public static let maxAge = RuleKind(
    "max_age", at: [.password], shape: .duration, parameterName: "seconds", doors: DoorSet([.signIn]),
    existing: .requireAtSignIn
  ) { rule, judged in
    guard case .duration(let seconds) = rule.parameter, let changed = judged.passwordChangedAt else {
      return .undecidable("when it was set is not known")
    }
    return judged.instant.timeIntervalSince(changed) <= Double(seconds) ? .pass : .fail("too old")
  }
}
