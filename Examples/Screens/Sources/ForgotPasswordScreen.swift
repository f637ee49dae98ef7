import GatehouseClient
import SwiftUI

/// The address, then the code of the mail and a new password.
struct ForgotPasswordScreen: View {
  @Environment(\.dismiss) private var dismiss
  @StateObject private var model: ForgotPasswordModel

  init(_ client: AuthClient, email: String) {
    _model = StateObject(wrappedValue: Self.model(client, email))
  }

  /// With the address that was typed on the screen before.
  private static func model(_ client: AuthClient, _ email: String) -> ForgotPasswordModel {
    let model = ForgotPasswordModel(client)
    model.email = email
    return model
  }

  var body: some View {
    Page(title: "Forgot password") {
      switch model.step {
      case .address:
        EmailField(email: $model.email, error: model.fieldErrors["email"])
        MessageRow(message: model.message)
        MainButton(title: "Send the mail", isWorking: model.isWorking, isEnabled: !model.email.isEmpty) {
          await model.submit()
        }
      case .code:
        Label("If there is an account for \(model.email), a mail is on its way.", systemImage: "envelope")
        CodeField(code: $model.code, error: model.fieldErrors["code"])
        PasswordField(
          label: "New password", password: $model.password, error: model.fieldErrors["password"], isNew: true)
        MessageRow(message: model.message)
        MainButton(
          title: "Set the password", isWorking: model.isWorking,
          isEnabled: !model.code.isEmpty && !model.password.isEmpty
        ) { await model.submit() }
        Button(model.secondsLeft > 0 ? "Send again in \(model.secondsLeft) seconds" : "Send the mail again") {
          Task { await model.resend() }
        }
        .disabled(!model.canResend)
        Button("Another address") { model.back() }
      case .done:
        Label("The password is set. Sign in with it.", systemImage: "checkmark.circle")
        MainButton(title: "Back to sign-in") { dismiss() }
      }
    }
  }
}
