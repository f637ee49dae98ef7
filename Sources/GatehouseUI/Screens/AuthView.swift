#if canImport(SwiftUI)
  public import Foundation
  public import GatehouseClient
  public import SwiftUI

  /// The root of an app: a signed-in person goes straight in, and everyone else sees what they have to do.
  ///
  /// It follows the state of the client, and has the look of the tenant's policy. With `AuthConfiguration.unlock` it
  /// asks for Face ID and its like before a stored session opens, and covers the app while it is not in front.
  public struct AuthView<Content: View>: View {
    private let client: AuthClient
    private let redirect: URL?
    private let content: (AuthUser) -> Content
    @StateObject private var session: SessionModel
    /// Its recovery codes are shown when the step that made them is done.
    @StateObject private var factors: FactorsModel
    @Environment(\.scenePhase) private var phase

    /// `content` is the app itself. `redirect` is the address that providers send the person back to: it opens the app.
    public init(client: AuthClient, redirect: URL? = nil, @ViewBuilder content: @escaping (AuthUser) -> Content) {
      self.client = client
      self.redirect = redirect
      self.content = content
      _session = StateObject(wrappedValue: SessionModel(client))
      _factors = StateObject(wrappedValue: FactorsModel(client))
    }

    /// The screen of the state.
    public var body: some View {
      ZStack {
        screen.turns(with: session.state.screen)
        if client.configuration.unlock.isOn, phase != .active { Cover(name: name) }
      }
      .task { await session.load() }
      // The offer ends with the upgrade, and the task with it: the recovery codes are waited for outside of it.
      .task(id: session.offers) { Task { await factors.upgrade() } }
      .onChange(of: phase) { phase in
        switch phase {
        case .active: Task { await client.foreground() }
        case .background: Task { await client.background() }
        default: break
        }
      }
      .modifier(Surroundings(client: client, policy: session.policy))
    }

    private var name: String { session.policy?.appName ?? "" }

    @ViewBuilder private var screen: some View {
      if factors.recoveryCodes.isEmpty || session.user == nil { stateScreen } else { RecoveryCodesView(model: factors) }
    }

    @ViewBuilder private var stateScreen: some View {
      switch session.state.screen {
      case .starting: Starting()
      case .unlock: UnlockView(client: client)
      case .signIn: SignInView(client: client, message: session.signedOutMessage)
      case .verifyEmail: VerifyView(client: client)
      case .changeEmail: Step(client: client) { ChangeEmailView(client: client) }
      case .changePassword: Step(client: client) { ChangePasswordView(client: client) }
      case .enrollMFA: Step(client: client) { FactorsView(model: factors) }
      case .verifyMFA: Step(client: client) { SecondStepView(client: client) }
      case .link(let provider):
        Step(client: client) { LinkView(client: client, provider: provider, redirect: redirect) }
      case .profile: Step(client: client) { ProfileView(client: client, isStep: true) }
      case .other(let step): Step(client: client) { OtherStep(session: session, step: step) }
      case .app: if let user = session.user { content(user) }
      }
    }
  }

  extension AuthView where Content == AccountView {
    /// With the account as the app's only content.
    public init(client: AuthClient, redirect: URL? = nil) {
      self.init(client: client, redirect: redirect) { _ in AccountView(client: client, redirect: redirect) }
    }
  }

  /// Gives screens their words and, unless the app gave another, the look of the policy.
  struct Surroundings: ViewModifier {
    @Environment(\.authTheme) private var given
    @Environment(\.isDressed) private var isDressed
    @Environment(\.colorScheme) private var scheme
    let client: AuthClient
    let policy: AuthPolicy?

    func body(content: Content) -> some View {
      let theme = given.isDefault && !isDressed ? policy.map { AuthTheme($0.theme) } ?? given : given
      content
        .environment(\.authTheme, theme)
        .environment(\.words, Words(client.configuration.languages))
        .environment(\.isDressed, policy != nil || isDressed)
        .tint(theme.color(scheme))
        .preferredColorScheme(theme.appearance)
    }
  }

  /// Before the store was read.
  private struct Starting: View {
    @Environment(\.words) private var words

    var body: some View { ProgressView().accessibilityLabel(words.starting) }
  }

  /// Hides the app in the system's list of apps.
  private struct Cover: View {
    @Environment(\.colorScheme) private var scheme
    let name: String

    var body: some View {
      ZStack {
        (scheme == .dark ? Color.black : .white)
        Mark(name: name).padding(AuthTheme.space(3))
      }
      .accessibilityHidden(true)
    }
  }

  /// A screen of a person who is not fully in: it offers to sign out.
  private struct Step<Content: View>: View {
    @Environment(\.words) private var words
    let client: AuthClient
    @ViewBuilder let content: Content

    var body: some View {
      VStack(spacing: 0) {
        content
        SideButton(title: words.signOut, role: .destructive) { await client.signOut() }.padding(AuthTheme.space(1))
      }
    }
  }

  /// A step of a newer server, with its sentence.
  private struct OtherStep: View {
    @Environment(\.words) private var words
    @ObservedObject var session: SessionModel
    let step: AuthStep

    var body: some View {
      Screen(title: words.oneMore) {
        if let message = step.message { Remark(text: message) }
        Notice(model: session) { await session.reload() }
        MainButton(title: words.continueWord, isWorking: session.isWorking) { await session.reload() }
      }
    }
  }
#endif
