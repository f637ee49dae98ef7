import GatehousePolicy

extension Call {
  /// Audit rows for the exceptions of the policy without which a decision would have been another one. They belong into
  /// the commit of what was let through.
  func exceptionsUsed(
    _ decision: Decision, _ services: Services, actor: Actor = .anonymous, user: UserID? = nil
  ) -> [Change] {
    decision.exceptions.map {
      .audit(entry(.exceptionUsed, services, actor: actor, user: user, details: $0.details))
    }
  }
}

extension PolicyException {
  /// The details that name the exception in the policy's revision; not the address, which is a person's.
  var details: [String: String] {
    ["rule": rule, "until": until.description, "reason": reason, "line": String(position.line)]
  }
}
