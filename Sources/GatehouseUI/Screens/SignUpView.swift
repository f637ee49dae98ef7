#if canImport(SwiftUI)
  public import GatehouseClient
  public import SwiftUI

  /// A new account: the fields of the policy, judged while the person types by the rules that the server has.
  public struct SignUpView: View {
    private let back: (() -> Void)?
    @StateObject private var model: SignUpModel
    @FocusState private var focus: String?

    /// The form, with an address that was typed before. `back` leads to sign-in.
    public init(client: AuthClient, email: String = "", back: (() -> Void)? = nil) {
      self.back = back
      _model = StateObject(wrappedValue: Self.model(client, email))
    }

    private static func model(_ client: AuthClient, _ email: String) -> SignUpModel {
      let model = SignUpModel(client)
      model.email = email
      return model
    }

    private var words: Words { Words(model.client.configuration.languages) }

    /// The form.
    public var body: some View {
      Screen(title: words.createFor(model.policy?.appName ?? "")) {
        ForEach(model.inputs, id: \.self) { name in
          input(name)
            .focused($focus, equals: name)
            .submitLabel(name == model.inputs.last ? .join : .next)
            .onSubmit { goOn(from: name) }
          if name == "password" { Checklist(rows: model.rows.filter { $0.input == name }) }
        }
        Notice(model: model) { await submit() }
        if model.policy?.hasPasswords != false {
          MainButton(title: words.create, isWorking: model.isWorking) { await submit() }
          if model.takesPasskeys { SideButton(title: words.signUpWithPasskey) { await submitWithPasskey() } }
        } else if model.takesPasskeys {
          MainButton(title: words.signUpWithPasskey, isWorking: model.isWorking) {
            await submitWithPasskey()
            return nil
          }
        }
        ProviderButtons(client: model.client, policy: model.policy)
        Terms()
        if let back { SideButton(title: words.haveAccount) { back() } }
      }
      .task { await model.load() }
      .modifier(Own(client: model.client))
    }

    @ViewBuilder private func input(_ name: String) -> some View {
      let error = model.fieldErrors[name]
      switch name {
      case "email": TextInput(label: words.email, text: $model.email, kind: .newEmail, error: error)
      case "password": PasswordInput(label: words.password, password: $model.password, error: error, isNew: true)
      case "confirmation":
        PasswordInput(label: words.passwordAgain, password: $model.confirmation, error: error, isNew: true)
      default:
        if let field = model.fields.first(where: { $0.name == name }) {
          FieldInput(field: field, text: $model[name], error: error)
        }
      }
    }

    private func goOn(from name: String) {
      let inputs = model.inputs
      if let index = inputs.firstIndex(of: name), index + 1 < inputs.count {
        focus = inputs[index + 1]
      } else {
        Task {
          if model.policy?.hasPasswords == false { await submitWithPasskey() } else { Haptics.play(await submit()) }
        }
      }
    }

    private func submit() async -> Bool {
      let isDone = await model.submit()
      if !isDone { focus = model.firstFault }
      return isDone
    }

    /// A question that the person closed is no failure.
    private func submitWithPasskey() async {
      let isDone = await model.submitWithPasskey()
      if !isDone { focus = model.firstFault }
      if isDone || model.error != nil { Haptics.play(isDone) }
    }
  }

  /// The app's terms, where the policy names them.
  private struct Terms: View {
    @Environment(\.authTheme) private var theme
    @Environment(\.words) private var words

    var body: some View {
      if let terms = theme.terms { Link(words.terms, destination: terms).font(theme.note) }
      if let privacy = theme.privacy { Link(words.privacy, destination: privacy).font(theme.note) }
    }
  }
#endif
