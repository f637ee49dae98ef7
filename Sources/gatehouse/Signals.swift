import Glibc

/// Waiting for the signals that end a server.
enum Signals {
  // SAFETY: written once, before the handlers that read it are set.
  nonisolated(unsafe) private static var pipe: (read: Int32, write: Int32) = (-1, -1)

  /// Takes SIGTERM and SIGINT from their usual meaning. Answers the descriptor that becomes readable with the first.
  static func take() -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { return -1 }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    pipe = (ends[0], ends[1])
    for number in [SIGTERM, SIGINT] {
      signal(number) { _ in
        // Only what is safe in a signal handler: one write of one byte.
        var byte: UInt8 = 1
        _ = write(Signals.pipe.write, &byte, 1)
      }
    }
    return ends[0]
  }

  /// Waits until a signal came, at most this many milliseconds. For commands, which have a thread to wait on.
  static func arrived(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&ready, 1, milliseconds) > 0
  }
}
