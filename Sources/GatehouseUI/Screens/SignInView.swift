#if canImport(SwiftUI)
  public import GatehouseClient
  public import SwiftUI

  /// Address and password, a passkey where the policy has some, and the ways to a new account and to another password.
  public struct SignInView: View {
    private enum Input: String { case email, password }
    private enum Place: Hashable { case signIn, signUp, reset }

    private let client: AuthClient
    private let message: String?
    @StateObject private var model: SignInModel
    @StateObject private var session: SessionModel
    @State private var place = Place.signIn
    /// Whether another try is one with a passkey.
    @State private var wasPasskey = false
    @FocusState private var focus: Input?

    /// The form. `message` stands above it: the reason why the session ended, for example.
    public init(client: AuthClient, message: String? = nil) {
      self.client = client
      self.message = message
      _model = StateObject(wrappedValue: SignInModel(client))
      _session = StateObject(wrappedValue: SessionModel(client))
    }

    private var words: Words { Words(client.configuration.languages) }

    /// The form, or the screen that the person went on to. What was typed stays.
    public var body: some View {
      Group {
        switch place {
        case .signIn:
          if let step = model.secondStep {
            SecondStepView(model: step) { model.back() }.id(step.id)
          } else {
            form
          }
        case .signUp: SignUpView(client: client, email: model.email) { place = .signIn }
        case .reset: ResetView(client: client, email: model.email) { place = .signIn }
        }
      }
      .turns(with: place)
      .moves(with: model.secondStep?.id)
      .modifier(Surroundings(client: client, policy: session.policy))
    }

    @ViewBuilder private var inputs: some View {
      TextInput(label: words.email, text: $model.email, kind: .email, error: model.fieldErrors["email"])
        .focused($focus, equals: .email)
        .submitLabel(.next)
        .onSubmit { focus = .password }
      PasswordInput(label: words.password, password: $model.password, error: model.fieldErrors["password"])
        .focused($focus, equals: .password)
        .submitLabel(.go)
        .onSubmit { Task { Haptics.play(await submit()) } }
    }

    private var form: some View {
      Screen(title: words.welcome(session.policy?.appName ?? "")) {
        if let message { Remark(text: message) }
        if hasPasswords { inputs }
        Notice(model: model) { wasPasskey ? await model.submitWithPasskey() : await submit() }
        if model.secondsLeft > 0 { Remark(text: words.waitFor(model.secondsLeft), symbol: "clock") }
        if hasPasswords {
          MainButton(title: words.signInTo, isWorking: model.isWorking) { await submit() }
          if model.takesPasskeys {
            SideButton(title: words.signInWithPasskey) { await submitWithPasskey() }
          }
        } else if model.takesPasskeys {
          MainButton(title: words.signInWithPasskey, isWorking: model.isWorking) {
            await submitWithPasskey()
            return nil
          }
        }
        if model.hasFormerPasskeys {
          SideButton(title: words.signInWithFormer) { await submitWithPasskey(former: true) }
        }
        ProviderButtons(client: client, policy: session.policy)
        if hasPasswords { SideButton(title: words.forgot) { place = .reset } }
        SideButton(title: words.createAccount) { place = .signUp }
      }
      .task {
        await session.load()
        await model.load()
      }
      .task(id: offersPasskeys) { if offersPasskeys { await model.offerPasskeys() } }
    }

    private var hasPasswords: Bool { session.policy?.hasPasswords != false }

    /// Another question of the system ends the offer, and it begins again behind it.
    private var offersPasskeys: Bool { model.takesPasskeys && hasPasswords && !model.isWorking }

    /// A question that the person closed is no failure.
    private func submitWithPasskey(former: Bool = false) async {
      wasPasskey = true
      let isDone = await model.submitWithPasskey(former: former)
      if isDone || model.error != nil { Haptics.play(isDone) }
    }

    private func submit() async -> Bool {
      wasPasskey = false
      let isDone = await model.submit()
      if !isDone { focus = model.firstFault.flatMap(Input.init(rawValue:)) }
      return isDone
    }
  }
#endif
