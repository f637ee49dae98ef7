/// A value that arrives once, for any number of tasks that wait for it. A waiting task that is cancelled stops waiting,
/// and the work goes on for the others.
final class Promise<Value: Sendable>: Sendable {
  private struct Content {
    var value: Value?
    var last = 0
    var waiting: [Int: CheckedContinuation<Value?, Never>] = [:]
    /// Cancelled before they waited.
    var cancelled: Set<Int> = []
  }

  private let content = Locked(Content())

  /// How many tasks wait.
  var waiting: Int { content.withLock { $0.waiting.count } }

  /// Keeps the first value alone.
  func fulfil(_ value: Value) {
    let waiting = content.withLock { content in
      guard content.value == nil else { return [CheckedContinuation<Value?, Never>]() }
      content.value = value
      defer { content.waiting = [:] }
      return Array(content.waiting.values)
    }
    for continuation in waiting { continuation.resume(returning: value) }
  }

  /// The value; nil when the waiting task was cancelled.
  func wait() async -> Value? {
    let id = content.withLock { content in
      content.last += 1
      return content.last
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let now: Value?? = content.withLock { content in
          if let value = content.value { return .some(value) }
          if content.cancelled.remove(id) != nil { return .some(nil) }
          content.waiting[id] = continuation
          return nil
        }
        if let now { continuation.resume(returning: now) }
      }
    } onCancel: {
      content.withLock { content in
        let waiting = content.waiting.removeValue(forKey: id)
        if waiting == nil, content.value == nil { content.cancelled.insert(id) }
        return waiting
      }?.resume(returning: nil)
    }
  }
}

extension Promise {
  /// The value; nil at the end of that time, and when the waiting task was cancelled. The time is that of the system,
  /// as for every wait for what is outside of the process.
  func wait(within rest: Duration) async -> Value? {
    let waiter = Task { await wait() }
    let timer = Task {
      try await Task.sleep(for: max(rest, Duration.zero), clock: .continuous)
      waiter.cancel()
    }
    defer { timer.cancel() }
    return await withTaskCancellationHandler {
      await waiter.value
    } onCancel: {
      waiter.cancel()
    }
  }
}
