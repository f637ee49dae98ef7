import GatehouseIdentity

/// Whether writes are refused, as of the writes of the last minute. A full disk takes some writes still: one that
/// succeeds ends the trouble only when the last refusal is a minute ago.
struct WriteHealth: Sendable {
  private static let memory: Duration = .seconds(60)

  private var last: (trouble: WriteTrouble, at: ContinuousClock.Instant)?
  private var hasSucceededSince = false

  /// Notes the end of a write; nil for a success.
  mutating func note(_ error: DatabaseError?, at now: ContinuousClock.Instant = .now) {
    guard let error else {
      hasSucceededSince = true
      return
    }
    guard let trouble = WriteTrouble(error) else { return }
    last = (trouble, now)
    hasSucceededSince = false
  }

  func trouble(at now: ContinuousClock.Instant = .now) -> WriteTrouble? {
    guard let last, !hasSucceededSince || last.trouble.isPartial && now - last.at < Self.memory else { return nil }
    return last.trouble
  }
}

extension WriteTrouble {
  /// Nil for an error that says nothing of the database's state.
  init?(_ error: DatabaseError) {
    switch error {
    case .server(let state, _, _): self.init(state: state)
    case .readOnly: self.init(state: "25006")
    default: return nil
    }
  }
}
