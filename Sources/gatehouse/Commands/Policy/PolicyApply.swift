import Foundation
import GatehouseAdminWire
import GatehouseWire

/// `gatehouse policy apply`.
enum PolicyApply {
  private static let reason = Flag("reason", .text(), "why, for the history")
  private static let files = Flag(
    "files", .directory, "apply every NAME.yaml of this directory to the tenant of that name: all of them, or none")
  private static let expecting = Flag(
    "expect-revision", .integer(1...1_000_000_000), "only if this revision is still the live one")

  private static let allowWeaker = Flag(
    "allow-weaker", .onOff, "also where it would admit requests that the live policy refuses")
  private static let allow = Flag(
    "allow", .text("FINDING", "the subject of a change"),
    "also where this change would, such as email.allowed_domains, or dd-ride:email.allowed_domains for one of several tenants",
    repeats: true)
  private static let allowLockout = Flag(
    "allow-lockout", .onOff,
    "also where administrators or many active users would lose full access, or any their only passkey")

  private static let allowFailingTests = Flag(
    "allow-failing-tests", .onOff, "also where tests in the file fail: the emergency door, with --reason")

  /// The flags by which an author accepts what would be refused otherwise.
  static let consents: [any AnyFlag] = [allowWeaker, allow, allowLockout]

  static func allowed(_ invocation: Invocation) -> [String]? {
    let findings = invocation.all(allow)
    return findings.isEmpty ? nil : findings
  }
  static func allowsWeaker(_ invocation: Invocation) -> Bool { invocation.has(allowWeaker) }
  static func allowsLockout(_ invocation: Invocation) -> Bool { invocation.has(allowLockout) }

  static let command = Command(
    "policy", "apply", summary: "Make a policy file the tenant's live policy",
    notes: [
      "The file is checked and its tests are run first. Every server enforces it within a second.",
      "The flag --allow-failing-tests is for an emergency, such as a provider that is down: the history, the audit log"
        + " and the doctor show it until a file whose tests pass is applied. A token also needs the scope policy:emergency.",
      "The last line of a file that policy show printed names the revision that it was taken from. It is applied only while"
        + " that revision is live, and the line names the new one afterwards. Without it the answer says which changes of"
        + " the newest revisions are taken back.",
      "Changes to the trust of the tenant, as policy diff marks them, are printed. A token also needs the scope trust:write.",
    ],
    arguments: [
      Argument("TENANT", "the tenant's name, such as dd-ride", .optional, completes: .tenant),
      Argument("FILE", "a policy file; - is standard input", .optional, completes: .file),
    ],
    flags: [files, reason, expecting] + consents + [allowFailingTests],
    examples: [
      Example("gatehouse policy apply dd-ride policies/dd-ride.yaml --reason \"longer passwords\"", "apply it"),
      Example("gatehouse policy apply dd-ride policies/dd-ride.yaml --expect-revision 3", "unless 3 is no longer live"),
      Example("gatehouse policy apply --files policies --reason \"spring release\"", "several tenants, all or none"),
    ],
    exits: [
      .no: "the file is wrong or its tests fail",
      .notAllowed: "it would weaken the policy, lock people out, or change trust without the scope",
      .notFound: "no such tenant", .conflict: "another revision is live",
      .unavailable: "the database failed",
    ], mutating: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let candidates = try candidates(invocation)
    return try await OperatorCommand.backend(invocation) { backend in
      let outcomes: [PolicyOutcome]
      if candidates.count == 1 {
        let only = candidates[0]
        outcomes = [
          try await backend.send(
            ApplyPolicyOperation.self,
            .init(
              tenant: only.tenant, text: only.text, file: only.file, expecting: only.expecting,
              reason: invocation[reason], allowWeaker: invocation.has(allowWeaker), allow: allowed(invocation),
              allowLockout: invocation.has(allowLockout), allowFailingTests: invocation.has(allowFailingTests),
              dryRun: invocation.isDryRun))
        ]
      } else {
        outcomes = try await backend.send(
          ApplyPoliciesOperation.self,
          .init(
            items: candidates, reason: invocation[reason], allowWeaker: invocation.has(allowWeaker),
            allow: allowed(invocation),
            allowLockout: invocation.has(allowLockout), allowFailingTests: invocation.has(allowFailingTests),
            dryRun: invocation.isDryRun)
        ).items
      }
      for (candidate, outcome) in zip(candidates, outcomes) {
        let prefix = candidates.count > 1 ? "\(candidate.tenant): " : ""
        try tell(outcome, file: candidate.file ?? "", prefix: prefix, invocation)
        renew(candidate, outcome, invocation)
      }
      return .ok
    }
  }

