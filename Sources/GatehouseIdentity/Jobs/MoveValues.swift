// Stored values of fields that a policy renamed move to their new names, and back when the policy takes it back.
// Fields that an operator ordered to be set are set, and put back.

import Foundation
import GatehouseAdminWire
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

package struct MoveValues: Sendable {
  private let queue: any BackfillQueue
  private let services: Services

  /// How many accounts a stretch visits, in one transaction.
  private static let stretch = 200
  /// How many kept values go in one transaction.
  private static let kept = 1000

  package init(_ queue: any BackfillQueue, _ services: Services) { (self.queue, self.services) = (queue, services) }

  /// One stretch of each backfill that is due. True when there is more to do at once.
  package func runOnce() async throws -> Bool {
    var goesOn = false
    for id in try await queue.tenants() {
      guard let tenant = services.registry.snapshot(of: id) else { continue }
      let store = services.store.open(id)
      for backfill in try await store.backfills() where backfill.isDue {
        if backfill.state == .ending {
          try await store.commit([.backfill(.end(backfill, atMost: Self.kept))], as: .job)
          goesOn = true
        }
        // GUARD: backfill: judged by the policy that began it, or a later one
        guard tenant.revision >= backfill.revision else { continue }
        switch backfill.state {
        case .moving, .returning: goesOn = try await run(backfill, of: tenant, store) || goesOn
        case .setting: goesOn = try await set(backfill, of: tenant, store) || goesOn
        case .undoing: goesOn = try await putBack(backfill, of: tenant, store) || goesOn
        case .moved, .returned, .stopped, .ending, .ended, .set, .undone: break
        }
      }
    }
    return goesOn
  }

  /// One stretch. True where there is another one.
  private func run(_ backfill: Backfill, of tenant: TenantSnapshot, _ store: any TenantStore) async throws -> Bool {
    // A newer policy without the field stops it.
    guard let field = tenant.policy.profile.field(backfill.target) else { return false }
    let visits = try await store.visits(of: backfill, limit: Self.stretch)
    let stretch = judged(visits, of: backfill, into: field, tenant)
    do {
      try await commit(stretch, store)
    } catch StoreError.fieldTaken {
      try await oneByOne(visits, of: backfill, into: field, tenant, store)
    } catch StoreError.refused(.backfillIsCurrent) {
      return false
    }
    return !stretch.isLast
  }

  /// The fate of each value.
  private func judged(
    _ visits: [BackfillVisit], of backfill: Backfill, into field: Field, _ tenant: TenantSnapshot
  ) -> BackfillStretch {
    var stretch = BackfillStretch(backfill, through: visits.last?.user, isLast: visits.count < Self.stretch)
    for visit in visits {
      guard let value = visit.value else { continue }
      guard !visit.isFilled else {
        stretch.skipped += 1
        continue
      }
      var given = value
      if backfill.state == .moving {
        let takeover = tenant.policy.takeover(of: value, into: field, at: services.clock.now, using: services.facts)
        // GUARD: backfill: what the field refuses stays
        if case .refused = takeover {
          stretch.refused.append(visit.user)
          continue
        }
        if case .taken(let taken) = takeover { given = taken }
      }
      let unique = UniqueValues.of([field.name: given], tenant.policy).first
      stretch.moves.append(.init(user: visit.user, stored: value, given: given, unique: unique))
    }
    return stretch
  }

  /// A stretch in which a value is another account's already, account by account: that value stays, and is refused.
  private func oneByOne(
    _ visits: [BackfillVisit], of backfill: Backfill, into field: Field, _ tenant: TenantSnapshot,
    _ store: any TenantStore
  ) async throws {
    var backfill = backfill
    for (index, visit) in visits.enumerated() {
      var stretch = judged([visit], of: backfill, into: field, tenant)
      stretch.isLast = visits.count < Self.stretch && index == visits.count - 1
      do {
        try await commit(stretch, store)
      } catch StoreError.fieldTaken {
        stretch.refused += stretch.moves.map(\.user)
        stretch.moves = []
        try await commit(stretch, store)
      } catch StoreError.refused(.backfillIsCurrent) {
        return
      }
      backfill.reached = visit.user
    }
  }

  static func order(_ bytes: [UInt8]) throws -> ChangeUsersOperation.Input {
    try StrictDecoder.decode(ChangeUsersOperation.Input.self, from: bytes, spelling: .contract)
  }

  /// One batch of an order, by the operation that the operator would have called. One that was broken off finds the
  /// rest.
  private func set(_ backfill: Backfill, of tenant: TenantSnapshot, _ store: any TenantStore) async throws -> Bool {
    guard let bytes = backfill.order else { return false }
    var order = try Self.order(bytes)
    order.cursor = backfill.reached?.text
    let (call, seen) = calls(backfill, tenant)
    let done = try await ChangeUsers.run(order, for: backfill.id, in: seen, call)
    let next = done.nextCursor.flatMap { UserID(text: $0) }
    do {
      try await store.commit(
        [.backfill(.reach(backfill, next, refused: done.refused, isLast: next == nil))], as: .job)
    } catch StoreError.refused(.backfillIsCurrent) {
      return false
    }
    return next != nil
  }

  /// Puts back what an order replaced, account by account.
  private func putBack(_ backfill: Backfill, of tenant: TenantSnapshot, _ store: any TenantStore) async throws -> Bool {
    let found = try await store.replaced(by: backfill, limit: Self.stretch)
    let (call, _) = calls(backfill, tenant)
    var settled = 0
    for replaced in found {
      // An account that was deleted has nothing that is kept.
      guard let user = try await store.user(id: replaced.user) else { continue }
      // A field that was changed since is not put back.
      let names = replaced.given.keys.filter { (user.profile[$0] ?? .null) == replaced.given[$0] }.sorted()
      let values = Dictionary(uniqueKeysWithValues: names.map { ($0, replaced.stored[$0] ?? .null) })
      var changes: [Change] = [.backfill(.settle(backfill, replaced.of(names), isPutBack: !names.isEmpty))]
      if !names.isEmpty {
        changes += [
          .user(.updateProfile(user.id, values, unique: UniqueValues.of(values, tenant.policy))),
          .audit(try call.entry(.userUpdated, user: user.id, details: ["fields": names.joined(separator: ",")])),
        ]
        var after = user.profile
        for (name, value) in values { after[name] = value == .null ? nil : value }
        let isAdministrator = tenant.policy.isAdministrator(profile: after)
        if isAdministrator != tenant.policy.isAdministrator(profile: user.profile) {
          changes.append(
            .audit(
              try call.entry(
                .privilegeChanged, user: user.id, details: ["administrator": String(isAdministrator)])))
        }
      }
      do {
        try await store.commit(changes, as: .job)
        settled += 1
      } catch StoreError.fieldTaken {
        try await store.commit([.backfill(.settle(backfill, replaced, isPutBack: false))], as: .job)
        settled += 1
      } catch StoreError.refused(.backfillIsCurrent), StoreError.refused(.accountExists) {
        // It changed at this moment, and the next round looks again.
      }
    }
    guard found.isEmpty else { return settled > 0 }
    try await store.commit([.backfill(.undone(backfill))], as: .job)
    return false
  }

  /// The work is the operator's who ordered it.
  private func calls(_ backfill: Backfill, _ tenant: TenantSnapshot) -> (OperatorCall, Call) {
    (
      OperatorCall(Operator(atCommandLine: backfill.author), services, requestID: "backfill:" + backfill.id.text),
      Call(
        tenant: tenant, requestID: "backfill:" + backfill.id.text, address: nil, languages: ["en"],
        now: services.clock.now)
    )
  }

  private func commit(_ stretch: BackfillStretch, _ store: any TenantStore) async throws {
    var changes: [Change] = [.backfill(.stretch(stretch))]
    if stretch.isLast {
      let backfill = stretch.backfill
      changes.append(
        .audit(
          AuditEntry(
            id: services.clock.makeID(), at: services.clock.now,
            event: backfill.state == .returning ? .valuesReturned : .valuesMoved,
            actor: Actor.system("move_values").text, revision: backfill.revision,
            details: ["field": backfill.field, "renamed_from": backfill.source])))
    }
    try await store.commit(changes, as: .job)
  }
}

extension ReplacedValues {
  /// Those of these fields.
  fileprivate func of(_ names: [String]) -> ReplacedValues {
    let given = names.isEmpty ? given : given.filter { names.contains($0.key) }
    return ReplacedValues(user: user, stored: stored, given: given)
  }
}
