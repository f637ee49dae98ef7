import CPlatform
import Foundation

/// Real-time priority (sched(7)), as this machine gives it.
package enum RealTime {
  /// Whether threads of this process may have it; tried on one of its own.
  package static let isAllowed: Bool = {
    let (tried, answer) = (DispatchSemaphore(value: 0), Answer())
    Thread.detachNewThread {
      answer.isAllowed = platform_go_first(true) == 0
      tried.signal()
    }
    tried.wait()
    return answer.isAllowed
  }()

  /// Whether a thread or a process of one has it; 0 is the calling thread.
  package static func goesFirst(_ thread: Int32) -> Bool {
    let resetOnFork: Int32 = 0x4000_0000
    return sched_getscheduler(thread) & ~resetOnFork == SCHED_RR
  }

  private final class Answer: @unchecked Sendable {
    // SAFETY: written before the signal, read after the wait.
    var isAllowed = false
  }
}
