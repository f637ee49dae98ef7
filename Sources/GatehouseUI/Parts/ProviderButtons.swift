#if canImport(SwiftUI)
  public import GatehouseClient
  public import SwiftUI

  #if canImport(AuthenticationServices) && !os(watchOS) && !os(tvOS)
    import AuthenticationServices
  #endif

  /// The providers that people sign in with, a button each: those of the policy that this app has a way to.
  struct ProviderButtons: View {
    @Environment(\.providerSignIns) private var ways
    @Environment(\.words) private var words
    @StateObject private var model: SignInModel
    let providers: [AuthPolicy.Provider]

    init(client: AuthClient, policy: AuthPolicy?) {
      _model = StateObject(wrappedValue: SignInModel(client))
      providers = policy?.providers.filter(\.isForSignIn) ?? []
    }

    var body: some View {
      ForEach(providers) { provider in
        if let way = ways[provider.name] {
          ProviderButton(title: words.continueWith(provider.title), logo: way.logo) {
            Haptics.play(await model.submit(with: way.signIn))
          }
        } else if provider.name == "apple" {
          AppleButton(model: model)
        }
      }
      .disabled(model.isWorking)
      // On one view: the buttons would have a sheet each.
      Notice(model: model, retry: nil)
        .sheet(isPresented: $model.asksForSecondStep) {
          if let step = model.secondStep { SecondStepView(model: step) { model.back() }.id(step.id) }
        }
    }
  }

  /// A provider's button on the ground that the policy chose.
  private struct ProviderButton: View {
    @Environment(\.authTheme) private var theme
    let title: String
    let logo: Image?
    let action: @MainActor () async -> Void

    var body: some View {
      Button {
        Task { await action() }
      } label: {
        HStack(spacing: AuthTheme.space(1)) {
          if let logo { logo.resizable().scaledToFit().frame(width: 20, height: 20).accessibilityHidden(true) }
          Text(title).font(theme.label)
        }
        .foregroundStyle(theme.providerGround.text)
        .frame(maxWidth: .infinity, minHeight: 44)
        .background(theme.providerGround.color, in: shape)
        .overlay { shape.stroke(Color.gray) }
      }
      .buttonStyle(.plain)
    }

    private var shape: RoundedRectangle { RoundedRectangle(cornerRadius: theme.radius) }
  }

  /// Apple's own button, which Apple's rules ask for.
  private struct AppleButton: View {
    let model: SignInModel

    #if canImport(AuthenticationServices) && !os(watchOS) && !os(tvOS)
      @Environment(\.authTheme) private var theme
      @State private var nonce = SignInNonce()

      var body: some View {
        SignInWithAppleButton(.continue) { request in
          nonce = SignInNonce()
          request.requestedScopes = [.email]
          request.nonce = nonce.sha256
        } onCompletion: { result in
          Task { await submit(result) }
        }
        .signInWithAppleButtonStyle(theme.providerGround == .black ? .black : .whiteOutline)
        .frame(height: 44)
      }

      private func submit(_ result: Result<ASAuthorization, any Error>) async {
        let nonce = nonce.text
        Haptics.play(
          await model.submit(
            with: ProviderSignIn("apple") { _ in
              do {
                let credential = try result.get().credential as? ASAuthorizationAppleIDCredential
                guard let token = credential?.identityToken else { throw AuthError(.providerError) }
                return .init(idToken: String(decoding: token, as: UTF8.self), nonce: nonce)
              } catch let error as ASAuthorizationError where error.code == .canceled {
                return nil
              }
            }))
      }
    #else
      var body: some View { EmptyView() }
    #endif
  }

  /// A provider's own SDK, and the picture on its button.
  struct ProviderWay {
    var signIn: ProviderSignIn
    var logo: Image?
  }

  extension View {
    /// Lets people sign in with this provider on the screens within, where the policy names it for sign-in. `logo` is
    /// the provider's mark, as its rules ask for. Sign in with Apple needs none of this.
    public func providerSignIn(_ signIn: ProviderSignIn, logo: Image? = nil) -> some View {
      transformEnvironment(\.providerSignIns) { ways in
        ways[signIn.provider] = ProviderWay(signIn: signIn, logo: logo)
      }
    }
  }

  extension EnvironmentValues {
    /// The providers that the app has a way to, by name.
    var providerSignIns: [String: ProviderWay] {
      get { self[ProviderWaysKey.self] }
      set { self[ProviderWaysKey.self] = newValue }
    }

    private struct ProviderWaysKey: EnvironmentKey {
      static var defaultValue: [String: ProviderWay] { [:] }
    }
  }
#endif
