import GatehousePolicy
package import GatehousePolicyFile
import GatehousePrimitives
import GatehouseAdminWire
import GatehouseWire

/// A text that is to become a tenant's policy, or is asked about: it is parsed once, here, and its tests run once.
package struct PolicyCandidate: Sendable {
  package let text: String
  /// SHA-256 of the text.
  package let digest: [UInt8]
  /// The policy, its tests' results, and everything that is wrong with the text.
  package let check: PolicyCheck
  /// The floor that the text was held to.
  package let floor: FloorInForce.State
  /// The revision that its author looked at; nil where any may be live.
  package let expecting: Int?
  /// The revision that the text was taken from, where its last line names one.
  let mark: RevisionMark?
  /// The older revision whose text this is, where its author asked for that revision.
  let restoring: Int?

  /// Reads a text.
  /// - Parameters:
  ///   - file: how messages call it.
  ///   - isTaken: whether the revision that its last line names counts. A watched file is its own source.
  package init(
    _ text: String, file: String, expecting: Int? = nil, restoring: Int? = nil, isTaken: Bool = true,
    _ services: Services
  ) {
    let (text, mark) = RevisionMark.split(text)
    self.init(
      text, mark: isTaken ? mark : nil, file: file, expecting: expecting, restoring: restoring, beside: nil, services)
  }

  private init(
    _ text: String, mark: RevisionMark?, file: String, expecting: Int?, restoring: Int?, beside live: PolicyFile?,
    _ services: Services
  ) {
    self.text = text
    self.mark = mark
    self.restoring = restoring
    self.expecting = expecting
    digest = SHA256.digest(text)
    floor = services.floor.now
    check = PolicyCheck.check(
      Array(text.utf8), name: file, using: services.facts, floor: floor.floor, live: live,
      senders: services.senders, now: services.clock.now)
  }

  /// The same, of a tenant whose live revision is this: the text is held to the floor only where it is further below.
  /// A revision that cannot be read is no excuse.
  func beside(_ live: Result<PolicyFile, PolicyFileRefusal>?, _ services: Services) -> PolicyCandidate {
    guard case .success(let live)? = live, check.diagnostics.contains(where: { $0.code == .belowFloor }) else {
      return self
    }
    return PolicyCandidate(
      text, mark: mark, file: file, expecting: expecting, restoring: restoring, beside: live, services)
  }

  /// The same, held to the floor of now.
  func again(_ services: Services) -> PolicyCandidate {
    PolicyCandidate(text, mark: mark, file: file, expecting: expecting, restoring: restoring, beside: nil, services)
  }

  /// The same, of this tenant: for a text that is asked about.
  func besideLive(of tenant: TenantRecord, _ services: Services) async throws -> PolicyCandidate {
    let live = try await services.store.open(tenant.id).newestRevision()
    return beside(live.map { services.files.file(of: $0, of: tenant.name) }, services)
  }

  /// How messages call it.
  var file: String { check.document.name }

  /// The file, as one that may be applied. Throws `OperatorError` with the whole report, lines and carets included.
  /// - Parameter allowsFailingTests: whether only what else speaks against the file counts.
  @discardableResult
  package func judged(
    of tenant: TenantName, allowsFailingTests: Bool = false, _ services: Services
  ) throws -> PolicyFile {
    // GUARD: floor: one that cannot be read bounds nothing, and nothing is applied
    if floor.unreadable != nil {
      throw OperatorError(
        .unavailable, "\(file) is not applied: revision \(floor.number) of the floor cannot be read by this version",
        hint: "upgrade it, or gatehouse floor apply FILE")
    }
    let isGood = allowsFailingTests ? check.refusals.isEmpty : check.isGood()
    guard let read = check.file,
      isGood  // GUARD: apply: a file that is wrong
    else {
      let isTestsAlone = check.file != nil && check.refusals.isEmpty
      throw OperatorError(
        .refused, "\(file) is not applied:\n\(check.text())",
        hint: isTestsAlone
          ? "gatehouse policy \(check.failedTests.findings.isEmpty ? "prove" : "test") \(file); in an emergency --allow-failing-tests --reason WHY applies it all the same"
          : nil,
        findings: check.diagnostics.map(PolicyFinding.init), objection: isTestsAlone ? .failingTests : .wrong)
    }
    try demand(read, isOf: tenant)
    // GUARD: apply: attestation needs a root
    if let unserved = UnservedPolicy.problems(read.policy, services).first {
      throw OperatorError(.refused, "\(file) is not applied: \(unserved.problem)", hint: unserved.advice)
    }
    return read
  }

  /// The file, as one that is asked about and not applied: every one of which a policy can be made. The notes of
  /// `check` say what would keep it from being applied.
  func asked() throws -> PolicyFile {
    switch check.asked() {
    case .success(let file): return file
    case .failure(let refusal):
      throw OperatorError(
        .refused, "\(file) is not a policy:\n\(refusal.text())", findings: refusal.diagnostics.map(PolicyFinding.init))
    }
  }

  /// Refuses the policy of another tenant.
  func demand(_ read: PolicyFile, isOf tenant: TenantName) throws {
    // GUARD: apply: a file of this tenant
    guard read.policy.tenant.utf8.elementsEqual(tenant.description.utf8) else {
      throw OperatorError(
        .refused, "\(file) is the policy of tenant \"\(read.policy.tenant)\", not of \"\(tenant)\"",
        objection: .otherTenant)
    }
  }
}
