import GatehouseIdentity

/// `gatehouse policy apply`.
enum PolicyApply {
  private static let reason = Flag("reason", .text(), "why, for the history")
  private static let expecting = Flag(
    "expect-revision", .integer(1...1_000_000_000), "only if this revision is still the live one")

  private static let allowWeaker = Flag(
    "allow-weaker", .onOff, "also where it would let in what the live policy refuses")
  private static let allowLockout = Flag(
    "allow-lockout", .onOff, "also where administrators, or many active people, would lose full access")

  /// The flags by which an author accepts what would be refused otherwise.
  static let consents = [allowWeaker, allowLockout]

  static func consent(_ invocation: Invocation) -> Policies.Consent {
    Policies.Consent(weaker: invocation.has(allowWeaker), lockout: invocation.has(allowLockout))
  }

  static let command = Command(
    "policy", "apply", summary: "Make a policy file the tenant's live policy",
    notes: ["The file is checked and its tests are run first. Every server enforces it within a second."],
    arguments: [OperatorCommand.tenant, Argument("FILE", "a policy file; - is standard input", completes: .file)],
    flags: [reason, expecting] + consents,
    examples: [
      Example("gatehouse policy apply dd-ride policies/dd-ride.yaml --reason \"longer passwords\"", "apply it"),
      Example("gatehouse policy apply dd-ride policies/dd-ride.yaml --expect-revision 3", "unless somebody was faster"),
      Example("gatehouse policy apply dd-ride policies/dd-ride.yaml --dry-run", "only check and test it"),
    ],
    exits: [
      .no: "the file is wrong or its tests fail", .notAllowed: "it would weaken the policy, or lock people out",
      .notFound: "no such tenant", .conflict: "another revision is live",
      .unavailable: "the database failed",
    ], mutating: true, settings: .store, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let path = try invocation.argument("FILE")
    let text = String(decoding: try PolicyInput.bytes(path), as: UTF8.self)
    return try await OperatorCommand.run(invocation) { services, tenant, _ in
      if invocation.isDryRun {
        _ = try Policies.judge(text, file: path, of: tenant.name, services)
        invocation.terminal.note("\(Visible.line(path)) would be applied to \(tenant.name)")
        return .ok
      }
      let outcome = try await Policies.apply(
        text, file: path, to: tenant, expecting: invocation[expecting], consent: consent(invocation),
        author: OperatorCommand.author(invocation, reason: invocation[reason] ?? ""), services)
      switch outcome {
      case .unchanged(let revision): invocation.terminal.note("revision \(revision) says the same already")
      case .applied(let revision): try invocation.terminal.data("revision \(revision) is live\n")
      }
      return .ok
    }
  }
}
