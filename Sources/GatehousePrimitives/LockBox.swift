public import Foundation

/// A value behind a pthread mutex, for short synchronous critical sections; never held across an `await`.
/// `Synchronization.Mutex` is not used because ThreadSanitizer does not see it and reports races that are none.
///
/// Public and inlinable, for it is on the path of every request: the compiler makes nothing less for the types of
/// another room, where a generic function else runs by tables that say how its type is copied.
public final class LockBox<Value: Sendable>: @unchecked Sendable {
  // INVARIANT: `value` is touched only while `mutex` is held, and in `init` and `deinit`, when no other thread can.
  // Behind a pointer, because a variable would be guarded a second time, by the language's own check of exclusive
  // access.
  @usableFromInline let value: UnsafeMutablePointer<Value>
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>

  /// Boxes `value`.
  public init(_ value: Value) {
    self.value = .allocate(capacity: 1)
    self.value.initialize(to: value)
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    // SAFETY: `mutex` points to memory of this object alone and stays where it is until `deinit`.
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    // SAFETY: the last reference is gone, so no thread holds or waits for the mutex.
    pthread_mutex_destroy(mutex)
    mutex.deinitialize(count: 1)
    mutex.deallocate()
    value.deinitialize(count: 1)
    value.deallocate()
  }

  /// Runs `body` alone with the value. Not reentrant: calling `withLock` of the same box inside deadlocks.
  @inlinable
  public func withLock<Answer, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value.pointee)
  }
}
