/// Turns, one after another, in the order of asking.
final class Turns: Sendable {
  private struct Content {
    var isTaken = false
    var waiting: [Promise<Void>] = []
  }

  private let content = Locked(Content())

  /// How many tasks wait.
  var waiting: Int { content.withLock { $0.waiting.count } }

  /// Waits for the turn, which `pass()` ends. False at the end of that time, and when the task was cancelled: there is
  /// no turn then.
  func take(within rest: Duration) async -> Bool {
    let promise = Promise<Void>()
    let isNow = content.withLock { content in
      if content.isTaken { content.waiting.append(promise) }
      defer { content.isTaken = true }
      return !content.isTaken
    }
    if isNow { return true }
    if await promise.wait(within: rest) != nil { return true }
    let isWaiting = content.withLock { content in
      guard let place = content.waiting.firstIndex(where: { $0 === promise }) else { return false }
      content.waiting.remove(at: place)
      return true
    }
    // The turn came while the task gave up.
    if !isWaiting { pass() }
    return false
  }

  /// Gives the turn to the next task.
  func pass() {
    let next = content.withLock { content -> Promise<Void>? in
      guard content.waiting.isEmpty else { return content.waiting.removeFirst() }
      content.isTaken = false
      return nil
    }
    next?.fulfil(())
  }
}
