// Changing profile fields, by whomever: the policy says who may write what.

import Foundation
import GatehousePolicy
import GatehouseWire

enum UpdateProfile {
  /// The account as it is after the change. Refuses `validation_failed` with every violation.
  static func run(
    _ given: [String: FieldValue], of user: StoredUser, at door: Door, writer: Facts.Writer, actor: Actor,
    as authority: Authority, keeping backfill: UUID? = nil, _ call: Call, _ services: Services
  ) async throws -> StoredUser {
    let facts = Facts(profile: given, writer: writer, stored: user.facts)
    let decision = call.policy.decide(door, facts, at: call.now, using: services.facts)
    // GUARD: door: profile
    guard decision.allow else { throw Refusal(.validationFailed, violations: decision.violations) }
    var changed = user
    for (name, value) in decision.normalised.profile {
      changed.profile[name] = value == .null ? nil : value
    }
    changed.updatedAt = call.now
    var details = ToldChanges.details(from: user.profile, to: decision.normalised.profile, call.policy)
    details["fields"] = decision.normalised.profile.keys.sorted().joined(separator: ",")
    // GUARD: profile: a person's changes are counted
    var more: [Change] = writer == .user ? [.limit(.reserve(Limiting.profile(user.id, call)))] : []
    more += call.exceptionsUsed(decision, services, actor: actor, user: user.id)
    let isAdministrator = call.policy.isAdministrator(profile: changed.profile)
    if isAdministrator != call.policy.isAdministrator(profile: user.profile) {
      more.append(
        .audit(
          call.entry(
            .privilegeChanged, services, actor: actor, user: user.id,
            details: ["administrator": String(isAdministrator)])))
    }
    do {
      try await services.store.open(call.tenant.id).commit(
        [
          // Only what was given: another request may be changing another field at this moment.
          .user(
            .updateProfile(
              user.id, decision.normalised.profile, unique: UniqueValues.of(decision.normalised.profile, call.policy),
              keeping: backfill)),
          .audit(
            call.entry(.userUpdated, services, actor: actor, user: user.id, details: details)),
        ] + more, as: authority)
    } catch StoreError.limited(let name, let retryAfter) {
      throw Refusal(.rateLimited, retryAfter: retryAfter, limit: name)
    } catch let error as StoreError {
      throw UniqueValues.refusal(error, call) ?? error
    }
    return changed
  }
}
