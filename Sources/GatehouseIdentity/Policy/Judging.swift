import Foundation
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

extension Policy {
  /// How a stored person stands at this moment, in a session where one asks.
  func standing(of user: StoredUser, in session: Session?, at now: Date) -> Standing {
    let (access, next) = access(of: user.facts, in: session?.proofs.facts, at: now)
    return Standing(access: access, next: next)
  }

  /// Whether a demand for a second factor binds the person now.
  func demandsFactor(of user: StoredUser, at now: Date) -> Bool {
    demands.contains { demand in
      demand.enforcement.mode(at: now) == .enforce && concerns(demand, profile: user.profile)
    }
  }

  /// The write that begins or ends the grace of a person who is, or is no longer, asked for a second factor; none where
  /// it has begun or there is none.
  func asking(_ user: StoredUser, at now: Date) -> [Change] {
    let isAsked = demandsFactor(of: user, at: now)
    // GUARD: grace: of those who are asked
    return isAsked == (user.mfaAskedAt == nil) ? [.factor(.ask(user.id, isAsked))] : []
  }
}

extension Compliance {
  /// The result that a sign-in measured; nil where no password rule only warns.
  init?(_ decision: Decision, by policy: Policy, at now: Date) {
    guard let complies = decision.passwordComplies, let rules = Self.measuredRules(policy, at: now) else { return nil }
    self.init(rules: rules, complies: complies)
  }

  /// SHA-256 of the rules that sign-ins measure passwords by; nil where none of them only warns.
  static func measuredRules(_ policy: Policy, at now: Date) -> [UInt8]? {
    policy.warnedPasswordRules(at: now).map { SHA256.digest($0) }
  }
}

enum Warnings {
  /// The failures that did not block, in the caller's language.
  static func make(_ decision: Decision, _ call: Call) -> [RuleWarning] {
    return decision.warnings.map { warning in
      RuleWarning(
        rule: warning.rule, message: warning.message.text(in: call.spoken) ?? warning.rule,
        sentence: warning.sentence.text(in: call.spoken),
        enforceFrom: warning.enforceFrom?.description)
    }
  }
}

enum UniqueValues {
  /// The values of a profile that no other account of the tenant may have.
  static func of(_ profile: [String: FieldValue], _ policy: Policy) -> [UniqueValue] {
    policy.profile.fields.compactMap { field in
      guard let value = profile[field.name], let key = policy.uniqueKey(for: field.name, value: value) else {
        return nil
      }
      return UniqueValue(field: field.name, key: key)
    }
  }

  /// A taken unique field as the violation `F.unique`; nil for every other error.
  static func refusal(_ error: StoreError, _ call: Call) -> Refusal? {
    guard case .fieldTaken(let name) = error,
      let field = call.policy.profile.fields.first(where: { $0.name.utf8.elementsEqual(name.utf8) })
    else { return nil }
    return Refusal(
      .validationFailed, violations: [call.policy.violation(of: field.uniqueRule, pointer: field.pointer)])
  }
}
