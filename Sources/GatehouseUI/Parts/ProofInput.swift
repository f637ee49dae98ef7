#if canImport(SwiftUI)
  import GatehouseClient
  import SwiftUI

  /// The proof that the server asks for: a second factor, the password of now, or the code of a mail for an account
  /// without one.
  struct ProofInput: View {
    @ObservedObject var model: ProvingModel
    @Environment(\.words) private var words

    var body: some View {
      if model.askedFactor != nil {
        FactorInput(model: model).submitLabel(.done)
        if model.offersOtherProof {
          SideButton(title: model.asksForCode ? words.useMailedCode : words.usePassword) { model.useOtherProof() }
        }
      } else if model.asksForCode {
        TextInput(label: words.proofCode, text: $model.proofCode, kind: .code, error: model.fieldErrors["code"])
        if model.secondsUntilCode > 0 {
          Remark(text: words.resendIn(model.secondsUntilCode), symbol: "clock")
        } else {
          SideButton(title: words.mailCode) { Haptics.play(await model.sendProofCode()) }
        }
      } else {
        PasswordInput(label: words.currentPassword, password: $model.password, error: model.fieldErrors["password"])
          .submitLabel(.done)
      }
    }
  }
#endif
