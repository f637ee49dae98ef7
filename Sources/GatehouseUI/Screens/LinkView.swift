#if canImport(SwiftUI)
  public import Foundation
  public import GatehouseClient
  public import SwiftUI

  /// An account at a provider: one button opens the provider's page over the app, to link it, or unlinks it.
  public struct LinkView: View {
    @StateObject private var model: LinkModel
    @State private var isAsking = false
    @Environment(\.openURL) private var openURL

    /// A screen for this provider. `redirect` is the address that the provider sends the person back to.
    public init(client: AuthClient, provider: String, redirect: URL?) {
      _model = StateObject(wrappedValue: LinkModel(client, provider: provider, redirect: redirect))
    }

    private var words: Words { Words(model.client.configuration.languages) }

    /// The screen.
    public var body: some View {
      Screen(title: model.isLinked ? model.title : words.connect(model.title)) {
        if model.isLinked {
          if model.error?.code == .reauthenticationRequired { ProofInput(model: model) }
          Notice(model: model) { await model.unlink() }
          MainButton(title: words.disconnect(model.title), isWorking: model.isWorking, role: .destructive) {
            isAsking = true
            return nil
          }
        } else {
          Notice(model: model) { await link() }
          MainButton(title: words.connectTo(model.title), isWorking: model.isWorking) { await link() }
        }
      }
      .confirmationDialog(words.disconnect(model.title), isPresented: $isAsking, titleVisibility: .visible) {
        Button(words.disconnect(model.title), role: .destructive) { Task { Haptics.play(await model.unlink()) } }
        Button(words.cancel, role: .cancel) {}
      }
      .moves(with: model.isLinked)
      // The system ended the app while the page was open, or the page was opened in the browser: the address opens the
      // app itself.
      .onOpenURL { address in Task { Haptics.play(await model.finish(at: address)) } }
      .modifier(Own(client: model.client))
    }

    private func link() async -> Bool {
      guard await model.submit(), let flow = model.flow else { return false }
      #if os(iOS) || os(macOS)
        guard let window = FrontWindow.current else {
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
  }
#endif
