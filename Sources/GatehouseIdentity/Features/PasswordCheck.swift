// The verdict on a password while it is typed. Nothing is stored, nothing is logged.

import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

package enum PasswordCheck {
  package static func run(_ input: PasswordCheckEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> PasswordCheckEndpoint.Output
  {
    // GUARD: password door: verdict on a password
    try call.policy.demandPassword()
    let facts = Facts(email: input.email, password: input.password, profile: input.profile ?? [:])
    let decision = call.policy.decide(.signUp, facts, at: call.now, using: services.facts)
    let verdicts = call.policy.password.rules.compactMap { rule -> PasswordRuleVerdict? in
      guard rule.disclose, let entry = decision.trace.first(where: { $0.rule == rule.id }),
        let verdict = word(for: entry.verdict)
      else { return nil }
      let violation = call.policy.violation(of: rule, pointer: Pointer.password)
      return PasswordRuleVerdict(
        rule: rule.id, verdict: verdict, message: violation.message.text(in: call.spoken) ?? rule.id,
        sentence: violation.sentence.text(in: call.spoken))
    }
    let inputs = [input.email].compactMap { $0 } + (input.profile ?? [:]).values.compactMap(\.string)
    return PasswordCheckEndpoint.Output(
      ok: !verdicts.contains { $0.verdict == "fail" },
      score: services.facts.strength(of: input.password, inputs: inputs) ?? 0, rules: verdicts)
  }

  private static func word(for verdict: TraceEntry.Verdict) -> String? {
    switch verdict {
    case .pass: "pass"
    case .fail, .undecidable: "fail"
    case .warn: "warn"
    case .notReached, .off, .deferred: nil
    }
  }
}
