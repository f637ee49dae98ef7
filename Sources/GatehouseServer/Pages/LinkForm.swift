import GatehouseIdentity
import GatehousePolicy
import GatehouseWire

/// What was sent with a form of a link's page, and the feature that it goes to.
struct LinkForm {
  let page: LinkPage
  let token: String
  let asks: OpenLink.Asks
  let typed: Typed

  /// Whether another password is chosen for a sign-up, in the second form of its page.
  private var choosesAnother: Bool { typed.intent == LinkView.other }
  private var field: String { choosesAnother ? LinkView.newPassword : LinkView.password }

  private var isNew: Bool {
    if case .newPassword = asks { true } else { choosesAnother }
  }

  /// What is wrong in the typed values, before the server is asked.
  func problem(_ words: PageWords, _ fields: PasswordFields) -> FormProblem? {
    switch asks {
    case .nothing, .session: nil
    case .password, .newPassword, .signUp:
      typed[field].isEmpty
        ? FormProblem(field: field, message: words.missingPassword) : isNew ? fields.difference(typed, field) : nil
    }
  }

  /// The policy's violations: those of the password at its field.
  func problems(of refused: Refusal, in words: PageWords) -> [FormProblem] {
    refused.violations.map { violation in
      FormProblem(
        field: violation.pointer == Pointer.password ? field : nil,
        message: violation.sentence.text(in: [words.language]) ?? violation.message.text(in: [words.language])
          ?? violation.rule, rule: violation.rule)
    }
  }

  /// Does what the page is for. Refuses as the operation of the API does.
  func redeem(_ call: Call, _ services: Services) async throws {
    let password = typed[LinkView.password]
    switch page {
    case .verifyEmail:
      let input = ConfirmEmailVerificationEndpoint.Input(
        token: token, password: choosesAnother || password.isEmpty ? nil : password,
        newPassword: choosesAnother ? typed[LinkView.newPassword] : nil)
      _ = try await EmailVerification.confirm(input, call, services)
    case .confirmEmail:
      _ = try await EmailChange.confirm(
        .init(token: token, password: password.isEmpty ? nil : password), call, services)
    case .undoEmail: _ = try await UndoEmailChange.run(.init(token: token), call, services)
    case .resetPassword: _ = try await PasswordReset.confirm(.init(token: token, password: password), call, services)
    }
  }
}
