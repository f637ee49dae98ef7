#if canImport(SwiftUI)
  import GatehouseClient
  import SwiftUI

  /// The surroundings of a screen that an app shows by itself, without `AuthView`: the words, and the policy's look.
  struct Own: ViewModifier {
    private let client: AuthClient
    @Environment(\.isDressed) private var isDressed
    @StateObject private var session: SessionModel

    init(client: AuthClient) {
      self.client = client
      _session = StateObject(wrappedValue: SessionModel(client))
    }

    func body(content: Content) -> some View {
      content
        .task { if !isDressed { await session.load() } }
        .modifier(Surroundings(client: client, policy: session.policy))
    }
  }
#endif
