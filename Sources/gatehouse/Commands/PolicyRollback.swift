import GatehouseIdentity

/// `gatehouse policy rollback`.
enum PolicyRollback {
  static let command = Command(
    "policy", "rollback", summary: "Make an older revision's text the live policy again, as a new revision",
    arguments: [OperatorCommand.tenant, Argument("REVISION", "a number of policy history")],
    flags: PolicyApply.consents,
    examples: [
      Example("gatehouse policy rollback dd-ride 3", "the text of revision 3"),
      Example("gatehouse policy rollback dd-ride 3 --allow-weaker", "although it lets more people in"),
      Example("gatehouse policy rollback dd-ride 3 --dry-run", "only check and test it"),
    ],
    exits: [
      .no: "the old text is wrong today", .notFound: "no such tenant or revision",
      .notAllowed: "it would weaken the policy, or lock people out",
      .unavailable: "the database failed",
    ], mutating: true, settings: .store, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let text = try invocation.argument("REVISION")
    guard text.utf8.count <= 9, let number = Int(text), number > 0 else {
      throw Failure(.usage, "\(Quoted(text)) is no revision's number")
    }
    return try await OperatorCommand.run(invocation) { services, tenant, _ in
      guard let old = try await services.store.open(tenant.id).revision(number) else {
        throw OperatorError(
          .notFound, "\(tenant.name) has no revision \(number)", hint: "gatehouse policy history \(tenant.name)")
      }
      let name = "revision \(number)"
      if invocation.isDryRun {
        _ = try Policies.judge(old.text, file: name, of: tenant.name, services)
        invocation.terminal.note("\(name) would be applied to \(tenant.name)")
        return .ok
      }
      let outcome = try await Policies.apply(
        old.text, file: name, to: tenant, consent: PolicyApply.consent(invocation),
        author: OperatorCommand.author(invocation, reason: "rollback to \(name)"), services)
      switch outcome {
      case .unchanged(let live): invocation.terminal.note("revision \(live) says the same already")
      case .applied(let live): try invocation.terminal.data("revision \(live) is live\n")
      }
      return .ok
    }
  }
}
