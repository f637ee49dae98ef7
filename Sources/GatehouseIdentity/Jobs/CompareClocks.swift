// Compares this server's clock with the database's: tokens, codes and sessions end by one of the two, and other parties
// judge by theirs.

import Foundation
import GatehousePrimitives

/// How far this server's clock is from the database's.
package struct ClockOffset: Sendable, Equatable {
  package enum State: Sendable, Equatable {
    case agrees, differs
    /// The server may not serve: its tokens are refused elsewhere.
    case tooFar
  }

  /// More seconds than this are told.
  package static let told = 5.0
  /// Beyond this a server may not serve. Verifiers of tokens allow 60 seconds.
  package static let most = 45.0
  /// Beyond this a server does not start.
  package static let mostAtStart = 60.0

  /// Positive where this server is ahead, by the middle of the round trip.
  package let seconds: Double
  /// Half of the round trip: so far may the true value be from `seconds`.
  package let uncertainty: Double

  package init(seconds: Double, uncertainty: Double) {
    self.seconds = seconds
    self.uncertainty = uncertainty
  }

  /// Asks the database once.
  package static func measure(_ servers: any ServerStore, _ clock: Clock) async throws -> ClockOffset {
    let sent = clock.now
    let there = try await servers.databaseTime()
    let trip = clock.now.timeIntervalSince(sent)
    return ClockOffset(
      seconds: sent.addingTimeInterval(trip / 2).timeIntervalSince(there), uncertainty: abs(trip) / 2)
  }

  /// The part of the offset that no delay explains: a process that stood still during the round trip is no wrong clock.
  private var certain: Double { max(0, abs(seconds) - uncertainty) }

  package var state: State {
    certain > ClockOffset.most ? .tooFar : certain > ClockOffset.told ? .differs : .agrees
  }

  /// Whether a server may start.
  package var permitsStart: Bool { certain <= ClockOffset.mostAtStart }

  package var wholeSeconds: Int { Int(max(-1e15, min(1e15, seconds.rounded()))) }

  package var sentence: String {
    "this machine's clock is \(abs(wholeSeconds)) s \(seconds < 0 ? "behind" : "ahead of") the database's"
  }

  /// Why a large offset matters, and what helps.
  package static let reason = "other parties refuse tokens whose times are more than 60 s off"
  package static let advice = "let this machine and the database's follow NTP; timedatectl shows whether they do"
}

/// Compares the clocks, and knows how far apart they were when last seen.
package final class CompareClocks: Sendable {
  private let servers: any ServerStore
  private let clock: Clock
  private let last = LockBox<ClockOffset?>(nil)

  package init(_ servers: any ServerStore, _ clock: Clock) {
    self.servers = servers
    self.clock = clock
  }

  /// As last measured; nil before the first time. An offset stays while the database is away: no clock heals by that.
  package var offset: ClockOffset? { last.withLock { $0 } }

  /// Why this server may not serve; nil where its clock is good enough, or not compared yet.
  package var trouble: String? {
    guard let offset, offset.state == .tooFar else { return nil }
    return "\(offset.sentence); \(ClockOffset.reason)"
  }

  /// Measures once.
  @discardableResult
  package func measure() async throws -> ClockOffset {
    let offset = try await ClockOffset.measure(servers, clock)
    last.withLock { $0 = offset }
    return offset
  }

  /// One round: the offset where its state is another one than before. A clock that agrees from the beginning is no
  /// news.
  package func runOnce() async throws -> ClockOffset? {
    let before = offset?.state ?? .agrees
    let now = try await measure()
    return now.state == before ? nil : now
  }
}
