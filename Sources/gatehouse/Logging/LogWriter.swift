import Glibc

/// Takes log lines from any thread and writes them to a descriptor on a thread of its own, so that a slow or stopped
/// reader of the log never holds up a sign-in. It keeps at most 1 MiB; what does not fit is dropped and counted.
///
/// `close()` must be called before the last reference goes.
final class LogWriter: @unchecked Sendable {
  static let capacity = 1 << 20

  // SAFETY: the three below are touched under `lock` only; the lock and the condition live at fixed addresses until
  // deinit, when no thread is left.
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var waiting: [UInt8] = []
  private var lost = 0
  private var closing = false
  private let descriptor: Int32
  private var thread = pthread_t()

  init(descriptor: Int32) {
    self.descriptor = descriptor
    pthread_mutex_init(lock, nil)
    pthread_cond_init(changed, nil)
    // The thread holds a reference of its own, given back when it ends.
    pthread_create(
      &thread, nil,
      { raw in
        guard let raw else { return nil }
        // SAFETY: made by passRetained below and taken exactly once.
        Unmanaged<LogWriter>.fromOpaque(raw).takeRetainedValue().drain()
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
  }

  deinit {
    pthread_mutex_destroy(lock)
    pthread_cond_destroy(changed)
    lock.deallocate()
    changed.deallocate()
  }

  /// Hands a line over. Never blocks on the descriptor.
  @Sendable func write(_ line: String) {
    pthread_mutex_lock(lock)
    if waiting.count + line.utf8.count > Self.capacity { lost += 1 } else { waiting += line.utf8 }
    pthread_cond_signal(changed)
    pthread_mutex_unlock(lock)
  }

  /// Lines dropped so far.
  var dropped: Int {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return lost
  }

  /// Writes what is waiting and ends the thread. Nothing may be written afterwards.
  func close() {
    pthread_mutex_lock(lock)
    closing = true
    pthread_cond_signal(changed)
    pthread_mutex_unlock(lock)
    pthread_join(thread, nil)
  }

  private func drain() {
    while let bytes = next() {
      var rest = bytes[...]
      while !rest.isEmpty {
        // SAFETY: the buffer is valid for the call and write(2) only reads it.
        let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR, !waitUntilWritable() { break }
      }
    }
  }

  /// A log whose reader is gone is a lost log, not a stopped server.
  private func waitUntilWritable() -> Bool {
    guard errno == EAGAIN else { return false }
    var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&ready, 1, 1000) >= 0
  }

  private func next() -> [UInt8]? {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while waiting.isEmpty, !closing { pthread_cond_wait(changed, lock) }
    guard !waiting.isEmpty else { return nil }
    let bytes = waiting
    waiting = []
    return bytes
  }
}
