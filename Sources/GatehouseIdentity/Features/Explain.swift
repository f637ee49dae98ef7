// The policy's verdict on a hypothetical request. No stored user is read, nothing is stored, nothing is logged.

import GatehousePolicy
import GatehousePolicyFile
package import GatehouseWire

package enum Explain {
  /// The doors through which people bring their own values in.
  static let doors: [Door] = [.signUp, .updateProfile, .changeEmail, .setPassword]

  package static func run(_ input: ExplainEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> ExplainEndpoint.Output
  {
    guard let door = doors.first(where: { $0.rawValue == input.door ?? Door.signUp.rawValue }) else {
      throw Refusal.malformed("/door", "one of \(doors.map(\.rawValue).joined(separator: ", "))")
    }
    // GUARD: password door: an explanation at a closed door
    guard !call.policy.isClosed(door, withPassword: input.password != nil) else { throw Refusal(.notFound) }
    let facts = Facts(email: input.email, password: input.password, profile: input.profile ?? [:])
    let trace = call.policy.decide(door, facts, at: call.now, using: services.facts).trace
    let rules = Dictionary(call.policy.disclosedRules.map { ($0.id, $0) }) { first, _ in first }
    let verdicts = trace.compactMap { entry in rules[entry.rule].map { verdict(entry, $0, call) } }
    return ExplainEndpoint.Output(
      door: door.rawValue, ok: !verdicts.contains { ["fail", "undecidable"].contains($0.verdict) }, rules: verdicts)
  }

  private static func verdict(_ entry: TraceEntry, _ rule: Rule, _ call: Call) -> RuleVerdict {
    let isOpen = [.fail, .warn, .undecidable].contains(entry.verdict)
    let text = call.policy.violation(of: rule, pointer: "").message
    return RuleVerdict(
      rule: rule.id, input: call.policy.input(of: rule), verdict: entry.verdict.rawValue,
      message: isOpen ? text.text(in: call.spoken) ?? rule.id : nil,
      enforceFrom: entry.verdict == .warn ? rule.enforcement.from?.description : nil)
  }
}
