#if canImport(SwiftUI)
  public import Foundation
  public import GatehouseClient
  public import SwiftUI

  #if os(iOS)
    import UIKit
  #elseif os(macOS)
    import AppKit
  #endif

  /// One button that opens a provider's page over the app, to link an account there.
  public struct LinkView: View {
    @StateObject private var model: LinkModel
    @Environment(\.openURL) private var openURL

    /// A screen for this provider. `redirect` is the address that the provider sends the person back to.
    public init(client: AuthClient, provider: String, redirect: URL?) {
      _model = StateObject(wrappedValue: LinkModel(client, provider: provider, redirect: redirect))
    }

    private var name: String { model.provider.capitalized }

    private var words: Words { Words(model.client.configuration.languages) }

    /// The screen.
    public var body: some View {
      Screen(title: words.connect(name)) {
        Notice(model: model) { await link() }
        MainButton(title: words.connectTo(name), isWorking: model.isWorking) { await link() }
      }
      // The system ended the app while the page was open, or the page was opened in the browser: the address opens the
      // app itself.
      .onOpenURL { address in Task { Haptics.play(await model.finish(at: address)) } }
      .modifier(Own(client: model.client))
    }

    private func link() async -> Bool {
      guard await model.submit(), let flow = model.flow else { return false }
      #if os(iOS) || os(macOS)
        guard let window = Self.window else {
          openURL(flow.url)
          return true
        }
        do {
          return await model.finish(at: try await flow.run(from: window))
        } catch {
          // The person closed the page, or this system brings no web address back: then the browser does.
          if error.code == .cancelled { model.cancel() } else { openURL(flow.url) }
          return false
        }
      #else
        openURL(flow.url)
        return true
      #endif
    }

    #if os(iOS)
      private static var window: UIWindow? {
        UIApplication.shared.connectedScenes.compactMap { ($0 as? UIWindowScene)?.keyWindow }.first
      }
    #elseif os(macOS)
      private static var window: NSWindow? { NSApplication.shared.keyWindow }
    #endif
  }
#endif
