import GatehouseClient
import SwiftUI

/// The screen that asks for the code of a mail. It goes on by itself when the address is confirmed in a browser.
struct VerifyEmailScreen: View {
  private let client: AuthClient
  @StateObject private var model: VerifyEmailModel
  @State private var isStillOpen = false

  init(_ client: AuthClient) {
    self.client = client
    _model = StateObject(wrappedValue: VerifyEmailModel(client))
  }

  var body: some View {
    Page(title: "Verify your email") {
      Text("We sent a mail to \(model.email ?? "you"). Enter its code, or open its link.")
      CodeField(code: $model.code, error: model.fieldErrors["code"])
      MessageRow(message: model.message)
      MainButton(title: "Verify", isWorking: model.isWorking, isEnabled: !model.code.isEmpty) { await model.submit() }
      Button("I've verified my email") { Task { isStillOpen = !(await model.check()) && model.message == nil } }
      if isStillOpen { Text("The address is not verified yet.").font(.footnote) }
      Button(resend) { Task { await model.resend() } }.disabled(!model.canResend)
      Button("Sign out", role: .destructive) { Task { await client.signOut() } }
    }
    .task { await model.watch() }
  }

  private var resend: String {
    model.secondsLeft > 0 ? "Send again in \(model.secondsLeft) seconds" : "Send the mail again"
  }
}
