package import Foundation
package import GatehousePolicy
import GatehousePolicyFile

/// Refuses a policy under which administrators, or too many of the users seen within the last 30 days, would fall from
/// full access to limited, now or once every dated stage of it is on; and one under which a passkey that is the only
/// way in of any user proves no more.
enum LockoutGuard {
  /// The objection; nil where so many keep their access.
  static func objection(
    _ file: PolicyFile, against live: Result<PolicyFile, PolicyFileRefusal>, of tenant: TenantRecord,
    namesUsers: Bool, _ services: Services
  ) async throws -> OperatorError? {
    let candidate = file.policy
    // Judging all users takes a while. A change that cannot take access from any user skips it.
    guard case .success(let read) = live, read.policy.standing != candidate.standing else { return nil }
    // GUARD: lock-out: stages that are still to come
    let horizon = candidate.horizon(from: services.clock.now)
    let impact = try await Impact.measure(candidate, against: read.policy, at: horizon, of: tenant, services)
    let loss = impact.loss
    let lost = impact.passkeys?.lost ?? 0
    guard
      loss.admins > 0  // GUARD: lock-out: administrators
        || lost > 0  // GUARD: lock-out: the passkey of one user
        || loss.active * 100 > services.lockoutShare * impact.active  // GUARD: lock-out: share of the active
    else { return nil }
    let shutOut = loss.shutOut > 0 ? ", \(loss.shutOut) without another way to sign in" : ""
    let passkeys = try await passkeyLoss(lost, read.policy, candidate, of: tenant, services)
    let samples = namesUsers ? ", such as " + loss.samples.joined(separator: ", ") : ""
    return OperatorError(
      .notAllowed,
      """
      \(file.name) is not applied, it would lock people out: \(loss.users) of \(impact.users) would lose full access, \
      \(loss.active) of the \(impact.active) seen within 30 days and \(loss.admins) administrators among them\(shutOut)\(samples)\(passkeys.told)
      """,
      hint: passkeys.remedy
        + "gatehouse policy impact \(tenant.name) \(file.name); to apply it all the same, --allow-lockout",
      objection: .lockout, consents: [.lockout])
  }

  /// How many users lose their only passkey, why, and what keeps it; nothing where none does.
  private static func passkeyLoss(
    _ lost: Int, _ live: Policy, _ candidate: Policy, of tenant: TenantRecord, _ services: Services
  ) async throws -> (told: String, remedy: String) {
    guard lost > 0 else { return ("", "") }
    let hosts = try await Hosts.of(tenant, services)
    func reach(_ policy: Policy) -> PasskeyReach {
      PasskeyReach(policy, hosts: hosts, publicURL: services.publicURL, at: services.clock.now)
    }
    let loss = reach(live).loss(under: reach(candidate))
    let why = loss.map { ": \($0.why)" } ?? ""
    return (
      "; \(lost) without another way in than a passkey that would prove no more\(why)",
      loss?.remedy.map { "\($0); " } ?? ""
    )
  }
}

extension Policy {
  /// The moment from which nothing in this policy changes by itself any more, or `now` when that is past.
  package func horizon(from now: Date) -> Date {
    // An exception holds through its last day, so the day after it.
    guard let last = dates.last else { return now }
    return max(now, Date(timeIntervalSince1970: Double(last.startSeconds) + 86_400))
  }

  /// Everything that decides how a stored user stands at sign-in. Where it is the same, so is the access of every
  /// user.
  fileprivate var standing: [String] {
    var parts = access.full.map { "\($0.id) \($0.enforcement)" }
    parts += providers.map { "\($0.name) \($0.use) \($0.requireScopes) \($0.scopes)" }
    parts += passkeys.map { ["\($0.use) \($0.rpID ?? "") \(String(describing: $0.former)) \($0.synced)"] } ?? []
    parts += exceptions.map { "\($0.email) \($0.rule) \($0.until)" }
    parts += [standing(identifiers.email.rules, identifiers.email.existing)]
    parts += [standing(password.rules, password.existing)]
    parts += profile.fields.map { standing($0.rules, $0.existing) + " \(String(describing: $0.defaultValue))" }
    return parts
  }

  private func standing(_ rules: [Rule], _ section: Existing) -> String {
    rules.filter { [$0.existing ?? section, $0.kind.ownExisting].contains(.requireAtSignIn) || $0.isRequired }
      .map { "\($0.id) \($0.kind) \($0.parameter) \($0.enforcement) \($0.existing ?? section)" }
      .joined(separator: ", ")
  }
}
