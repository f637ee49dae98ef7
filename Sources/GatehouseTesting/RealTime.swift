import CPlatform
import Foundation

/// Real-time priority (sched(7)), as this machine gives it.
package enum RealTime {
  /// Whether threads of this process may have it; tried on one of its own.
  package static let isAllowed: Bool = {
    let (tried, answer) = (DispatchSemaphore(value: 0), Answer())
    Thread.detachNewThread {
      answer.isAllowed = platform_go_first(0, true) == 0
      tried.signal()
    }
    tried.wait()
    return answer.isAllowed
  }()

  /// Whether processes of a private cluster may have it from this one. They are another user's where this is root, and then
  /// that takes a capability, whatever a limit allows (sched(7)).
  package static let isAllowedForCluster: Bool = {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let effective = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
      .flatMap { UInt64($0.dropFirst("CapEff:".count).trimmingPrefix { $0 == "\t" }, radix: 16) }
    let sysNice: UInt64 = 1 << 23
    return isAllowed && (geteuid() != 0 || (effective ?? 0) & sysNice != 0)
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
