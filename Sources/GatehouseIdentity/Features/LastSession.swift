// The last session of an account takes with it the grants of providers with `on_sign_out: drop`.

import GatehousePolicy
import GatehouseWire

/// The end of sessions by a sign-out or a revocation. A session that runs out, or that a new password, a replayed token
/// or a disabled account ends, is not a sign-out: what providers gave stays until the next sign-out.
struct LastSession {
  let user: StoredUser
  let call: Call
  let services: Services
  /// The audit row of a link that goes, written for the actor that ends the session.
  let unlinked: (LinkedIdentity) -> AuditEntry

  init(of user: StoredUser, _ call: Call, _ services: Services, unlinked: @escaping (LinkedIdentity) -> AuditEntry) {
    self.user = user
    self.call = call
    self.services = services
    self.unlinked = unlinked
  }

  /// Commits `changes`, which end the sessions that `ends` names; with the account's last one also what goes with it. A
  /// session that begins or ends at the same moment refuses the commit, which is then made the other way: of several
  /// last ones exactly one is the last.
  func end(_ ends: (Session) -> Bool, _ changes: [Change], as authority: Authority) async throws {
    let store = services.store.open(call.tenant.id)
    let drops = drops
    guard !drops.isEmpty else { return try await store.commit(changes, as: authority) }
    let rules = call.policy.sessions
    var remain = try await store.sessions(of: user.id).contains {
      !ends($0) && $0.isLive(at: call.now, under: rules)
    }
    try await retryOnConflict(
      [.refused(.sessionsAreAsSeen)], attempts: LastSession.attempts, note: "sessions kept changing"
    ) {
      defer { remain.toggle() }
      // GUARD: sign-out: grants go with the last session
      let gone = remain ? [] : drops
      try await store.commit(
        changes + [.session(.require(user.id, remain: remain, under: rules))] + gone, as: authority)
    }
  }

  /// Ends at the same moment refuse one commit, each sign-in between them another one.
  private static let attempts = 5

  /// A grant is dropped, and a link that is no way in goes with it.
  private var drops: [Change] {
    let dropped = call.policy.providers.filter { $0.onSignOut == .drop && $0.name != "password" }
    guard !dropped.isEmpty else { return [] }
    let links = dropped.filter { $0.use == .link }.map(\.name)
    return [.grant(.drop(user.id, providers: dropped.map(\.name), unlinking: links))]
      + user.links.filter { links.contains($0.provider) }.map { .audit(unlinked($0)) }
  }
}

extension LastSession {
  /// Ended by the person.
  init(of user: StoredUser, _ call: Call, _ services: Services) {
    self.init(of: user, call, services) { link in
      call.entry(
        .unlinked, services, actor: .user(user.id), user: user.id,
        details: ["provider": link.provider, "reason": "sign_out"])
    }
  }
}
