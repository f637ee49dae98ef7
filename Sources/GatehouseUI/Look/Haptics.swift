#if canImport(SwiftUI)
  #if os(iOS)
    import UIKit
  #endif

  /// A short vibration that says how a form went, where the device has one.
  @MainActor
  enum Haptics {
    /// Says whether it succeeded.
    static func play(_ isDone: Bool) {
      #if os(iOS)
        UINotificationFeedbackGenerator().notificationOccurred(isDone ? .success : .error)
      #endif
    }
  }
#endif
