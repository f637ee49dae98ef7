package import Foundation
import GatehousePolicy
import GatehouseWire

/// When an account's sessions last made a request, as far as that is written.
package struct Sightings: Sendable, Equatable {
  /// The newest request of a session that lives; nil without one.
  package var living: Date?
  /// The newest request of a session that was not ended, whether or not its time ran out.
  package var latest: Date?

  package init(living: Date? = nil, latest: Date? = nil) {
    self.living = living
    self.latest = latest
  }

  /// Those of an account whose living session makes the present request.
  package static func present(_ now: Date) -> Sightings { Sightings(living: now, latest: now) }

  /// The sightings of these sessions, by the policy's lifetimes.
  init(_ sessions: [Session], at now: Date, under rules: Sessions) {
    living = sessions.filter { $0.isLive(at: now, under: rules) }.map(\.lastSeenAt).max()
    latest = sessions.map(\.lastSeenAt).max()
  }
}

extension StoredUser {
  /// Online: not set offline, and a living session made a request within the policy's idle time.
  func presence(_ seen: Sightings, _ policy: Policy, at now: Date) -> Presence {
    let idle = TimeInterval(min(policy.presence.idle, policy.sessions.refreshIdleTTL))
    let newest = [lastSeen, seen.latest].compactMap { $0 }.max()
    let isOnline =
      isOnline  // GUARD: presence: not set offline
      && seen.living.map { now.timeIntervalSince($0) <= idle } ?? false  // GUARD: presence: within the idle time
    return Presence(online: isOnline, lastSeen: newest.map(Timestamp.init))
  }
}

extension Call {
  /// Those of each of these accounts that has a session which was not ended.
  func sightings(of users: [UserID], _ services: Services) async throws -> [UserID: Sightings] {
    try await services.store.open(tenant.id).sightings(of: users, sessionsLasting: policy.sessions.refreshMaxTTL)
  }

  /// Those of one account. The caller's own session is seen with this request.
  func sightings(of user: UserID, _ services: Services) async throws -> Sightings {
    if caller?.user == user { return .present(now) }
    return try await sightings(of: [user], services)[user] ?? Sightings()
  }
}
