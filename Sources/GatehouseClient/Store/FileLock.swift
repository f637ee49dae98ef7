import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A lock among processes, on a file of its own. The end of a process gives it back.
struct FileLock {
  /// How long a process waits for another.
  static let patience = Duration.seconds(2)
  private let descriptor: Int32

  /// The lock, held. Throws `unavailable` when another process holds it for longer than `patience`, or the file cannot
  /// be made.
  init(_ path: String, patience: Duration = FileLock.patience) throws(StoreError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .unavailable }
    let deadline = ContinuousClock.now + patience
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR, ContinuousClock.now < deadline else {
        close(descriptor)
        throw .unavailable
      }
      usleep(2000)
    }
  }

  /// Gives the lock back.
  func release() { close(descriptor) }
}
