import Foundation
import GatehouseClient
import SwiftUI

#if os(iOS)
  import UIKit
#else
  import AppKit
#endif

/// One button that opens the provider's page over the app.
struct LinkScreen: View {
  private let client: AuthClient
  @StateObject private var model: LinkModel

  init(_ client: AuthClient, provider: String, redirect: URL?) {
    self.client = client
    _model = StateObject(wrappedValue: LinkModel(client, provider: provider, redirect: redirect))
  }

  private var name: String { model.provider.capitalized }

  var body: some View {
    Page(title: "Connect \(name)") {
      Text("Please connect your \(name) account")
      MessageRow(message: model.message)
      MainButton(title: "Connect \(name)", isWorking: model.isWorking) { await link() }
      Button("Sign out", role: .destructive) { Task { await client.signOut() } }
    }
    // The system ended the app while the page was open: the address opens the app itself.
    .onOpenURL { address in Task { await model.finish(at: address) } }
  }

  private func link() async {
    guard await model.submit(), let flow = model.flow, let window = Self.window else { return }
    do {
      let address = try await flow.run(from: window)
      await model.finish(at: address)
    } catch {
      model.cancel()
    }
  }

  #if os(iOS)
    private static var window: UIWindow? {
      UIApplication.shared.connectedScenes.compactMap { ($0 as? UIWindowScene)?.keyWindow }.first
    }
  #else
    private static var window: NSWindow? { NSApplication.shared.keyWindow }
  #endif
}
