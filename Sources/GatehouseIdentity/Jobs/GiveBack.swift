// Gives back what requests took from the store for work that came to nothing: again and again while the store refuses,
// until it is too old for any use.

package struct GiveBack: Sendable {
  /// Returns at once. One that waits for a lock holds up no other.
  static let atOnce = 32

  private let services: Services

  package init(_ services: Services) { self.services = services }

  /// One round. True when there may be more to do at once. Throws the first trouble; what can be repeated waits for the
  /// next round.
  package func runOnce() async throws -> Bool {
    let taken = services.returns.take(GiveBack.atOnce, at: services.clock.now)
    guard !taken.isEmpty else { return false }
    var trouble: (any Error)?
    await withTaskGroup(of: (Return, (any Error)?).self) { group in
      for one in taken {
        group.addTask {
          do {
            try await give(one)
            return (one, nil)
          } catch {
            return (one, error)
          }
        }
      }
      for await (one, error) in group {
        guard let error else { continue }
        trouble = trouble ?? error
        if one.isLeft(after: error) { services.returns.putBack([one]) }
      }
    }
    if let trouble { throw trouble }
    return taken.count == GiveBack.atOnce
  }

  private func give(_ one: Return) async throws {
    let store = services.store.open(one.tenant)
    switch one.kind {
    case .claim(let claim): try await store.release(claim)
    case .attempt(let attempt): try await store.returnSignIn(attempt)
    case .counts(let changes): try await store.commit(changes, as: .anonymous)
    }
  }
}
