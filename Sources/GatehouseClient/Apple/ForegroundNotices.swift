import Foundation

/// Tells when the app comes to the front. By the notice's name, so that extensions can use the client without UIKit.
final class ForegroundNotices: Sendable {
  #if os(iOS) || os(tvOS) || os(visionOS)
    private let tokens = Locked<[any NSObjectProtocol]>([])

    func observe(_ body: @escaping @Sendable () -> Void) {
      let names = ["UIApplicationWillEnterForegroundNotification", "UIApplicationProtectedDataDidBecomeAvailable"]
      tokens.withLock { tokens in
        tokens = names.map { name in
          NotificationCenter.default.addObserver(forName: Notification.Name(name), object: nil, queue: nil) { _ in
            body()
          }
        }
      }
    }

    deinit { tokens.withLock { $0.forEach(NotificationCenter.default.removeObserver) } }
  #else
    func observe(_ body: @escaping @Sendable () -> Void) {}
  #endif
}
