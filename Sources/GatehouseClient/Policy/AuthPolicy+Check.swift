public import Foundation
import GatehousePolicy
import GatehouseWire

/// One row of a checklist that follows what a person types.
public struct ChecklistRow: Sendable, Hashable, Identifiable {
  /// The rule's id: `password.min8`.
  public var rule: String
  /// The input that it is about: `email`, `password`, or a profile field's name.
  public var input: String
  /// The row's text: `At least 8 characters`.
  public var text: String
  /// A sentence that stands alone: `Password must be at least 8 characters.`
  public var sentence: String
  /// The state of the rule.
  public var mark: Mark
  /// The rule's id.
  public var id: String { rule }

  /// The state of a rule.
  public enum Mark: Sendable, Hashable {
    /// The value meets it.
    case met
    /// The value breaks it, and the server would refuse.
    case unmet
    /// The value breaks it, and the server would not refuse yet: until the day (`2027-03-01`) from which it binds,
    /// where there is one.
    case advice(from: String?)
    /// Only the server can tell, when the form is sent.
    case checkedOnSubmit
    /// There is no value to judge, or an earlier rule is in the way.
    case pending
  }
}

/// The form that is filled in.
public enum AuthForm: String, Sendable, Hashable, CaseIterable {
  /// A new account.
  case signUp = "sign_up"
  /// A new password of the signed-in person.
  case changePassword = "set_password"
  /// A new password by the code of a mail.
  case resetPassword = "reset_password"
  /// Another address.
  case changeEmail = "change_email"
  /// Profile fields of the signed-in person.
  case updateProfile = "update_profile"
}

extension AuthPolicy {
  /// The state of each rule of a form, in the policy's order. Only `unmet` rows stop a submit. The server's own code
  /// judges, so both say the same. Costs microseconds: fit for every key.
  public func check(
    _ form: AuthForm, email: String? = nil, password: String? = nil, profile: Profile = [:], at now: Date = Date()
  ) -> [ChecklistRow] {
    guard let door = Door(rawValue: form.rawValue) else { return [] }
    let facts = Facts(email: email, password: password, profile: profile.mapValues(\.wire))
    let decision = policy.decide(door, facts, at: now, using: NoFacts())
    let verdicts = Dictionary(
      decision.trace.map { ($0.rule, $0.verdict) }, uniquingKeysWith: { first, _ in first })
    let isForeign = email?.split(separator: "@").last?.utf8.contains { $0 > 127 } == true
    return rules.compactMap { rule in
      guard concerns(rule, door) else { return nil }
      let input = rule.pointer.split(separator: "/").last.map(String.init) ?? ""
      var mark = mark(rule, verdicts[rule.id])
      // The rule that this one implies has no row: few people ever type what it refuses.
      if rule.kind == "allowed_domains", verdicts["email.plain_local_part"] == .fail { mark = .unmet }
      // A domain outside ASCII is read by a library that the device does not have.
      if input == "email", isForeign { mark = .checkedOnSubmit }
      return ChecklistRow(
        rule: rule.id, input: input, text: rule.message, sentence: rule.sentence ?? rule.message, mark: mark)
    }
  }

  /// The rows about one input.
  public func check(
    _ form: AuthForm, input: String, email: String? = nil, password: String? = nil, profile: Profile = [:],
    at now: Date = Date()
  ) -> [ChecklistRow] {
    check(form, email: email, password: password, profile: profile, at: now).filter { $0.input == input }
  }

  /// Whether a rule is looked at in a form. Servers before that member say nothing: then the place of the value
  /// decides.
  private func concerns(_ rule: PublicPolicy.Rule, _ door: Door) -> Bool {
    if let doors = rule.doors { return doors.contains(door.rawValue) }
    return (RuleTarget(pointer: rule.pointer)?.doors ?? []).contains(door)
  }

  private func mark(_ rule: PublicPolicy.Rule, _ verdict: TraceEntry.Verdict?) -> ChecklistRow.Mark {
    switch verdict {
    case .notReached: return .pending
    // The rule was not rebuilt here: a kind of a newer server.
    case nil: return rule.isKnown ? .pending : .checkedOnSubmit
    case .undecidable, .deferred: return .checkedOnSubmit
    case .pass: return rule.checkedOnSubmit ? .checkedOnSubmit : .met
    case .fail: return rule.checkedOnSubmit || rule.hasExceptions == true ? .checkedOnSubmit : .unmet
    case .warn, .off: return rule.checkedOnSubmit ? .checkedOnSubmit : .advice(from: rule.enforceFrom)
    }
  }
}
