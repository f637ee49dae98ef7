#if canImport(SwiftUI) && (os(iOS) || os(macOS) || os(visionOS))
  public import GatehouseClient

  #if os(macOS)
    import AppKit
  #else
    import UIKit
  #endif

  /// The window that the person works with.
  @MainActor
  enum FrontWindow {
    #if os(macOS)
      static var current: NSWindow? { NSApplication.shared.keyWindow }
    #else
      static var current: UIWindow? {
        UIApplication.shared.connectedScenes.compactMap { ($0 as? UIWindowScene)?.keyWindow }.first
      }
    #endif
  }

  extension PasskeyController {
    /// The system's passkeys over the window in front: `configuration.passkeys = PasskeyController.system`. The app
    /// names the server's host in its associated domains.
    public nonisolated static var system: PasskeyController { PasskeyController(window: { FrontWindow.current }) }
  }
#endif
