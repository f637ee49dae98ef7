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
    package var policy: Policy { file.policy }
    let file: PolicyFile
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
    return Judged(file: read, failingTests: check.failingTests)
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
    try await decide(candidates, consent: consent, author: author, isDryRun: isDryRun, services).map(\.outcome)
  }

  /// What became of one text.
  struct Decision {
    let outcome: Outcome
    /// What it changes of whom the tenant trusts, in sentences.
    let trust: [String]
    fileprivate let change: PolicyApplication?
    /// The policy, where it is new.
    fileprivate var policy: Policy?
  }

  /// As `apply`, with what an operator should see of each change.
  static func decide(
    _ candidates: [Candidate], consent: Consent, author: Author, isDryRun: Bool, _ services: Services
  ) async throws -> [Decision] {
    var decisions: [Decision] = []
    var problems: [OperatorError] = []
    for candidate in candidates {
      do {
        decisions.append(try await check(candidate, consent, author, services))
      } catch let error as OperatorError {
        problems.append(error)
      }
    }
    // GUARD: apply: all or none
    if let first = problems.first {
      guard problems.count > 1 else { throw first }
      throw OperatorError(
        first.kind, problems.map(\.description).joined(separator: "\n"), hint: problems.compactMap(\.hint).first,
        scope: first.scope,
        revision: problems.lazy.compactMap(\.revision).first, findings: problems.flatMap(\.findings))
    }
    let changes = decisions.compactMap(\.change)
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
      guard let policy = decision.policy, let change = decision.change,
        let tenant = services.registry.all.first(where: { $0.id == change.tenant })
      else { continue }
      try await ProviderSecrets.bindWaiting(policy, tenant, services)
    }
  }

  /// The change that a text comes to, once nothing speaks against it; none where the live text is the same. It is
  /// judged against the revision that `append` demands to be the newest at the commit.
  private static func check(
    _ candidate: Candidate, _ consent: Consent, _ author: Author, _ services: Services
  ) async throws -> Decision {
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
      return Decision(outcome: .unchanged(revision: live.number), trust: [], change: nil)
    }
    let trust = PolicyTrust(judged.file, against: live.file(of: tenant.name))
    try trust.demand(of: author, file: file, tenant: tenant.name)
    // GUARD: apply: weaker needs its word
    if !consent.weaker { try refuseWeaker(judged.file, file: file, than: live, of: tenant.name) }
    // GUARD: apply: lock-out needs its word
    if !consent.lockout {
      try await LockoutGuard.check(
        policy, file: file, against: live, of: tenant, namesUsers: author.namesUsers, services)
    }
    let next = PolicyRevision(
      number: live.number + 1, text: text, digest: digest, author: author.name, reason: author.reason,
      createdAt: services.clock.now, failingTests: judged.failingTests, trust: trust.subjects)
    let older = digest == live.digest ? nil : try await services.store.open(tenant.id).revision(digest: digest)
    let change = PolicyApplication(
      tenant: tenant.id, revision: next, measuredRules: Compliance.measuredRules(policy, at: services.clock.now),
      remembersPasswords: policy.remembersPasswords,
      audit: author.entry(
        older == nil ? .policyApplied : .policyRolledBack, services, revision: next.number,
        details: details(older, judged, trust)))
    return Decision(
      outcome: .applied(revision: next.number), trust: trust.sentences, change: change, policy: policy)
  }

  private static func details(_ older: Int?, _ judged: Judged, _ trust: PolicyTrust) -> [String: String] {
    var details = trust.details
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

  private static func refuseWeaker(_ new: PolicyFile, file: String, than live: PolicyRevision, of tenant: TenantName)
    throws
  {
    let old: PolicyFile
    switch live.file(of: tenant) {
    case .success(let read): old = read
    case .failure(let refusal): throw OperatorError(.refused, refusal.text())
    }
    let weaker = PolicyFile.diff(old, new).filter {
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
