import GatehouseClient
import SwiftUI

#if os(iOS)
  import UIKit
#endif

/// Name, address and password, judged while the person types by the rules that the server has.
struct SignUpScreen: View {
  @Environment(\.app) private var app
  @StateObject private var model: SignUpModel

  init(_ client: AuthClient, email: String) {
    _model = StateObject(wrappedValue: Self.model(client, email))
  }

  /// With the address that was typed on the screen before.
  private static func model(_ client: AuthClient, _ email: String) -> SignUpModel {
    let model = SignUpModel(client)
    model.email = email
    return model
  }

  var body: some View {
    Page(title: "Create an account") {
      ForEach(app.fields) { field in
        ProfileField(field: field, text: $model[field.id], error: model.fieldErrors[field.id])
      }
      EmailField(email: $model.email, error: model.fieldErrors["email"])
      PasswordField(password: $model.password, error: model.fieldErrors["password"], isNew: true)
      ChecklistRows(rows: model.rows.filter { $0.input == "password" })
      PasswordField(
        label: "Confirm password", password: $model.confirmation, error: model.fieldErrors["confirmation"], isNew: true)
      MessageRow(message: model.message, retry: retry)
      MainButton(title: "Create account", isWorking: model.isWorking, isEnabled: model.canSubmit) {
        await model.submit()
      }
    }
    .task { await model.load() }
  }

  /// Another try can help where no network was.
  private var retry: (@MainActor () async -> Void)? {
    guard model.error?.code == .network else { return nil }
    return { await model.submit() }
  }
}

/// One profile field of the app.
struct ProfileField: View {
  let field: AppDescription.Field
  @Binding var text: String
  var error: String?

  var body: some View {
    Field(label: field.label, error: error) {
      TextField(field.label, text: $text)
        #if os(iOS)
          .keyboardType(field.kind == .phone ? .phonePad : .default)
          .textContentType(content)
          .textInputAutocapitalization(field.kind == .name ? .words : .never)
        #endif
    }
  }

  #if os(iOS)
    private var content: UITextContentType? {
      switch field.kind {
      case .name: .name
      case .username: .nickname
      case .phone: .telephoneNumber
      case .text: nil
      }
    }
  #endif
}
