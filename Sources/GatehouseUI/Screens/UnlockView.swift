#if canImport(SwiftUI)
  public import GatehouseClient
  public import SwiftUI

  /// Asks the owner of the device to open the session, as soon as the app is in front, and again on a tap.
  public struct UnlockView: View {
    private let client: AuthClient
    @StateObject private var model: SessionModel
    @Environment(\.scenePhase) private var phase

    /// The screen of this client's locked session.
    public init(client: AuthClient) {
      self.client = client
      _model = StateObject(wrappedValue: SessionModel(client))
    }

    private var words: Words { Words(client.configuration.languages) }

    /// The screen.
    public var body: some View {
      Screen(title: words.locked) {
        Notice(model: model) { await model.unlock() }
        MainButton(title: words.unlock, isWorking: model.isWorking) { await model.unlock() }
        SideButton(title: words.signOut, role: .destructive) { await client.signOut() }
      }
      // The system asks nothing for an app that is not in front. Its question itself makes the app inactive: a second
      // one is asked on a tap alone.
      .task(id: phase == .background) { if phase != .background { await model.unlock() } }
      .modifier(Own(client: client))
    }
  }
#endif
