import GatehouseClient
import SwiftUI

/// Email and password, and the ways to the other screens.
struct SignInScreen: View {
  private enum Input { case email, password }

  private let client: AuthClient
  private let reason: SignedOutReason
  @Environment(\.app) private var app
  @StateObject private var model: SignInModel
  @FocusState private var focus: Input?

  init(_ client: AuthClient, reason: SignedOutReason) {
    self.client = client
    self.reason = reason
    _model = StateObject(wrappedValue: SignInModel(client))
  }

  var body: some View {
    Page(title: app.name) {
      if let sentence { Label(sentence, systemImage: "info.circle").font(.callout) }
      EmailField(email: $model.email, error: model.fieldErrors["email"])
        .focused($focus, equals: .email)
        .submitLabel(.next)
        .onSubmit { focus = .password }
      PasswordField(password: $model.password, error: model.fieldErrors["password"])
        .focused($focus, equals: .password)
        .submitLabel(.go)
        .onSubmit { Task { await model.submit() } }
      MessageRow(message: model.message, retry: retry)
      MainButton(title: "Sign in", isWorking: model.isWorking, isEnabled: model.canSubmit) { await model.submit() }
      NavigationLink("Forgot password?") { ForgotPasswordScreen(client, email: model.email) }
      NavigationLink("Create an account") { SignUpScreen(client, email: model.email) }
    }
  }

  /// Another try can help where no network was.
  private var retry: (@MainActor () async -> Void)? {
    guard model.error?.code == .network else { return nil }
    return { await model.submit() }
  }

  /// Why the person is here, where the person does not know.
  private var sentence: String? {
    switch reason {
    case .never, .byUser, .elsewhere: nil
    case .expired: "Session expired. Please sign in again"
    case .revoked: "You were signed out from elsewhere. Please sign in again."
    case .disabled: "This account is disabled."
    case .deleted: "The account is deleted."
    case .confirmed: "The address is confirmed. Please sign in."
    }
  }
}
