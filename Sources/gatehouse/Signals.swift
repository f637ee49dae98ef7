import Glibc

/// Waiting for the signals that end a server, and for the one that has it read its files again.
enum Signals {
  // SAFETY: each is written once, before the handler that reads it is set.
  nonisolated(unsafe) private static var pipe: (read: Int32, write: Int32) = (-1, -1)
  nonisolated(unsafe) private static var hangUps: (read: Int32, write: Int32) = (-1, -1)

  /// Takes SIGTERM and SIGINT from their usual meaning. Answers the descriptor that becomes readable with the first.
  static func take() -> Int32 {
    guard let ends = makePipe() else { return -1 }
    pipe = ends
    for number in [SIGTERM, SIGINT] {
      signal(number) { _ in
        // Only what is safe in a signal handler: one write of one byte.
        var byte: UInt8 = 1
        _ = write(Signals.pipe.write, &byte, 1)
      }
    }
    return ends.read
  }

  /// Takes SIGHUP from its usual meaning. Answers a descriptor from which one byte can be read for each signal. Signals
  /// are lost while the pipe is full, so it has to be read.
  static func takeHangUps() -> Int32 {
    guard let ends = makePipe(), fcntl(ends.read, F_SETFL, O_NONBLOCK) == 0, fcntl(ends.write, F_SETFL, O_NONBLOCK) == 0
    else { return -1 }
    hangUps = ends
    signal(SIGHUP) { _ in
      var byte: UInt8 = 1
      _ = write(Signals.hangUps.write, &byte, 1)
    }
    return ends.read
  }

  /// Whether SIGHUP came since the last call.
  static func hungUp(_ descriptor: Int32) -> Bool {
    var byte: UInt8 = 0
    var heard = false
    while read(descriptor, &byte, 1) == 1 { heard = true }
    return heard
  }

  private static func makePipe() -> (read: Int32, write: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Waits until a signal came, at most this many milliseconds. For commands, which have a thread to wait on.
  static func arrived(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&ready, 1, milliseconds) > 0
  }
}
