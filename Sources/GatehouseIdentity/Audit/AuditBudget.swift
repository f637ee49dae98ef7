package import Foundation
import GatehousePrimitives

/// A bound on the growth of a tenant's audit log by callers without a session.
///
/// Each event has a budget of rows a minute, and rows that name an account have one of their own: a flood of one event
/// hides no other event, and a flood about made-up people hides no guess at the password of a real one. Of events with
/// the same cause only some become rows. The others are counted, and the count is written within two minutes: by the
/// next row of the same event, or by a row of its own (`TellSuppressed`). Each server counts for itself, in memory; a
/// server that is killed loses the counts of a minute.
package final class AuditBudget: Sendable {
  /// Seconds in which rows are counted.
  package static let window: TimeInterval = 60
  /// Rows of one tenant and event in that time that name no account.
  package static let unnamed = 10
  /// Rows of one tenant and event in that time that name one.
  package static let named = 60
  /// Causes that are remembered.
  static let mostHeld = 16_384

  /// How many events came without a row.
  package struct Suppressed: Sendable, Equatable {
    package let tenant: TenantID
    package let event: AuditEvent
    /// The account that all of them name; nil for those of several, or of none.
    package let user: UserID?
    package let count: Int
  }

  private struct Room: Hashable {
    let tenant: TenantID
    let event: AuditEvent
    let isNamed: Bool
  }

  private struct Cause: Hashable {
    let room: Room
    let text: String
  }

  private struct Held: Sendable {
    let user: UserID?
    let until: Date
    var rows = 1
    /// Events since the newest row.
    var suppressed = 0
  }

  private struct Spent: Sendable {
    let until: Date
    var rows = 0
    var suppressed = 0
  }

  private struct State: Sendable {
    var held: [Cause: Held] = [:]
    var spent: [Room: Spent] = [:]

    /// Counts one row, or answers that none is left.
    mutating func spend(_ room: Room, at now: Date) -> Bool {
      var known = spent[room] ?? Spent(until: .distantPast)
      if now >= known.until {
        known = Spent(until: now.addingTimeInterval(AuditBudget.window), suppressed: known.suppressed)
      }
      // GUARD: audit: rows of an event are bounded
      guard known.rows < (room.isNamed ? AuditBudget.named : AuditBudget.unnamed) else { return false }
      known.rows += 1
      spent[room] = known
      return true
    }
  }

  private let state = LockBox(State())

  package init() {}

  /// Whether this event becomes a row: how many like it did not since the last one, or nil for no row.
  /// - Parameters:
  ///   - cause: what events are alike by.
  ///   - alike: rows of one cause in a window.
  package func admit(
    _ event: AuditEvent, _ tenant: TenantID, user: UserID?, cause: String, alike: Int = 1, at now: Date
  ) -> Int? {
    state.withLock { state in
      let room = Room(tenant: tenant, event: event, isNamed: user != nil)
      let cause = Cause(room: room, text: String(cause.prefix(200)))
      let before = state.held[cause]
      if let before, now < before.until, before.rows >= alike {
        state.held[cause]?.suppressed = before.suppressed &+ 1
        return nil
      }
      guard before != nil || state.held.count < AuditBudget.mostHeld, state.spend(room, at: now) else {
        state.spent[room, default: Spent(until: now.addingTimeInterval(AuditBudget.window))].suppressed &+= 1
        return nil
      }
      if let before, now < before.until {
        state.held[cause]?.rows += 1
      } else {
        state.held[cause] = Held(user: user, until: now.addingTimeInterval(AuditBudget.window))
      }
      return before?.suppressed ?? 0
    }
  }

  /// Takes the counts that no row told: those of an account while the budget has rows left, and one for the rest of
  /// each event. Asked for once a minute.
  package func suppressed(at now: Date) -> [Suppressed] {
    state.withLock { state in
      var told: [Suppressed] = []
      for (cause, held) in state.held where now >= held.until {
        state.held[cause] = nil
        guard held.suppressed > 0 else { continue }
        let room = cause.room
        if held.user != nil, state.spend(room, at: now) {
          told.append(
            Suppressed(tenant: room.tenant, event: room.event, user: held.user, count: held.suppressed))
        } else {
          state.spent[room, default: Spent(until: now)].suppressed &+= held.suppressed
        }
      }
      for (room, spent) in state.spent {
        state.spent[room] = now >= spent.until ? nil : Spent(until: spent.until, rows: spent.rows)
        guard spent.suppressed > 0 else { continue }
        told.append(Suppressed(tenant: room.tenant, event: room.event, user: nil, count: spent.suppressed))
      }
      return told
    }
  }

  /// Adds counts that could not be written to those of their events.
  package func putBack(_ counts: [Suppressed]) {
    state.withLock { state in
      for told in counts {
        let room = Room(tenant: told.tenant, event: told.event, isNamed: told.user != nil)
        state.spent[room, default: Spent(until: .distantPast)].suppressed &+= told.count
      }
    }
  }
}

extension Call {
  /// Writes an event that a caller without a session caused, within the budget of the audit log. An answer stays the
  /// same where the store cannot take the row.
  /// - Parameter cause: what events are alike by; it is not written.
  package func note(
    _ event: AuditEvent, about cause: String, _ services: Services, actor: Actor = .anonymous,
    user: UserID? = nil, session: SessionID? = nil, details: [String: String] = [:]
  ) async {
    guard let suppressed = services.auditBudget.admit(event, tenant.id, user: user, cause: cause, at: now) else {
      return
    }
    var details = details
    if suppressed > 0 { details["suppressed"] = String(suppressed) }
    let entry = entry(event, services, actor: actor, user: user, session: session, details: details)
    try? await services.store.open(tenant.id).commit([.audit(entry)], as: .anonymous)
  }

  /// The row of such an event as a part of a commit. Beyond the budget it is a write of the same weight that leaves
  /// nothing behind: what the work costs must not tell whether the row would have named an account.
  func bounded(
    _ event: AuditEvent, _ services: Services, user: UserID?, session: SessionID? = nil,
    details: [String: String] = [:]
  ) -> Change {
    let cause = user?.text ?? ""
    let suppressed = services.auditBudget.admit(
      event, tenant.id, user: user, cause: cause, alike: user == nil ? AuditBudget.unnamed : 5, at: now)
    guard let suppressed else {
      let key = "\(event.rawValue) \(Int.random(in: 0..<16))"
      return .limit(.reserve([Reservation(name: "audit", key: key, count: .max, window: 60)]))
    }
    var details = details
    if suppressed > 0 { details["suppressed"] = String(suppressed) }
    return .audit(entry(event, services, user: user, session: session, details: details))
  }

  /// A token that is not this tenant's.
  package func noteRefused(token kind: String, _ services: Services) async {
    await note(.tokenRefused, about: "\(kind) \(address?.text ?? "")", services, details: ["token": kind])
  }
}
