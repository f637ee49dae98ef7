/// A task that ends with the object that holds it.
final class TaskHolder: Sendable {
  private let task = Locked<Task<Void, Never>?>(nil)

  /// Holds another task; the one before it ends.
  func hold(_ new: Task<Void, Never>?) {
    task.withLock { task in
      defer { task = new }
      return task
    }?.cancel()
  }

  deinit { task.withLock { $0 }?.cancel() }
}
