/// The state that all readers see, and the streams that follow it.
final class StateBoard: Sendable {
  private struct Content {
    var state = AuthState.restoring
    var warnings: [AuthWarning] = []
    var offers: [AuthOffer] = []
    var last = 0
    var followers: [Int: AsyncStream<AuthState>.Continuation] = [:]
  }

  private let content = Locked(Content())

  var state: AuthState { content.withLock { $0.state } }
  var warnings: [AuthWarning] { content.withLock { $0.warnings } }
  var offers: [AuthOffer] { content.withLock { $0.offers } }

  /// Shows another state, or other warnings or offers with it. The same again is no news. Returns whether the state
  /// was.
  @discardableResult
  func show(_ state: AuthState, _ warnings: [AuthWarning] = [], _ offers: [AuthOffer] = []) -> Bool {
    content.withLock { content in
      let isNews = content.state != state
      guard isNews || content.warnings != warnings || content.offers != offers else { return false }
      (content.state, content.warnings, content.offers) = (state, warnings, offers)
      // Under the lock, so that streams see states in their order. A stream's buffer takes the newest and never waits.
      for follower in content.followers.values { follower.yield(state) }
      return isNews
    }
  }

  /// The current state, then each newer one; a slow reader misses what was overtaken.
  func states() -> AsyncStream<AuthState> {
    let (stream, continuation) = AsyncStream.makeStream(of: AuthState.self, bufferingPolicy: .bufferingNewest(1))
    let id = content.withLock { content in
      content.last += 1
      content.followers[content.last] = continuation
      continuation.yield(content.state)
      return content.last
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.content.withLock { $0.followers.removeValue(forKey: id) }
    }
    return stream
  }
}
