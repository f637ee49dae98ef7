// The verbs about policies, as operators ask for them.

import GatehousePolicy
package import GatehousePolicyFile
import GatehousePrimitives
package import GatehouseWire

package enum PolicyOperations {
  package static func check(_ input: CheckPolicyOperation.Input, _ call: OperatorCall) async throws
    -> CheckPolicyOperation.Output
  {
    let check = PolicyCheck.check(
      Array(input.text.utf8), name: try OperatorCall.fileName(input.file), using: call.services.facts,
      floor: call.services.floor, senders: call.services.senders, now: call.services.clock.now)
    return CheckPolicyOperation.Output(
      good: check.isGood(), findings: check.diagnostics.map(PolicyFinding.init),
      tests: check.results.map { result in
        PolicyTestOutcome(
          name: result.name, result: result.outcome.word, finding: result.diagnostic.map(PolicyFinding.init))
      }, report: check.text(), live: try await live(check.file?.policy.tenant, call))
  }

  /// What is to be known of the live policy of a tenant, where there is one within reach.
  private static func live(_ name: String?, _ call: OperatorCall) async throws -> [String]? {
    guard let name = name.flatMap(TenantName.init), let tenant = try await call.services.directory.tenant(name),
      call.who.reaches(tenant.id),
      let revision = try await call.services.store.open(tenant.id).newestRevision(),
      case .success(let file) = revision.file(of: name)
    else { return nil }
    let door = try await KeptPasswordDoor.look(
      file.policy, revision: revision.number, of: (tenant.id, name), call.services)
    return door.map { ["\(name): \($0.sentence); \($0.advice)"] }
  }

  package static func show(_ input: ShowPolicyOperation.Input, _ call: OperatorCall) async throws
    -> ShowPolicyOperation.Output
  {
    let tenant = try await call.tenant(input.tenant)
    let store = call.services.store.open(tenant.id)
    let found =
      if let number = input.revision { try await store.revision(number) } else { try await store.newestRevision() }
    guard let found else { throw OperatorError(.notFound, "\(tenant.name) has no such revision") }
    return ShowPolicyOperation.Output(text: found.text, revision: found.number)
  }

  package static func apply(_ input: ApplyPolicyOperation.Input, _ call: OperatorCall) async throws -> PolicyOutcome {
    let candidate = PolicyCandidate(
      tenant: input.tenant, text: input.text, file: input.file, expecting: input.expecting)
    return try await apply(
      [candidate], reason: input.reason,
      consent: consent(input.allowWeaker, input.allowLockout, input.allowFailingTests),
      isDryRun: input.dryRun ?? false, call)[0]
  }

  package static func applyAll(_ input: ApplyPoliciesOperation.Input, _ call: OperatorCall) async throws
    -> ApplyPoliciesOperation.Output
  {
    guard (1...1000).contains(input.items.count) else { throw Refusal.malformed("/items", "must be 1 to 1000 items") }
    let outcomes = try await apply(
      input.items, reason: input.reason,
      consent: consent(input.allowWeaker, input.allowLockout, input.allowFailingTests),
      isDryRun: input.dryRun ?? false, call)
    return ApplyPoliciesOperation.Output(items: outcomes)
  }

  package static func rollback(_ input: RollbackPolicyOperation.Input, _ call: OperatorCall) async throws
    -> PolicyOutcome
  {
    let tenant = try await call.tenant(input.tenant)
    guard let old = try await call.services.store.open(tenant.id).revision(input.revision) else {
      throw OperatorError(
        .notFound, "\(tenant.name) has no revision \(input.revision)", hint: "gatehouse policy history \(tenant.name)")
    }
    let name = "revision \(input.revision)"
    let candidate = PolicyCandidate(tenant: input.tenant, text: old.text, file: name, expecting: input.expecting)
    return try await apply(
      [candidate], reason: input.reason ?? "rollback to \(name)",
      consent: consent(input.allowWeaker, input.allowLockout),
      isDryRun: input.dryRun ?? false, call)[0]
  }

  package static func revisions(_ input: ListPolicyRevisionsOperation.Input, _ call: OperatorCall) async throws
    -> ListPolicyRevisionsOperation.Output
  {
    let tenant = try await call.tenant(input.tenant)
    let limit = try OperatorCall.limit(input.limit, atMost: 100)
    var before: Int?
    if let cursor = input.cursor {
      guard cursor.utf8.count <= 9, let number = Int(cursor), number > 0 else {
        throw Refusal.malformed("/cursor", "is none of this list")
      }
      before = number
    }
    let found = try await call.services.store.open(tenant.id).revisions(before: before, limit: limit + 1)
    let items = found.prefix(limit).map { revision in
      PolicyRevisionSummary(
        revision: revision.number, digest: Hex.encode(revision.digest), author: revision.author,
        reason: revision.reason, createdAt: Timestamp(revision.createdAt),
        failingTests: revision.failingTests == 0 ? nil : revision.failingTests)
    }
    return ListPolicyRevisionsOperation.Output(
      items: items, nextCursor: found.count > limit ? items.last.map { String($0.revision) } : nil)
  }

  package static func diff(_ input: DiffPolicyOperation.Input, _ call: OperatorCall) async throws
    -> DiffPolicyOperation.Output
  {
    let tenant = try await call.tenant(input.tenant)
    guard let live = try await call.services.store.open(tenant.id).newestRevision() else {
      throw OperatorError(.notFound, "\(tenant.name) has no policy")
    }
    let (changes, notes) = try Policies.difference(
      input.text, file: try OperatorCall.fileName(input.file), against: live, of: tenant.name, call.services)
    return DiffPolicyOperation.Output(
      revision: live.number,
      items: changes.map { change in
        PolicyDifference(
          relation: change.relation.rawValue, subject: change.subject, sentence: change.sentence,
          oldLine: change.oldLine, newLine: change.newLine)
      }, notes: notes.isEmpty ? nil : notes)
  }

  private static func apply(
    _ items: [PolicyCandidate], reason: String?, consent: Policies.Consent, isDryRun: Bool, _ call: OperatorCall
  ) async throws -> [PolicyOutcome] {
    if consent.failingTests { try demandEmergency(reason, call) }
    var candidates: [Policies.Candidate] = []
    for item in items {
      let tenant = try await call.tenant(item.tenant)
      guard !candidates.contains(where: { $0.tenant.id == tenant.id }) else {
        throw Refusal.malformed("/items", "\(tenant.name) stands twice")
      }
      candidates.append(
        Policies.Candidate(
          text: item.text, file: try OperatorCall.fileName(item.file), tenant: tenant, expecting: item.expecting))
    }
    let outcomes = try await Policies.apply(
      candidates, consent: consent, author: try call.author(reason), isDryRun: isDryRun, call.services)
    // The texts are applied by now: an answer without notes is better than an error.
    let running = (try? await UnreadablePolicies.running(call.services)) ?? []
    return zip(candidates, outcomes).map { candidate, outcome in
      let name = candidate.tenant.name.description
      return switch outcome {
      case .unchanged(let revision): PolicyOutcome(tenant: name, outcome: "unchanged", revision: revision)
      case .applied(let revision):
        PolicyOutcome(
          tenant: name, outcome: isDryRun ? "checked" : "applied", revision: revision - (isDryRun ? 1 : 0),
          notes: unreadable(candidate, running, call))
      }
    }
  }

  /// The servers that cannot read a text; nil where all can.
  private static func unreadable(
    _ candidate: Policies.Candidate, _ running: [SeenServers], _ call: OperatorCall
  ) -> [String]? {
    guard case .success(let file) = PolicyFile.read(candidate.text, name: candidate.file) else { return nil }
    let notes = UnreadablePolicies.notes(file, running: running, now: call.services.clock.now)
    return notes.isEmpty ? nil : notes
  }

  private static func consent(_ weaker: Bool?, _ lockout: Bool?, _ failingTests: Bool? = nil) -> Policies.Consent {
    Policies.Consent(weaker: weaker ?? false, lockout: lockout ?? false, failingTests: failingTests ?? false)
  }

  /// A file whose tests fail is applied by operators who may, and say why.
  private static func demandEmergency(_ reason: String?, _ call: OperatorCall) throws {
    // GUARD: apply: failing tests need their scope
    try call.who.require(.policyEmergency)
    guard let reason, reason.contains(where: { !$0.isWhitespace }) else {
      throw OperatorError(
        .refused, "a policy whose tests fail is applied for a reason that the history shows", hint: "--reason WHY")
    }
  }
}

extension TestResult.Outcome {
  /// As tables and answers name it.
  package var word: String {
    switch self {
    case .passed: "passed"
    case .failed: "failed"
    case .dependsOnDate: "depends on the date"
    }
  }
}

extension PolicyFinding {
  /// A finding as it travels.
  package init(_ finding: Diagnostic) {
    self.init(
      line: finding.range.start.line, column: finding.range.start.column, endLine: finding.range.end.line,
      endColumn: finding.range.end.column, severity: finding.severity.rawValue, code: finding.code.rawValue,
      message: finding.message, notes: finding.notes.map { PolicyFindingNote(text: $0.text, line: $0.line) })
  }
}
