import Foundation

/// A moment of an app's life that the client acts on.
enum AppMoment: Sendable {
  /// The app comes to the front, or the device was unlocked: what is stored may have changed.
  case returns
  /// The person works with the app.
  case inFront
  /// The person left the app.
  case left
}

/// Tells the moments of the app's life. By the names of the notices, so that extensions can use the client without
/// UIKit. On watchOS and Linux there are none: the app calls `foreground()` and `background()` there.
final class AppNotices: Sendable {
  #if os(iOS) || os(tvOS) || os(visionOS)
    private static let moments: [(name: String, moment: AppMoment)] = [
      ("UIApplicationWillEnterForegroundNotification", .returns),
      ("UIApplicationProtectedDataDidBecomeAvailable", .returns),
      ("UIApplicationDidBecomeActiveNotification", .inFront),
      ("UIApplicationDidEnterBackgroundNotification", .left),
    ]
  #elseif os(macOS)
    private static let moments: [(name: String, moment: AppMoment)] = [
      ("NSApplicationDidBecomeActiveNotification", .returns),
      ("NSApplicationDidBecomeActiveNotification", .inFront),
      ("NSApplicationDidHideNotification", .left),
    ]
  #endif

  #if os(iOS) || os(tvOS) || os(visionOS) || os(macOS)
    private let tokens = Locked<[any NSObjectProtocol]>([])

    func observe(_ body: @escaping @Sendable (AppMoment) -> Void) {
      let observed = Self.moments.map { name, moment in
        NotificationCenter.default.addObserver(forName: Notification.Name(name), object: nil, queue: nil) { _ in
          body(moment)
        }
      }
      tokens.withLock { $0 += observed }
    }

    deinit { tokens.withLock { $0.forEach(NotificationCenter.default.removeObserver) } }
  #else
    func observe(_ body: @escaping @Sendable (AppMoment) -> Void) {}
  #endif
}
