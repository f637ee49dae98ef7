#if canImport(SwiftUI)
  import GatehouseClient
  import SwiftUI

  /// The code of the second factor that a form asks for, or a word about the passkey, with ways to the others.
  struct FactorInput: View {
    @ObservedObject var model: FactorModel
    @Environment(\.words) private var words
    @FocusState private var isFocused: Bool
    /// Whether the form is about nothing else: the system offers the code above the keyboard then.
    var takesFocus = false

    var body: some View {
      switch model.askedFactor {
      case nil: EmptyView()
      case .recoveryCode?:
        Text(words.oneRecoveryCode)
        input(words.recoveryCode, .secret)
        other(.totp, words.useApp)
        other(.passkey, words.usePasskey)
      case .passkey?:
        Text(words.useYourPasskey)
        other(.totp, words.useApp)
        other(.recoveryCode, words.useRecoveryCode)
      default:
        Text(words.sixDigits)
        input(words.code, .code)
        other(.passkey, words.usePasskey)
        other(.recoveryCode, words.useRecoveryCode)
      }
    }

    private func input(_ label: String, _ kind: TextKind) -> some View {
      TextInput(label: label, text: $model.factorCode, kind: kind, error: model.fieldErrors["code"])
        .focused($isFocused)
        .task { if takesFocus { isFocused = true } }
    }

    @ViewBuilder private func other(_ kind: FactorKind, _ title: String) -> some View {
      if model.offeredFactors.contains(kind) { SideButton(title: title) { model.ask(for: kind) } }
    }
  }
#endif
