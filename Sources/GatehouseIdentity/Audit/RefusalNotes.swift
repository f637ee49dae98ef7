package import Foundation
import GatehousePrimitives

/// What is refused before anybody proved anything can be asked for as often as a stranger likes; the audit trail must not
/// grow with it. Of refusals alike (same tenant, event and cause) one in a minute becomes a row, which says how many came
/// since the last; and no tenant gets more than a hundred such rows a minute, whatever the causes. Counted by each server.
package final class RefusalNotes: Sendable {
  /// Seconds in which like refusals are one row.
  package static let window: TimeInterval = 60
  /// Rows of one tenant in that time.
  package static let most = 100
  /// Causes that are remembered.
  static let mostHeld = 16_384

  private struct Key: Hashable {
    let tenant: TenantID
    let event: AuditEvent
    let cause: String
  }

  private struct Held: Sendable {
    var until: Date
    /// Refusals since the row.
    var suppressed: Int
  }

  private struct State: Sendable {
    var held: [Key: Held] = [:]
    var tenants: [TenantID: (until: Date, rows: Int, suppressed: Int)] = [:]
  }

  private let state = LockBox(State())

  package init() {}

  /// Whether this refusal becomes a row: how many were not written since the last one, or nil for none.
  package func admit(_ event: AuditEvent, _ tenant: TenantID, cause: String, at now: Date) -> Int? {
    state.withLock { state in
      let key = Key(tenant: tenant, event: event, cause: String(cause.prefix(200)))
      let before = state.held[key]
      if let before, now < before.until {
        state.held[key]?.suppressed = before.suppressed &+ 1
        return nil
      }
      var room = state.tenants[tenant] ?? (until: .distantPast, rows: 0, suppressed: 0)
      if now >= room.until { room = (now.addingTimeInterval(RefusalNotes.window), 0, room.suppressed) }
      guard room.rows < RefusalNotes.most, RefusalNotes.makeRoom(in: &state, at: now) else {
        room.suppressed = room.suppressed &+ 1
        state.tenants[tenant] = room
        return nil
      }
      let suppressed = (before?.suppressed ?? 0) &+ room.suppressed
      state.tenants[tenant] = (room.until, room.rows + 1, 0)
      state.held[key] = Held(until: now.addingTimeInterval(RefusalNotes.window), suppressed: 0)
      return suppressed
    }
  }

  private static func makeRoom(in state: inout State, at now: Date) -> Bool {
    guard state.held.count >= mostHeld else { return true }
    // Only what says nothing any more: what was suppressed is told by the next row of the tenant.
    for (key, held) in state.held where now >= held.until {
      state.held[key] = nil
      if let room = state.tenants[key.tenant] {
        state.tenants[key.tenant] = (room.until, room.rows, room.suppressed &+ held.suppressed)
      }
    }
    return state.held.count < mostHeld
  }
}

extension Call {
  /// Writes a refusal into the audit trail, unless one like it was written a moment ago. A refusal stays what it is where
  /// the store cannot take it.
  /// - Parameter cause: what refusals are alike by; it is not written.
  package func note(
    _ event: AuditEvent, about cause: String, _ services: Services, actor: Actor = .anonymous,
    account: AccountID? = nil, session: SessionID? = nil, details: [String: String] = [:]
  ) async {
    guard let suppressed = services.notes.admit(event, tenant.id, cause: cause, at: now) else { return }
    var details = details
    if suppressed > 0 { details["suppressed"] = String(suppressed) }
    let entry = entry(event, services, actor: actor, account: account, session: session, details: details)
    try? await services.store.open(tenant.id).commit([.audit(entry)], as: .anonymous)
  }

  /// A token that is not this tenant's.
  package func noteRefused(token kind: String, _ services: Services) async {
    await note(.tokenRefused, about: "\(kind) \(address?.text ?? "")", services, details: ["token": kind])
  }
}
