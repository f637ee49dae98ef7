import GatehouseAdminWire
import GatehouseWire

/// `gatehouse policy rollback`.
enum PolicyRollback {
  private static let reason = Flag("reason", .text(), "why, for the history (default: rollback to revision REVISION)")

  static let command = Command(
    "policy", "rollback", summary: "Make an older revision's text the live policy again, as a new revision",
    notes: [
      "Changes to the trust of the tenant are printed. A token also needs the scope trust:write, even to undo such a change."
    ],
    arguments: [OperatorCommand.tenant, Argument("REVISION", "a number of policy history")],
    flags: [reason] + PolicyApply.consents,
    examples: [
      Example("gatehouse policy rollback dd-ride 3 --reason \"sign-ups failed\"", "the text of revision 3"),
      Example("gatehouse policy rollback dd-ride 3 --allow-weaker", "although it lets more users in"),
      Example("gatehouse policy rollback dd-ride 3 --dry-run", "only check and test it"),
    ],
    exits: [
      .no: "the old text is wrong today", .notFound: "no such tenant or revision",
      .notAllowed: "it would weaken the policy, lock people out, or change trust without the scope",
      .unavailable: "the database failed",
    ], mutating: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let text = try invocation.argument("REVISION")
    guard text.utf8.count <= 9, let number = Int(text), number > 0 else {
      throw Failure(.usage, "\(Quoted(text)) is not a revision number")
    }
    let tenant = try invocation.argument(OperatorCommand.tenant.name)
    return try await OperatorCommand.backend(invocation) { backend in
      let outcome = try await backend.send(
        RollbackPolicyOperation.self,
        .init(
          tenant: tenant, revision: number, reason: invocation[reason],
          allowWeaker: PolicyApply.allowsWeaker(invocation), allow: PolicyApply.allowed(invocation),
          allowLockout: PolicyApply.allowsLockout(invocation), dryRun: invocation.isDryRun))
      try PolicyApply.tell(outcome, file: "revision \(number)", prefix: "", invocation)
      return .ok
    }
  }
}
