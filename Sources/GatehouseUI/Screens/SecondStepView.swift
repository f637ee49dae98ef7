#if canImport(SwiftUI)
  public import GatehouseClient
  public import SwiftUI

  /// The second step: a code of the authenticator app, a passkey, or a recovery code.
  public struct SecondStepView: View {
    @StateObject private var model: SecondStepModel
    private let back: (@MainActor () -> Void)?

    /// The step of a sign-in: `SignInModel.secondStep`. `back` leads to the form that it began in.
    public init(model: SecondStepModel, back: @escaping @MainActor () -> Void) {
      _model = StateObject(wrappedValue: model)
      self.back = back
    }

    /// The step of a session whose policy asks for a second factor once more.
    public init(client: AuthClient) {
      _model = StateObject(wrappedValue: SecondStepModel(client))
      back = nil
    }

    private var words: Words { Words(model.client.configuration.languages) }

    /// The form.
    public var body: some View {
      Screen(title: words.enterCode) {
        FactorInput(model: model, takesFocus: true)
          .submitLabel(.go)
          .onSubmit { Task { Haptics.play(await model.submit()) } }
        if let time = model.rememberFor { Toggle(words.rememberDevice(time), isOn: $model.remembersDevice) }
        Notice(model: model) { await model.submit() }
        if model.secondsLeft > 0 { Remark(text: words.waitFor(model.secondsLeft), symbol: "clock") }
        if model.askedFactor != nil {
          MainButton(title: words.continueWord, isWorking: model.isWorking) { await model.submit() }
        }
        if let back { SideButton(title: words.back) { back() } }
      }
      .moves(with: model.askedFactor)
      .task { await model.load() }
      .modifier(Own(client: model.client))
    }
  }
#endif
