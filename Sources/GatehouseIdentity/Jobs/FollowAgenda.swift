import GatehousePrimitives

/// The work of `FollowTenants`: tenants that the database told of, and those that a look found to be out of date. A
/// name waits once, however often it is told, so the agenda is never longer than the list of tenants.
struct FollowAgenda: Sendable {
  enum Step: Equatable, Sendable {
    case look
    /// Load these tenants; with the last of those that it found, a look ends.
    case load([TenantName], endsLook: Bool)
  }

  /// The most tenants of one step: what is told meanwhile waits no longer than for these.
  static let stretch = 64

  private var told = Line()
  private var found = Line()
  private var isLookDue = false
  private var isPauseOver = false

  /// Notes a tenant that the database told of, or that messages may have been missed, so that a look is due.
  mutating func note(_ name: TenantName?) {
    if let name { told.add(name) } else { isLookDue = true }
  }

  /// Notes that the pause before a look is over.
  mutating func endPause() {
    isLookDue = true
    isPauseOver = true
  }

  /// Whether the next pause begins, now that a look is over: once after each pause.
  mutating func isPauseDue() -> Bool {
    // A look that began before the pause was over is not the one that it waited for.
    guard isPauseOver, !isLookDue else { return false }
    isPauseOver = false
    return true
  }

  /// Notes what a look found.
  mutating func find(_ stale: [TenantName]) {
    for name in stale { found.add(name) }
  }

  /// Forgets what cannot be loaded at this time; the next look finds it.
  mutating func drop() {
    told = Line()
    found = Line()
  }

  /// The next step; nil when there is nothing to do.
  mutating func next() -> Step? {
    if isLookDue && found.isEmpty {
      isLookDue = false
      return .look
    }
    let isLooking = !found.isEmpty
    // GUARD: follow: told tenants and a look share a step
    var names = found.take(Self.stretch / 2)
    names += told.take(Self.stretch - names.count, but: names)
    names += found.take(Self.stretch - names.count, but: names)
    guard !names.isEmpty else { return nil }
    return .load(names, endsLook: isLooking && found.isEmpty)
  }

  /// Names in the order of their arrival, each once.
  private struct Line: Sendable {
    private var names: [TenantName] = []
    private var first = 0
    private var members: Set<TenantName> = []

    var isEmpty: Bool { members.isEmpty }

    mutating func add(_ name: TenantName) {
      if members.insert(name).inserted { names.append(name) }
    }

    /// The first `count` names, without those that the step has already.
    mutating func take(_ count: Int, but others: [TenantName] = []) -> [TenantName] {
      var taken: [TenantName] = []
      while taken.count < count, first < names.count {
        let name = names[first]
        first += 1
        members.remove(name)
        if !others.contains(name) { taken.append(name) }
      }
      if first == names.count || first > 1024 {
        names.removeFirst(first)
        first = 0
      }
      return taken
    }
  }
}
