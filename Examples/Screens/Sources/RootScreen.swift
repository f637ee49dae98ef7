public import GatehouseClient
public import SwiftUI

/// The first screen: a signed-in person goes straight in, all others see what they have to do.
public struct RootScreen<Content: View>: View {
  private let client: AuthClient
  private let app: AppDescription
  private let content: (AuthUser) -> Content
  @StateObject private var session: SessionModel
  @Environment(\.scenePhase) private var phase

  /// `content` is the app itself.
  public init(_ client: AuthClient, app: AppDescription, @ViewBuilder content: @escaping (AuthUser) -> Content) {
    self.client = client
    self.app = app
    self.content = content
    _session = StateObject(wrappedValue: SessionModel(client))
  }

  /// The screen of the state.
  public var body: some View {
    screen
      .environment(\.app, app)
      .tint(app.theme.tint)
      .preferredColorScheme(app.theme.appearance)
      .onChange(of: phase) { phase in
        if phase == .active { Task { await client.foreground() } }
      }
  }

  @ViewBuilder private var screen: some View {
    switch session.state {
    case .restoring, .locked:
      ProgressView().accessibilityLabel("Starting \(app.name)")
    case .signedOut(let reason):
      NavigationStack { SignInScreen(client, reason: reason) }
    case .awaitingEmail:
      NavigationStack { VerifyEmailScreen(client) }
    case .limited(let user, let next):
      NavigationStack { step(next.first, user) }
    case .signedIn(let user):
      content(user)
    }
  }

  /// The screen of what is missing; a step that this version does not know has the server's sentence.
  @ViewBuilder private func step(_ step: AuthStep?, _ user: AuthUser) -> some View {
    switch step?.kind {
    case .verifyEmail: VerifyEmailScreen(client)
    case .link(let provider): LinkScreen(client, provider: provider, redirect: app.redirect)
    case .changeEmail, .changePassword, .profile, .unknown, nil: ProfileScreen(client, user: user, missing: step)
    }
  }
}
