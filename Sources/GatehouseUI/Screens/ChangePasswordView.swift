#if canImport(SwiftUI)
  public import GatehouseClient
  public import SwiftUI

  /// The password of now, and a new one.
  public struct ChangePasswordView: View {
    private enum Input: String {
      case current = "current_password"
      case password, confirmation
    }

    @StateObject private var model: ChangePasswordModel
    @FocusState private var focus: Input?

    /// The form.
    public init(client: AuthClient) { _model = StateObject(wrappedValue: ChangePasswordModel(client)) }

    private var words: Words { Words(model.client.configuration.languages) }

    /// The form.
    public var body: some View {
      Screen(title: words.changePassword) {
        PasswordInput(
          label: words.currentPassword, password: $model.current, error: model.fieldErrors["current_password"]
        )
        .focused($focus, equals: .current)
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
          label: words.passwordAgain, password: $model.confirmation, error: model.fieldErrors["confirmation"],
          isNew: true
        )
        .focused($focus, equals: .confirmation)
        .submitLabel(.done)
        .onSubmit { Task { Haptics.play(await submit()) } }
        FactorInput(model: model).submitLabel(.done)
        Notice(model: model) { await submit() }
        if model.isDone { Remark(text: words.passwordSaved, symbol: "checkmark.circle") }
        MainButton(title: words.savePassword, isWorking: model.isWorking) { await submit() }
      }
      .task { await model.load() }
      .modifier(Own(client: model.client))
    }

    private func submit() async -> Bool {
      let isDone = await model.submit()
      focus = isDone ? nil : model.firstFault.flatMap(Input.init(rawValue:))
      return isDone
    }
  }
#endif
