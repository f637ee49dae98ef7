import GatehousePolicy

extension Call {
  /// Notes that a rule asked for a list which is not there: what passed unasked (`fail: open`), or was refused for want
  /// of it. One row a minute for each rule, as refusals have.
  func noteMissingLists(_ decision: Decision, _ services: Services) async {
    for entry in decision.trace where entry.verdict == .undecidable {
      let rules = policy.identifiers.email.rules + policy.password.rules
      guard let rule = rules.first(where: { $0.id == entry.rule }), rule.kind.asksList else {
        continue
      }
      await note(
        .listMissing, about: rule.id, services,
        details: ["rule": rule.id, "fail": rule.failsOpen ? "open" : "closed"])
    }
  }
}
