import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePolicyFile

/// The doctor's findings about live policies: stages that are due or stale, exceptions that end, policies below the
/// floor, claims that tell a person what only administrators see, password doors that only an earlier meaning of the
/// language keeps open, and servers of an earlier version that cannot read them.
enum PolicyFindings {
  /// Those of one tenant, which is loaded.
  /// - Parameter running: the versions of other servers.
  static func of(_ bundle: TenantBundle, running: [SeenServers], _ services: Services) async throws -> [Finding] {
    let (tenant, live) = (bundle.tenant, bundle.policy)
    guard case .success(let file) = services.files.file(of: live, of: tenant.name) else { return [] }
    let policy = file.policy
    var findings = stages(policy, of: tenant, since: live.createdAt, now: services.clock.now)
    findings += floor(services.floor.now.floor, file, of: tenant) + claims(policy, of: tenant)
    findings += names(policy, of: tenant) + emergency(live, of: tenant)
    findings += UnreadablePolicies.notes(file, running: running, now: services.clock.now).map { note in
      .warning("tenant \(tenant.name)", note, "upgrade it, or apply a policy without these keys")
    }
    if let served = services.registry.snapshot(tenant.name.description) {
      findings += try await ProviderSecrets.closed(policy, served, services).map {
        $0.isMissing
          ? .warning("tenant \(tenant.name)", $0.sentence, $0.advice(tenant.name))
          : .failure("tenant \(tenant.name)", $0.sentence, $0.advice(tenant.name))
      }
    }
    findings += UnservedPolicy.problems(policy, services).map {
      .failure("tenant \(tenant.name)", "revision \(live.number): \($0.problem)", $0.advice)
    }
    if let problem = services.senders.problem(policy) {
      findings.append(
        .warning("tenant \(tenant.name)", "revision \(live.number): \(problem)", services.senders.advice(policy)))
    }
    let door = try await KeptPasswordDoor.look(policy, revision: live.number, of: (tenant.id, tenant.name), services)
    if let door { findings.append(.warning("tenant \(tenant.name)", door.sentence, door.advice)) }
    return findings
  }

  private static func stages(_ policy: Policy, of tenant: TenantRecord, since: Date, now: Date) -> [Finding] {
    policy.stages(at: now, since: since).map { stage in
      switch stage {
      case .due(let rule, let day):
        Finding.warning(
          "tenant \(tenant.name)", "\(rule) enforces by itself from \(day)",
          "gatehouse policy impact \(tenant.name) FILE")
      case .stale(let rule):
        Finding.warning(
          "tenant \(tenant.name)", "\(rule) only warns, for more than \(Stage.patience) days, and no date is set",
          "gatehouse policy promote FILE \(rule)")
      case .ending(let rule, let day):
        Finding.warning(
          "tenant \(tenant.name)", "an exception from \(rule) ends with \(day)",
          "look at exceptions: in its policy file")
      }
    }
  }

  /// A revision that was applied though its tests failed.
  private static func emergency(_ live: PolicyRevision, of tenant: TenantRecord) -> [Finding] {
    guard live.failingTests > 0 else { return [] }
    return [
      .warning(
        "tenant \(tenant.name)",
        "revision \(live.number) was applied though \(live.failingTests) of its tests fail: \(live.reason)",
        "apply a file whose tests pass, or gatehouse policy rollback \(tenant.name) \(live.number - 1)")
    ]
  }

  /// Fields that a revision of an earlier version puts into tokens, though only administrators see them.
  private static func claims(_ policy: Policy, of tenant: TenantRecord) -> [Finding] {
    policy.profile.fields.filter { $0.claim && !$0.isVisible(to: .`self`) }.map { field in
      Finding.warning(
        "tenant \(tenant.name)",
        "profile field \"\(field.name)\" is visible to administrators alone, and a claim of every token",
        "gatehouse policy explain \(DiagnosticCode.hiddenClaim.rawValue)")
    }
  }

  /// Fields that a revision of an earlier version calls as a member of users' records: no new file may.
  private static func names(_ policy: Policy, of tenant: TenantRecord) -> [Finding] {
    policy.profile.fields.filter { Field.isReserved($0.name) }.map { field in
      Finding.warning(
        "tenant \(tenant.name)", "profile field \"\(field.name)\" is called as a member of users' records",
        "gatehouse policy explain \(DiagnosticCode.reservedFieldName.rawValue)")
    }
  }

  private static func floor(_ floor: Floor?, _ file: PolicyFile, of tenant: TenantRecord) -> [Finding] {
    let sink = Diagnostics()
    floor?.judge(file, into: sink)
    return sink.found.map { finding in
      Finding.warning(
        "tenant \(tenant.name)", "below the floor: \(finding.message)",
        finding.notes.map(\.text).joined(separator: "; "))
    }
  }
}