  /// A file that `policy show` printed names the new revision from now on, so that it can be edited and applied again.
  private static func renew(
    _ candidate: ApplyPoliciesOperation.Item, _ outcome: PolicyOutcome, _ invocation: Invocation
  ) {
    guard outcome.outcome.known == .applied, let path = candidate.file, path != "-" else { return }
    let (text, mark) = RevisionMark.split(candidate.text)
    guard let mark, mark.tenant.utf8.elementsEqual(outcome.tenant.utf8) else { return }
    let next = RevisionMark(tenant: mark.tenant, revision: outcome.revision)
    do throws(Failure) {
      try ReplacedFile.write(text + next.line + "\n", to: path)
    } catch {
      invocation.terminal.note("note: the last line of \(Visible.line(path)) still names revision \(mark.revision)")
    }
  }

  /// Reports the outcome for one file.
  static func tell(_ outcome: PolicyOutcome, file: String, prefix: String, _ invocation: Invocation) throws(Failure) {
    invocation.terminal.answer?.add(
      kind: "policy.outcome", key: "item",
      value: .object([
        Cell.Field(key: "tenant", value: .text(outcome.tenant)),
        Cell.Field(key: "outcome", value: .text(outcome.outcome.rawValue)),
        Cell.Field(key: "revision", value: .integer(outcome.revision)),
      ]))
    for change in outcome.trust ?? [] { invocation.terminal.note("trust: \(prefix)\(Visible.line(change))") }
    for note in outcome.notes ?? [] { invocation.terminal.note("note: \(prefix)\(Visible.line(note))") }
    switch outcome.outcome.known {
    case .applied: try invocation.terminal.data("\(prefix)revision \(outcome.revision) is live\n")
    case .checked: invocation.terminal.note("\(Visible.line(file)) would be applied to \(outcome.tenant)")
    case .unchanged, nil: invocation.terminal.note("\(prefix)revision \(outcome.revision) says the same already")
    }
  }

  private static func candidates(_ invocation: Invocation) throws(Failure) -> [ApplyPoliciesOperation.Item] {
    guard let directory = invocation[files] else {
      guard let tenant = invocation.arguments("TENANT").first, let file = invocation.arguments("FILE").first else {
        throw Failure(.usage, "TENANT and FILE, or --files DIR", hint: "gatehouse policy apply --help")
      }
      return [try candidate(tenant, file, invocation)]
    }
    guard invocation.arguments("TENANT").isEmpty, invocation[expecting] == nil else {
      throw Failure(.usage, "--files takes no TENANT, no FILE and no --expect-revision")
    }
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [])
      .filter { $0.hasSuffix(".yaml") && !$0.hasPrefix(".") }.sorted()
    guard !names.isEmpty else { throw Failure(.notFound, "\(Quoted(directory)) has no file NAME.yaml") }
    var found: [ApplyPoliciesOperation.Item] = []
    for name in names {
      found.append(try candidate(String(name.dropLast(5)), "\(directory)/\(name)", invocation))
    }
    return found
  }

  private static func candidate(_ tenant: String, _ path: String, _ invocation: Invocation) throws(Failure)
    -> ApplyPoliciesOperation.Item
  {
    ApplyPoliciesOperation.Item(
      tenant: tenant, text: try PolicyInput.text(path), file: path,
      expecting: invocation[expecting])
  }
}
