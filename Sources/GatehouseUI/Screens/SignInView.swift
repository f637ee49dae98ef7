#if canImport(SwiftUI)
  public import GatehouseClient
  public import SwiftUI

  /// Address and password, and the ways to a new account and to another password.
  public struct SignInView: View {
    private enum Input: String { case email, password }
    private enum Place: Hashable { case signIn, signUp, reset }

    private let client: AuthClient
    private let message: String?
    @StateObject private var model: SignInModel
    @StateObject private var session: SessionModel
    @State private var place = Place.signIn
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

    private var form: some View {
      Screen(title: words.welcome(session.policy?.appName ?? "")) {
        if let message { Remark(text: message) }
        TextInput(label: words.email, text: $model.email, kind: .email, error: model.fieldErrors["email"])
          .focused($focus, equals: .email)
          .submitLabel(.next)
          .onSubmit { focus = .password }
        PasswordInput(label: words.password, password: $model.password, error: model.fieldErrors["password"])
          .focused($focus, equals: .password)
          .submitLabel(.go)
          .onSubmit { Task { Haptics.play(await submit()) } }
        Notice(model: model) { await submit() }
        if model.secondsLeft > 0 { Remark(text: words.waitFor(model.secondsLeft), symbol: "clock") }
        MainButton(title: words.signInTo, isWorking: model.isWorking) { await submit() }
        ProviderButtons(client: client, policy: session.policy)
        SideButton(title: words.forgot) { place = .reset }
        SideButton(title: words.createAccount) { place = .signUp }
      }
      .task { await session.load() }
    }

    private func submit() async -> Bool {
      let isDone = await model.submit()
      if !isDone { focus = model.firstFault.flatMap(Input.init(rawValue:)) }
      return isDone
    }
  }
#endif
