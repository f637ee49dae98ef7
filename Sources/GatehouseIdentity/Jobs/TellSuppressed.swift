// Events beyond the budget of the audit log are counted; once a minute the counts become rows. So do limits of whole
// tenants of which half is used up.

import Foundation

package struct TellSuppressed: Sendable {
  private let services: Services

  package init(_ services: Services) { self.services = services }

  /// Writes one row for each event of which some became no row. Throws when the store refuses one: it and those behind
  /// it are told the next time.
  /// - Parameter isLast: whether the server stops: then counts of this minute are told, too.
  package func runOnce(isLast: Bool = false) async throws {
    try await tellHalfUsed()
    var waiting = services.auditBudget.suppressed(at: isLast ? .distantFuture : services.clock.now)
    defer { services.auditBudget.putBack(waiting) }
    while let told = waiting.last {
      let entry = AuditEntry(
        id: services.clock.makeID(), at: services.clock.now, event: told.event,
        actor: Actor.system("tell_suppressed").text, user: told.user,
        details: ["suppressed": String(told.count)])
      try await services.store.open(told.tenant).commit([.audit(entry)], as: .job)
      waiting.removeLast()
    }
  }

  /// One row for each window, whichever server counts.
  private func tellHalfUsed() async throws {
    var waiting = services.budgets.takeHalfUsed()
    defer { services.budgets.putBack(waiting) }
    while let level = waiting.last {
      let left = max(1, Int(level.endsAt.timeIntervalSince(services.clock.now).rounded(.up)))
      let once = Reservation(name: OwnLimit.budgetTold.rawValue, key: level.name, count: 1, window: left)
      let entry = AuditEntry(
        id: services.clock.makeID(), at: services.clock.now, event: .budgetHalfUsed,
        actor: Actor.system("tell_suppressed").text, user: nil,
        details: ["limit": level.name, "used": String(level.used), "of": String(level.most)])
      do {
        try await services.store.open(level.tenant).commit([.limit(.reserve([once])), .audit(entry)], as: .job)
      } catch StoreError.limited {}  // another server told it
      waiting.removeLast()
    }
  }
}
