package import Foundation
import GatehousePrimitives

/// A request of a session.
package struct SeenSession: Sendable, Hashable {
  package let tenant: TenantID
  package let session: SessionID
  package let at: Date

  package init(_ tenant: TenantID, _ session: SessionID, at: Date) {
    self.tenant = tenant
    self.session = session
    self.at = at
  }
}

/// Which sessions made a request since that was last written. Memory is bounded: beyond `most` sessions those seen last
/// are kept.
package final class SeenSessions: Sendable {
  fileprivate struct Key: Hashable, Sendable {
    let tenant: TenantID
    let session: SessionID

    /// A session's id is unique by itself.
    func hash(into hasher: inout Hasher) { hasher.combine(session) }
  }

  /// Two generations: a new one begins when the newer one is full, and the older one goes.
  fileprivate struct Notes: Sendable {
    var newer: [Key: Date] = [:]
    var older: [Key: Date] = [:]
    var half: Int

    mutating func note(_ key: Key, at moment: Date) {
      if let known = newer[key] {
        if known < moment { newer[key] = moment }
        return
      }
      // GUARD: presence: bounded memory
      if newer.count >= half {
        older = newer
        newer = [:]
      }
      newer[key] = moment
    }

    mutating func take() -> [Key: Date] {
      defer { (newer, older) = ([:], [:]) }
      return newer.merging(older, uniquingKeysWith: max)
    }
  }

  /// The notes of one loop: processors that write the same memory in turns wait for each other.
  package final class Part: Sendable {
    fileprivate let notes: LockBox<Notes>

    fileprivate init(half: Int) { notes = LockBox(Notes(half: half)) }

    /// A session made a request.
    package func note(_ tenant: TenantID, _ session: SessionID, at moment: Date) {
      notes.withLock { $0.note(Key(tenant: tenant, session: session), at: moment) }
    }
  }

  private struct State: Sendable {
    var parts: [Part] = []
    /// Sightings that were taken and could not be written.
    var returned: [SeenSession] = []
  }

  private let most: Int
  private let state = LockBox(State())

  /// `most` sessions are kept by all parts together.
  package init(most: Int = 100_000) { self.most = most }

  /// Another part, for one more loop. Parts share the bound; they are made before the server listens.
  package func part() -> Part {
    state.withLock { state in
      let half = max(1, most / 2 / (state.parts.count + 1))
      for part in state.parts { part.notes.withLock { $0.half = half } }
      let part = Part(half: half)
      state.parts.append(part)
      return part
    }
  }

  /// Whether some part is half full, so that it is time to write.
  package var isFilling: Bool {
    state.withLock(\.parts).contains { part in
      part.notes.withLock { !$0.older.isEmpty || $0.newer.count * 2 >= $0.half }
    }
  }

  /// The newest request of each session; nothing is kept.
  package func take() -> [SeenSession] {
    let (parts, returned) = state.withLock { state in
      defer { state.returned = [] }
      return (state.parts, state.returned)
    }
    var taken: [Key: Date] = [:]
    for part in parts { taken.merge(part.notes.withLock { $0.take() }, uniquingKeysWith: max) }
    for seen in returned {
      taken.merge([Key(tenant: seen.tenant, session: seen.session): seen.at], uniquingKeysWith: max)
    }
    return taken.map { SeenSession($0.key.tenant, $0.key.session, at: $0.value) }
  }

  /// Keeps what could not be written, the newest of it.
  package func putBack(_ sessions: [SeenSession]) {
    guard !sessions.isEmpty else { return }
    state.withLock { state in
      state.returned += sessions
      guard state.returned.count > most else { return }
      state.returned = Array(state.returned.sorted { $0.at > $1.at }.prefix(most))
    }
  }
}
