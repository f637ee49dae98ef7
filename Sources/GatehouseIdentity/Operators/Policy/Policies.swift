// The life of a policy change: checked, tested, compared with what is live, applied under an optimistic lock.

package import GatehousePolicy
import GatehousePolicyFile
import GatehousePrimitives
import GatehouseWire

/// What speaks against a policy text that is not applied, as far as it decides what its author does next.
package enum PolicyObjection: Sendable, Equatable {
  /// The file cannot be read as a policy, or the floor forbids it.
  case wrong
  /// Nothing but tests in the file.
  case failingTests
  /// It is the policy of another tenant.
  case otherTenant
  /// It lets in what the live policy refuses.
  case weaker
  /// It takes full access from administrators, or from too many active users.
  case lockout
}

package enum Policies {
  /// What applying a text came to.
  package enum Outcome: Sendable, Equatable {
    /// The live text is the same, byte for byte: there is nothing to do.
    case unchanged(revision: Int)
    case applied(revision: Int)
  }

  /// What an author of a change knowingly accepts.
  package struct Consent: Sendable {
    /// Letting in what the live policy refuses.
    package var weaker: Bool
    /// Taking full access from administrators, or from more of the active users than the operator's share.
    package var lockout: Bool
    /// Applying a file whose own tests fail. Never a watched file's.
    package var failingTests: Bool

    package init(weaker: Bool = false, lockout: Bool = false, failingTests: Bool = false) {
      self.weaker = weaker
      self.lockout = lockout
      self.failingTests = failingTests
    }
  }

  /// A text that is to become a tenant's policy.
  package struct Candidate: Sendable {
    package let text: String
    package let file: String
    package let tenant: TenantRecord
    package let expecting: Int?

    package init(text: String, file: String, tenant: TenantRecord, expecting: Int? = nil) {
      self.text = text
      self.file = file
      self.tenant = tenant
      self.expecting = expecting
    }
  }

  /// A file that may be applied.
  package struct Judged: Sendable {
    package let policy: Policy
    /// Tests in it that fail; 0 unless their author accepts that.
    package let failingTests: Int
  }

  /// Reads a file and runs its tests. Throws `OperatorError` with the whole report, lines and carets included.
  /// - Parameter allowsFailingTests: whether only what else speaks against the file counts.
  @discardableResult
  package static func judge(
    _ text: String, file: String, of tenant: TenantName, allowsFailingTests: Bool = false, _ services: Services
  ) throws -> Judged {
    let check = check(text, file: file, services)
    let isGood = allowsFailingTests ? check.refusals.isEmpty : check.isGood()
    guard let read = check.file,
      isGood  // GUARD: apply: a file that is wrong
    else {
      let isTestsAlone = check.file != nil && check.refusals.isEmpty
      throw OperatorError(
        .refused, "\(file) is not applied:\n\(check.text())",
        hint: isTestsAlone
          ? "gatehouse policy test \(file); in an emergency --allow-failing-tests --reason WHY applies it all the same"
          : nil,
        findings: check.diagnostics.map(PolicyFinding.init), objection: isTestsAlone ? .failingTests : .wrong)
    }
    try demand(read.policy, isOf: tenant, file: file)
    // GUARD: apply: attestation needs a root
    if let unserved = UnservedPolicy.problems(read.policy, services).first {
      throw OperatorError(.refused, "\(file) is not applied: \(unserved.problem)", hint: unserved.advice)
    }
    return Judged(policy: read.policy, failingTests: check.failingTests)
  }

  /// A file that is asked about, and not applied: every one of which a policy can be made. The notes say what would
  /// keep it from being applied.
  static func ask(_ text: String, file: String, _ services: Services) throws -> PolicyInquiry {
    let answer = PolicyInquiry.ask(
      Array(text.utf8), name: file, using: services.facts, floor: services.floor,
      senders: services.senders, now: services.clock.now)
    switch answer {
    case .success(let inquiry): return inquiry
    case .failure(let refusal):
      throw OperatorError(
        .refused, "\(file) is not a policy:\n\(refusal.text())", findings: refusal.diagnostics.map(PolicyFinding.init))
    }
  }

  private static func check(_ text: String, file: String, _ services: Services) -> PolicyCheck {
    PolicyCheck.check(
      Array(text.utf8), name: file, using: services.facts, floor: services.floor,
      senders: services.senders, now: services.clock.now)
  }

  static func demand(_ policy: Policy, isOf tenant: TenantName, file: String) throws {
    // GUARD: apply: a file of this tenant
    guard policy.tenant.utf8.elementsEqual(tenant.description.utf8) else {
      throw OperatorError(
        .refused, "\(file) is the policy of tenant \"\(policy.tenant)\", not of \"\(tenant)\"", objection: .otherTenant)
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
    let candidate = Candidate(text: text, file: file, tenant: tenant, expecting: expecting)
    return try await apply([candidate], consent: consent, author: author, services)[0]
  }

  /// Applies several tenants' texts: all of them in one transaction, or none. What is wrong with any of them is
  /// reported together. A dry run comes to the same outcomes and changes nothing.
  package static func apply(
    _ candidates: [Candidate], consent: Consent, author: Author, isDryRun: Bool = false, _ services: Services
  ) async throws -> [Outcome] {
    var outcomes: [Outcome] = []
    var changes: [PolicyApplication] = []
    var policies: [Policy] = []
    var problems: [OperatorError] = []
    for candidate in candidates {
      do {
        guard let (policy, change) = try await check(candidate, consent, author, services, &outcomes) else { continue }
        policies.append(policy)
        changes.append(change)
      } catch let error as OperatorError {
        problems.append(error)
      }
    }
    // GUARD: apply: all or none
    if let first = problems.first {
      guard problems.count > 1 else { throw first }
      throw OperatorError(
        first.kind, problems.map(\.description).joined(separator: "\n"), hint: problems.compactMap(\.hint).first,
        revision: problems.lazy.compactMap(\.revision).first, findings: problems.flatMap(\.findings))
    }
    do {
      if !changes.isEmpty, !isDryRun { try await services.directory.append(changes) }
    } catch StoreError.refused(.revisionIsCurrent) {
      let live = try await services.store.open(changes[0].tenant).newestRevision()
      throw OperatorError(
        .stale, "another revision was applied at the same moment; nothing is applied",
        hint: "look at it and apply again", revision: live?.number)
    }
    if author.bindsSecrets, !isDryRun {
      for (policy, change) in zip(policies, changes) {
        guard let tenant = services.registry.all.first(where: { $0.id == change.tenant }) else { continue }
        try await ProviderSecrets.bindWaiting(policy, tenant, services)
      }
    }
    return outcomes
  }

  /// The change that a text comes to, once nothing speaks against it; nil where the live text is the same.
  private static func check(
    _ candidate: Candidate, _ consent: Consent, _ author: Author, _ services: Services, _ outcomes: inout [Outcome]
  ) async throws -> (policy: Policy, change: PolicyApplication)? {
    let (tenant, file, text) = (candidate.tenant, candidate.file, candidate.text)
    let judged = try judge(
      text, file: file, of: tenant.name,
      allowsFailingTests: consent.failingTests,  // GUARD: apply: failing tests need their word
      services)
    let policy = judged.policy
    guard let live = try await services.store.open(tenant.id).newestRevision() else {
      throw OperatorError(.notFound, "the tenant \"\(tenant.name)\" has no policy")
    }
    // GUARD: apply: the revision that was looked at
    if let expecting = candidate.expecting, expecting != live.number {
      throw OperatorError(
        .stale, "revision \(live.number) is live, not \(expecting): \(live.author) applied it meanwhile",
        hint: "gatehouse policy diff \(tenant.name) \(file)", revision: live.number)
    }
    let digest = SHA256.digest(text)
    if digest == live.digest, means(policy, live, of: tenant.name) {
      outcomes.append(.unchanged(revision: live.number))
      return nil
    }
    // GUARD: apply: weaker needs its word
    if !consent.weaker { try refuseWeaker(text, file: file, than: live, of: tenant.name) }
    // GUARD: apply: lock-out needs its word
    if !consent.lockout {
      try await LockoutGuard.check(
        policy, file: file, against: live, of: tenant, namesUsers: author.namesUsers, services)
    }
    let next = PolicyRevision(
      number: live.number + 1, text: text, digest: digest, author: author.name, reason: author.reason,
      createdAt: services.clock.now, failingTests: judged.failingTests)
    outcomes.append(.applied(revision: next.number))
    let older = digest == live.digest ? nil : try await services.store.open(tenant.id).revision(digest: digest)
    let change = PolicyApplication(
      tenant: tenant.id, revision: next, measuredRules: Compliance.measuredRules(policy, at: services.clock.now),
      remembersPasswords: policy.remembersPasswords,
      audit: author.entry(
        older == nil ? .policyApplied : .policyRolledBack, services, revision: next.number,
        details: details(older, judged)))
    return (policy, change)
  }

  private static func details(_ older: Int?, _ judged: Judged) -> [String: String] {
    var details: [String: String] = [:]
    if let older { details["to"] = String(older) }
    if judged.failingTests > 0 { details["failing_tests"] = String(judged.failingTests) }
    return details
  }

  /// Whether the live revision means what its text means now. A text that was applied under an earlier language may
  /// not, and is applied anew.
  private static func means(_ policy: Policy, _ live: PolicyRevision, of tenant: TenantName) -> Bool {
    // GUARD: stored: the same text is applied anew where it means something else
    live.language >= .current || (try? TenantLoader.compile(live, of: tenant)) == policy
  }

  /// What differs between the live policy and a text, in the text's order.
  private static func diff(_ text: String, file: String, against live: PolicyRevision, of tenant: TenantName) throws
    -> [PolicyChange]
  {
    switch (live.file(of: tenant), PolicyFile.read(text, name: file)) {
    case (.success(let old), .success(let new)): return PolicyFile.diff(old, new)
    case (_, .failure(let refusal)): throw OperatorError(.refused, refusal.text())
    case (.failure(let refusal), _): throw OperatorError(.refused, refusal.text())
    }
  }

  private static func refuseWeaker(_ text: String, file: String, than live: PolicyRevision, of tenant: TenantName)
    throws
  {
    let weaker = try diff(text, file: file, against: live, of: tenant).filter {
      $0.relation == .weaker
        || $0.relation == .incomparable  // GUARD: apply: incomparable needs it too
    }
    guard !weaker.isEmpty else { return }
    let lines = weaker.map { "  \($0.relation.rawValue): \($0.sentence)" }
    throw OperatorError(
      .notAllowed,
      "\(file) is not applied, it would let in what the live policy refuses:\n" + lines.joined(separator: "\n"),
      hint: "gatehouse policy apply \(tenant) \(file) --allow-weaker", objection: .weaker)
  }
}
