// The life of a policy change: checked, tested, compared with what is live, applied under an optimistic lock.

import Foundation
import GatehousePolicy
import GatehousePolicyFile
import GatehouseAdminWire
import GatehouseWire

package enum Policies {
  /// The result of applying a text.
  package enum Outcome: Sendable, Equatable {
    /// The live text is the same, byte for byte: there is nothing to do.
    case unchanged(revision: Int)
    case applied(revision: Int)
  }

  /// The consequences of a change that its author accepts.
  package struct Consent: Sendable {
    /// Letting in what the live policy refuses.
    package var weaker: Bool
    /// The changes that may let it in, each by its subject; beside `weaker` they say nothing.
    package var findings: Set<String>
    /// Taking full access from administrators, or from more of the active users than the operator's share.
    package var lockout: Bool
    /// Applying a file whose own tests fail. Never a watched file's.
    package var failingTests: Bool

    package init(
      weaker: Bool = false, findings: Set<String> = [], lockout: Bool = false, failingTests: Bool = false
    ) {
      self.weaker = weaker
      self.findings = findings
      self.lockout = lockout
      self.failingTests = failingTests
    }

    /// The consent of a request; nothing is accepted that it does not name.
    init(_ asked: some PolicyConsent) {
      self.init(
        weaker: asked.allowWeaker ?? false, findings: Set(asked.allow ?? []), lockout: asked.allowLockout ?? false,
        failingTests: asked.allowFailingTests ?? false)
    }
  }

  /// Applies a text as the next revision. Every server follows within a second.
  /// - Parameters:
  ///   - expecting: the revision the author looked at; another one live is `stale`.
  ///   - consent: what the author knowingly accepts; `notAllowed` otherwise.
  package static func apply(
    _ text: String, file: String, to tenant: TenantRecord, expecting: Int? = nil, consent: Consent = Consent(),
    author: Author, _ services: Services
  ) async throws -> Outcome {
    let candidate = PolicyCandidate(text, file: file, expecting: expecting, services)
    return try await apply([(tenant, candidate)], consent: consent, author: author, services)[0]
  }

  /// Applies several tenants' texts: all of them in one transaction, or none. The faults of all of them are reported
  /// together. A dry run comes to the same outcomes and changes nothing.
  package static func apply(
    _ candidates: [(tenant: TenantRecord, candidate: PolicyCandidate)], consent: Consent, author: Author,
    isDryRun: Bool = false, _ services: Services
  ) async throws -> [Outcome] {
    try await decide(candidates, consent: consent, author: author, isDryRun: isDryRun, services).map(\.outcome)
  }

  /// The decision about one text.
  struct Decision {
    let outcome: Outcome
    /// The changes to the trust of the tenant, in sentences.
    let trust: [String]
    /// Earlier changes that it takes back, in sentences.
    var takesBack: [String] = []
    fileprivate let change: PolicyApplication?
    /// The file, where it is new.
    fileprivate var file: PolicyFile?
  }

  /// As `apply`, with what an operator should see of each change.
  static func decide(
    _ candidates: [(tenant: TenantRecord, candidate: PolicyCandidate)], consent: Consent, author: Author,
    isDryRun: Bool, _ services: Services
  ) async throws -> [Decision] {
    try await HeldToFloor.run(services) { isAgain in
      let held = candidates.map { ($0.tenant, isAgain ? $0.candidate.again(services) : $0.candidate) }
      return try await decideOnce(held, consent: consent, author: author, isDryRun: isDryRun, services)
    }
  }

  private static func decideOnce(
    _ candidates: [(tenant: TenantRecord, candidate: PolicyCandidate)], consent: Consent, author: Author,
    isDryRun: Bool, _ services: Services
  ) async throws -> [Decision] {
    var decisions: [Decision] = []
    var problems: [(tenant: TenantName, error: OperatorError)] = []
    for item in candidates {
      do {
        decisions.append(try await check(item.candidate, of: item.tenant, consent, author, services))
      } catch let error as OperatorError {
        problems.append((item.tenant.name, error))
      }
    }
    // GUARD: apply: all or none
    if let problem = OperatorError.joined(problems, ofMany: candidates.count > 1) { throw problem }
    let changes = decisions.compactMap(\.change)
    if !isDryRun {
      for decision in decisions {
        if let change = decision.change, let file = decision.file { services.files.keep(file, of: change.revision) }
      }
    }
    do {
      if !changes.isEmpty, !isDryRun { try await services.directory.append(changes) }
    } catch StoreError.refused(.revisionIsCurrent) {
      let live = try await services.store.open(changes[0].tenant).newestRevision()
      throw OperatorError(
        .stale, "another revision was applied at the same moment; nothing is applied",
        hint: "look at it and apply again", revision: live?.number)
    }
    if author.bindsSecrets, !isDryRun { try await bindWaiting(decisions, services) }
    return decisions
  }

  /// Secrets that waited for a policy to name them are bound to where it leads.
  private static func bindWaiting(_ decisions: [Decision], _ services: Services) async throws {
    for decision in decisions {
      guard let file = decision.file, let change = decision.change,
        let tenant = services.registry.snapshot(of: change.tenant)
      else { continue }
      try await ProviderSecrets.bindWaiting(file.policy, tenant, services)
    }
  }

  /// The change that a text comes to, once nothing speaks against it; none where the live text is the same. It is
  /// judged against the revision that `append` demands to be the newest at the commit.
  private static func check(
    _ candidate: PolicyCandidate, of tenant: TenantRecord, _ consent: Consent, _ author: Author, _ services: Services
  ) async throws -> Decision {
    let name = candidate.file
    let live = try await services.store.open(tenant.id).newestRevision()
    let old = live.map { services.files.file(of: $0, of: tenant.name) }
    let candidate = candidate.beside(old, services)
    let file = try candidate.judged(
      of: tenant.name,
      allowsFailingTests: consent.failingTests,  // GUARD: apply: failing tests need their word
      services)
    guard let live, let old else { throw OperatorError(.notFound, "the tenant \"\(tenant.name)\" has no policy") }
    // GUARD: apply: the revision that was looked at
    if let expecting = candidate.expecting, expecting != live.number {
      throw OperatorError(
        .stale, "revision \(live.number) is live, not \(expecting): \(live.author) applied it meanwhile",
        hint: "gatehouse policy diff \(tenant.name) \(name)", revision: live.number)
    }
    // GUARD: apply: the revision that a file was taken from
    if let mark = candidate.mark, candidate.expecting == nil,
      mark.tenant.utf8.elementsEqual(tenant.name.description.utf8),
      mark.revision != live.number
    {
      throw OperatorError(
        .stale,
        "\(name) was taken from revision \(mark.revision), and \(live.number) is live: \(live.author) applied it meanwhile",
        hint:
          "gatehouse policy diff \(tenant.name) \(name); its last line names the revision: write \(live.number) there, or take it away",
        revision: live.number)
    }
    if candidate.digest == live.digest, means(file.policy, live, of: tenant.name, services) {
      return Decision(outcome: .unchanged(revision: live.number), trust: [], change: nil)
    }
    let trust = PolicyTrust(file, against: old)
    try trust.demand(of: author, file: name, tenant: tenant.name)
    let was = try readable(old)
    try await RenameGuard.demand(file, against: was.policy, of: tenant, services)
    // GUARD: apply: statements that compare with a revision
    if !consent.failingTests { try await demandBaselines(file, old, live.number, of: tenant, services) }
    var objections: [OperatorError] = []
    // GUARD: apply: weaker needs its word
    if !consent.weaker {
      objections +=
        OperatorError.weaker(
          file, than: was, but: consent.findings, of: tenant.name, now: services.clock.now
        ).map { [$0] } ?? []
    }
    // GUARD: apply: lock-out needs its word
    if !consent.lockout {
      objections +=
        try await LockoutGuard.objection(file, against: old, of: tenant, namesUsers: author.namesUsers, services)
        .map { [$0] } ?? []
    }
    if let objection = OperatorError.joined(objections, to: name, of: tenant.name) { throw objection }
    let failingTests = candidate.check.failingTests
    let next = PolicyRevision(
      number: live.number + 1, text: candidate.text, digest: candidate.digest, author: author.name,
      reason: author.reason, createdAt: services.clock.now, failingTests: failingTests, trust: trust.subjects)
    let older =
      candidate.restoring != nil || candidate.digest == live.digest
      ? nil : try await services.store.open(tenant.id).revision(digest: candidate.digest)
    let change = PolicyApplication(
      tenant: tenant.id, revision: next, floor: candidate.floor.number,
      measuredRules: Compliance.measuredRules(file.policy, at: services.clock.now),
      remembersPasswords: file.policy.remembersPasswords,
      audit: author.entry(
        candidate.restoring == nil ? .policyApplied : .policyRolledBack, services, revision: next.number,
        details: details(candidate, textOf: older, failingTests, trust)),
      profile: file.policy.profile)
    return Decision(
      outcome: .applied(revision: next.number), trust: trust.sentences,
      // A rollback says itself what it takes back.
      takesBack: candidate.restoring == nil ? try await TakenBack.sentences(file, live: was, of: tenant, services) : [],
      change: change, file: file)
  }

  private static func details(
    _ candidate: PolicyCandidate, textOf older: Int?, _ failingTests: Int, _ trust: PolicyTrust
  ) -> [String: String] {
    var details = trust.details
    details["to"] = candidate.restoring.map(String.init)
    // Applied from a file, and live before.
    details["text_of"] = older.map(String.init)
    if failingTests > 0 { details["failing_tests"] = String(failingTests) }
    return details
  }

  /// Whether the live revision means what its text means now. A text that was applied under an earlier language may
  /// not, and is applied anew.
  private static func means(_ policy: Policy, _ live: PolicyRevision, of tenant: TenantName, _ services: Services)
    -> Bool
  {
    // GUARD: stored: the same text is applied anew where it means something else
    live.language >= .current || (try? services.files.file(of: live, of: tenant).get().policy) == policy
  }

  /// Refuses a file that is weaker than a revision which one of its statements names.
  private static func demandBaselines(
    _ new: PolicyFile, _ live: Result<PolicyFile, PolicyFileRefusal>, _ number: Int, of tenant: TenantRecord,
    _ services: Services
  ) async throws {
    var baselines: [Statement.Baseline: PolicyFile] = [:]
    for case .notWeakerThan(let baseline) in new.statements.map(\.claim) {
      switch baseline {
      case .live, .revision(number): baselines[baseline] = try? live.get()
      case .revision(let other):
        guard let revision = try await services.store.open(tenant.id).revision(other) else { continue }
        baselines[baseline] = try? services.files.file(of: revision, of: tenant.name).get()
      }
    }
    let answers = Prover.comparisons(new, with: baselines, now: services.clock.now)
    let refuted = answers.filter { $0.verdict.word == "refuted" }
    guard !refuted.isEmpty else { return }
    throw OperatorError(
      .refused,
      "\(new.name) is not applied:\n"
        + refuted.map { "  statement \"\($0.name)\" is \($0.sentence)" }.joined(separator: "\n"),
      hint: "in an emergency --allow-failing-tests --reason WHY applies it all the same", objection: .failingTests)
  }

  /// The live revision, as one that a text can be compared with.
  private static func readable(_ live: Result<PolicyFile, PolicyFileRefusal>) throws -> PolicyFile {
    switch live {
    case .success(let read): return read
    case .failure(let refusal): throw OperatorError(.refused, refusal.text())
    }
  }
}
