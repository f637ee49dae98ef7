import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// The input of a link page's form, and the feature that it goes to.
struct LinkForm {
  let page: LinkPage
  let token: String
  let asks: OpenLink.Asks
  let sent: JSONObject

  private func text(_ field: LinkView.Problem.Field) -> String { sent[field.rawValue]?.string ?? "" }

  /// Whether another password is chosen for a sign-up, in the second form of its page.
  private var choosesAnother: Bool { sent[LinkView.Problem.Field.newPassword.rawValue] != nil }

  /// The errors in the typed values, before the server is asked.
  func problem(in words: PageWords) -> LinkView.Problem? {
    switch asks {
    case .nothing, .session: nil
    case .password: text(.password).isEmpty ? .init(field: .password, message: words.missingPassword) : nil
    case .newPassword: unlike(.password, words)
    case .signUp where choosesAnother: unlike(.newPassword, words)
    case .signUp: text(.password).isEmpty ? .init(field: .password, message: words.missingPassword) : nil
    }
  }

  private func unlike(_ field: LinkView.Problem.Field, _ words: PageWords) -> LinkView.Problem? {
    text(field).utf8.elementsEqual(text(.again).utf8) ? nil : .init(field: field, message: words.differ)
  }

  /// The policy's violations, each beside its field.
  func problems(of refused: Refusal, in words: PageWords) -> [LinkView.Problem] {
    let field: LinkView.Problem.Field = choosesAnother ? .newPassword : .password
    return refused.violations.map {
      .init(
        field: $0.pointer == Pointer.password ? field : nil, message: $0.message.text(in: [words.language]) ?? $0.rule)
    }
  }

  /// Does what the page is for. Refuses as the operation of the API does.
  func redeem(_ call: Call, _ services: Services) async throws {
    let password = text(.password)
    switch page {
    case .verifyEmail:
      let input = ConfirmEmailVerificationEndpoint.Input(
        token: token, password: choosesAnother || password.isEmpty ? nil : password,
        newPassword: choosesAnother ? text(.newPassword) : nil)
      _ = try await EmailVerification.confirm(input, call, services)
    case .confirmEmail:
      _ = try await EmailChange.confirm(
        .init(token: token, password: password.isEmpty ? nil : password), call, services)
    case .undoEmail: _ = try await UndoEmailChange.run(.init(token: token), call, services)
    case .resetPassword: _ = try await PasswordReset.confirm(.init(token: token, password: password), call, services)
    }
  }
}
