import Glibc

/// A value behind a pthread mutex. ThreadSanitizer understands pthread locks; it does not understand
/// `Synchronization.Mutex` on this toolchain. This room imports no other room, so it has no `LockBox`.
final class Locked<Value>: @unchecked Sendable {
  // SAFETY: `value` is touched only between lock and unlock; the mutex has a stable heap address of its own.
  private var value: Value
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init(_ value: Value) {
    self.value = value
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}
