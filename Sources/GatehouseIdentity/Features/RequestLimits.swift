// The limits on requests of every kind. They hold for all servers together: the count is the store's.
// So that not every request costs a round trip, a server leases a twentieth of the limit at a time and spends it from
// memory.

import Foundation
package import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// The share of its tenants' limits on requests that one server has leased. Never more is let in than the policies
/// allow; where several servers share the requests, each may still hold a twentieth of the limit when another one
/// begins to refuse.
package final class RequestLimits: Sendable {
  private struct Key: Hashable {
    let tenant: TenantID
    let name: String
    let key: String
  }

  private struct Held: Sendable {
    /// The limit this was leased under; another one in the policy makes it void.
    let reservation: Reservation
    /// When the store's window ends.
    var until: Date
    var left: Int
    /// The store had nothing left to lease in this window.
    var isExhausted: Bool
    /// The first refusal of this window is an audit row.
    var isNoted: Bool

    func holds(_ wanted: Reservation, at now: Date) -> Bool {
      reservation == wanted && now < until && until.timeIntervalSince(now) <= Double(wanted.window) + 1
    }
  }

  /// The number of counters in memory. Forgetting one costs a round trip, and what was left of its lease.
  private static let mostHeld = 65_536

  private let held = LockBox<[Key: Held]>([:])

  /// The limit for an address where the policy sets none.
  private let own: Limit?

  package init(own: Limit? = Limits.defaults[.requestsPerIP]) { self.own = own }

  /// Counts this request against `requests_per_ip` and `requests_per_tenant`, or refuses `rate_limited` with the
  /// seconds until the window ends. Where the policy sets neither, nothing is looked up anywhere: the server's own
  /// `requests_per_ip` is counted here.
  package func admit(_ call: Call, _ services: Services) async throws {
    if let own = own.flatMap({ Limiting.requestsHere($0, call) }), !admitHere(own, call) {
      if isNews(own, call) { await note(own.name, call, services) }
      throw Refusal(.rateLimited, retryAfter: remaining(own, call), limit: own.name)
    }
    let wanted = Limiting.requests(call)
    guard !wanted.isEmpty else { return }
    var (missing, refused) = take(wanted, call)
    if refused == nil, !missing.isEmpty {
      let leases: [Lease]
      do {
        leases = try await services.store.open(call.tenant.id).lease(missing, amounts: missing.map(Self.amount))
      } catch StoreError.unavailable, StoreError.unknownOutcome, StoreError.impaired {
        // Requests that need the store refuse by themselves; documents and pages stay readable while it is unavailable.
        return
      }
      refused = keep(leases, of: missing, call)
    }
    guard let refused else { return }
    giveBack(wanted.filter { wanted in wanted != refused && !missing.contains(wanted) }, call)
    if isNews(refused, call) { await note(refused.name, call, services) }
    let wait = remaining(refused, call)
    throw Refusal(.rateLimited, retryAfter: wait, limit: refused.name)
  }

  /// Counts one in this server's memory alone; false when the window has none left.
  private func admitHere(_ wanted: Reservation, _ call: Call) -> Bool {
    held.withLock { held in
      let key = key(wanted, call)
      if let known = held[key], known.holds(wanted, at: call.now) {
        // GUARD: requests: the server's own limit of an address
        guard known.left > 0 else { return false }
        held[key]?.left -= 1
        return true
      }
      makeRoom(in: &held, at: call.now)
      held[key] = Held(
        reservation: wanted, until: call.now.addingTimeInterval(Double(wanted.window)), left: wanted.count - 1,
        isExhausted: true, isNoted: false)
      return true
    }
  }

  private func makeRoom(in held: inout [Key: Held], at now: Date) {
    guard held.count >= Self.mostHeld else { return }
    held = held.filter { $0.value.until > now }
    if held.count >= Self.mostHeld { held.removeAll() }
  }

  /// A twentieth of the limit, at least one.
  private static func amount(_ reservation: Reservation) -> Int { max(1, reservation.count / 20) }

  /// Takes one from each lease at hand: those without one are missing, one that is exhausted refuses.
  private func take(_ wanted: [Reservation], _ call: Call) -> (missing: [Reservation], refused: Reservation?) {
    held.withLock { held in
      var missing: [Reservation] = []
      let known = wanted.filter { held[key($0, call)]?.holds($0, at: call.now) == true }
      if let refused = known.first(where: { (held[key($0, call)].map { $0.left == 0 && $0.isExhausted }) == true }) {
        // Nothing was taken, so that there is nothing to give back.
        missing = wanted
        return (missing, refused)
      }
      for reservation in wanted {
        if known.contains(reservation), let left = held[key(reservation, call)]?.left, left > 0 {
          held[key(reservation, call)]?.left = left - 1
        } else {
          missing.append(reservation)
        }
      }
      return (missing, nil)
    }
  }

  /// Remembers leases, less the one count that this request spends of each. The first that has none refuses; then
  /// nothing is spent, and the counts of the others stay in memory for the next request.
  private func keep(_ leases: [Lease], of reservations: [Reservation], _ call: Call) -> Reservation? {
    held.withLock { held in
      makeRoom(in: &held, at: call.now)
      var refused: Reservation?
      for (reservation, lease) in zip(reservations, leases) {
        let until = call.now.addingTimeInterval(lease.seconds)
        var (left, isNoted) = (lease.granted, false)
        // Counts of the window before are worth nothing in this one.
        if let before = held[key(reservation, call)], before.holds(reservation, at: call.now),
          abs(before.until.timeIntervalSince(until)) < 0.5
        {
          left += before.left
          isNoted = before.isNoted
        }
        held[key(reservation, call)] = Held(
          reservation: reservation, until: until, left: left, isExhausted: lease.granted == 0, isNoted: isNoted)
        if left == 0, refused == nil { refused = reservation }
      }
      if refused == nil { for reservation in reservations { held[key(reservation, call)]?.left -= 1 } }
      return refused
    }
  }

  private func giveBack(_ reservations: [Reservation], _ call: Call) {
    held.withLock { held in
      for reservation in reservations where held[key(reservation, call)]?.holds(reservation, at: call.now) == true {
        held[key(reservation, call)]?.left += 1
      }
    }
  }

  /// Whether this is the first refusal by the reservation's limit in this window. Marks it as noted.
  private func isNews(_ reservation: Reservation, _ call: Call) -> Bool {
    held.withLock { held in
      defer { held[key(reservation, call)]?.isNoted = true }
      return held[key(reservation, call)]?.isNoted == false
    }
  }

  private func remaining(_ reservation: Reservation, _ call: Call) -> Int {
    let until = held.withLock { $0[key(reservation, call)]?.until } ?? call.now
    return max(1, min(reservation.window, Int(until.timeIntervalSince(call.now).rounded(.up))))
  }

  /// One audit row for each server and window at most, however long an address goes on knocking.
  private func note(_ name: String, _ call: Call, _ services: Services) async {
    let cause = "\(name) \(call.address?.text ?? "")"
    await call.note(.limitExceeded, about: cause, services, details: ["limit": name])
  }

  private func key(_ reservation: Reservation, _ call: Call) -> Key {
    Key(tenant: call.tenant.id, name: reservation.name, key: reservation.key)
  }
}
