import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// Changes the password. People without one are mailed a code to set one.
enum PasswordPage: HostedPage {
  static let path = PagePath.password
  static let audience = PageAudience.session
  static let problemFields: [ErrorCode: String] = [.invalidCredentials: "current"]

  static func accountRow(_ user: User, _ visit: Visit) -> String? {
    guard visit.policy.hasPassword, user.email != nil else { return nil }
    return visit.hasPassword ? visit.words.account.password : visit.words.account.setPassword
  }

  static func screen(_ visit: Visit) async throws -> Screen? {
    guard visit.policy.hasPassword else { throw Refusal(.notFound) }
    guard let user = visit.signedIn?.user else { return nil }
    let words = visit.words.password
    guard visit.hasPassword else {
      return Screen(
        words.headingFirst, of: .setPassword, lead: words.leadFirst,
        [.form(Form(button: words.mail, intent: "mail"))] + Pieces.wayBack(visit))
    }
    guard visit.canChangePassword else {
      return Screen(words.heading, of: .changePassword, ProofFirst.pieces(visit) + Pieces.wayBack(visit))
    }
    let passwords = visit.passwordFields
    return Screen(
      words.heading, of: .changePassword, lead: words.lead,
      try await reason(visit) + [
        .form(
          Form(
            fields: passwords.current(of: user.email, .current, label: words.current)
              + passwords.new(label: words.new), button: words.save))
      ] + (AdvicePage.isDue(visit) ? [AdvicePage.later(visit)] : Pieces.wayBack(visit)))
  }

  /// Why the app asks for a new one, where it does.
  private static func reason(_ visit: Visit) async throws -> [Screen.Piece] {
    let step = "change_password"
    guard try await visit.me().next.contains(step),
      let text = visit.policy.request(for: step)?.text(in: [visit.words.language])
    else { return [] }
    return [Pieces.text(text)]
  }

  static func send(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    switch typed.intent {
    case "mail": return try await mail(&visit)
    case AdvicePage.intent: return AdvicePage.step(&visit)
    default: break
    }
    guard visit.canChangePassword else { return ProofFirst.step(&visit) }
    if let problem = visit.passwordFields.difference(typed) { return .problems([problem]) }
    let input = ChangePasswordEndpoint.Input(currentPassword: typed["current"], password: typed["password"])
    _ = try await ChangePassword.run(input, visit.call, visit.services)
    return changed(&visit)
  }

  static func isSentOnce(_ typed: Typed, _ visit: Visit) -> Bool {
    typed.intent == nil && visit.canChangePassword && visit.passwordFields.difference(typed) == nil
  }

  static func repeated(_ kept: JSONObject, _ typed: Typed, _ visit: inout Visit) async throws -> Step? {
    changed(&visit)
  }

  private static func changed(_ visit: inout Visit) -> Step {
    visit.flow.notice = .passwordChanged
    visit.flow.advice = nil
    return .onward()
  }

  private static func mail(_ visit: inout Visit) async throws -> Step {
    guard let email = visit.signedIn?.user.email else { return .onward() }
    if let pause = try await ForgotPage.request(email, &visit), visit.flow.reset == nil {
      throw Refusal(.cooldown, retryAfter: pause)
    }
    return .page(PagePath.reset)
  }
}

extension Visit {
  /// Whether the current password suffices for another one: with second factors only beside a fresh proof by one.
  fileprivate var canChangePassword: Bool { !hasFactors || isRecent }
}
