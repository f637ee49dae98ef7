#if canImport(SwiftUI)
  public import GatehouseClient
  public import SwiftUI

  /// A forgotten password: the address, then the code of the mail and a new password.
  public struct ResetView: View {
    private enum Input: String { case email, code, password, confirmation }

    private let back: (() -> Void)?
    @StateObject private var model: ForgotPasswordModel
    @FocusState private var focus: Input?

    /// The form, with an address that was typed before. `back` leads to sign-in.
    public init(client: AuthClient, email: String = "", back: (() -> Void)? = nil) {
      self.back = back
      _model = StateObject(wrappedValue: Self.model(client, email))
    }

    private static func model(_ client: AuthClient, _ email: String) -> ForgotPasswordModel {
      let model = ForgotPasswordModel(client)
      (model.email, model.asksTwice) = (email, true)
      return model
    }

    private var words: Words { Words(model.client.configuration.languages) }

    /// The step that the person has reached.
    public var body: some View {
      Screen(title: model.step == .address ? words.forgot : words.choosePassword) {
        switch model.step {
        case .address: address
        case .code: code
        case .done: Remark(text: words.passwordSaved, symbol: "checkmark.circle")
        }
        if let back { SideButton(title: words.back) { back() } }
      }
      .turns(with: model.step)
      .task { await model.load() }
      .modifier(Own(client: model.client))
    }

    @ViewBuilder private var address: some View {
      TextInput(label: words.email, text: $model.email, kind: .email, error: model.fieldErrors["email"])
        .focused($focus, equals: .email)
        .submitLabel(.send)
        .onSubmit { Task { Haptics.play(await submit()) } }
      Notice(model: model) { await submit() }
      MainButton(title: words.sendMail, isWorking: model.isWorking) { await submit() }
    }

    @ViewBuilder private var code: some View {
      Text(words.maybeMailed(model.email))
      TextInput(label: words.code, text: $model.code, kind: .code, error: model.fieldErrors["code"])
        .focused($focus, equals: .code)
        .submitLabel(.next)
        .onSubmit { focus = .password }
      PasswordInput(
        label: words.newPassword, password: $model.password, error: model.fieldErrors["password"], isNew: true
      )
      .focused($focus, equals: .password)
      .submitLabel(.next)
      .onSubmit { focus = .confirmation }
      Checklist(rows: model.rows)
      PasswordInput(
        label: words.passwordAgain, password: $model.confirmation, error: model.fieldErrors["confirmation"], isNew: true
      )
      .focused($focus, equals: .confirmation)
      .submitLabel(.done)
      .onSubmit { Task { Haptics.play(await submit()) } }
      Notice(model: model) { await submit() }
      MainButton(title: words.savePassword, isWorking: model.isWorking) { await submit() }
      ResendButton(secondsLeft: model.secondsLeft) { await model.resend() }
      SideButton(title: words.anotherAddress) { model.back() }
    }

    private func submit() async -> Bool {
      let isDone = await model.submit()
      focus = isDone ? (model.step == .code ? .code : nil) : model.firstFault.flatMap(Input.init(rawValue:))
      return isDone
    }
  }
#endif
