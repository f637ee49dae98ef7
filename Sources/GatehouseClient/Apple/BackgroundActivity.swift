import Foundation

/// Asks the system to let a few seconds of work end before the app is suspended.
final class BackgroundActivity: Sendable {
  #if os(iOS) || os(tvOS) || os(watchOS)
    private let done = DispatchSemaphore(value: 0)

    init(_ reason: String) {
      let done = done
      DispatchQueue.global().async {
        ProcessInfo.processInfo.performExpiringActivity(withReason: reason) { isExpired in
          if isExpired { done.signal() } else { _ = done.wait(timeout: .now() + 30) }
        }
      }
    }

    /// The work is done.
    func end() { done.signal() }
  #else
    init(_ reason: String) {}

    /// The work is done.
    func end() {}
  #endif
}
