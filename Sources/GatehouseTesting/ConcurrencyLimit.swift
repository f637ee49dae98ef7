/// Lets at most so many tests do something at the same time; the others wait for their turn, in order.
package actor ConcurrencyLimit {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  package init(places: Int) { free = places }

  /// Waits for a place.
  package func enter() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  /// Gives the place to the test that has waited longest.
  package func leave() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }

  /// Runs `body` in a place.
  package func run<Value: Sendable>(_ body: @Sendable () async throws -> Value) async rethrows -> Value {
    await enter()
    defer { leave() }
    return try await body()
  }
}
