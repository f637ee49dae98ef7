#if canImport(SwiftUI)
  public import GatehouseClient
  public import SwiftUI

  /// Another address, and the code of the mail that it gets.
  public struct ChangeEmailView: View {
    @StateObject private var model: ChangeEmailModel
    @FocusState private var focus: String?

    /// The form.
    public init(client: AuthClient) { _model = StateObject(wrappedValue: ChangeEmailModel(client)) }

    private var words: Words { Words(model.client.configuration.languages) }

    /// The step that the person has reached.
    public var body: some View {
      Screen(title: words.changeEmail) {
        switch model.step {
        case .address:
          TextInput(label: words.newEmail, text: $model.email, kind: .newEmail, error: model.fieldErrors["email"])
            .focused($focus, equals: "email")
            .submitLabel(.next)
          ProofInput(model: model)
        case .code:
          Text(words.mailed(model.email))
          TextInput(label: words.code, text: $model.code, kind: .code, error: model.fieldErrors["code"])
            .focused($focus, equals: "code")
            .submitLabel(.done)
            .onSubmit { Task { Haptics.play(await submit()) } }
        case .done: Remark(text: words.emailChanged, symbol: "checkmark.circle")
        }
        Notice(model: model) { await submit() }
        if model.step != .done {
          MainButton(title: words.continueWord, isWorking: model.isWorking) { await submit() }
        }
        if model.step == .code {
          ResendButton(secondsLeft: model.secondsLeft) { await model.resend() }
          SideButton(title: words.anotherAddress) { model.back() }
        }
      }
      .turns(with: model.step)
      .task { await model.load() }
      .modifier(Own(client: model.client))
    }

    private func submit() async -> Bool {
      let isDone = await model.submit()
      if !isDone { focus = model.firstFault }
      return isDone
    }
  }
#endif
