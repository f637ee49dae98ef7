import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// Asks a signed-in person for a fresh proof, before something that needs one.
enum ReauthenticatePage: HostedPage {
  static let path = PagePath.reauthenticate
  static let audience = PageAudience.session
  static let problemFields: [ErrorCode: String] = [.invalidCredentials: "password"]

  private enum Intent {
    static let code = "code"
    static let mail = "mail"
  }

  static func screen(_ typed: Typed, _ visit: Visit) async throws -> Screen? {
    guard let signedIn = visit.signedIn, !signedIn.isRecent(at: visit.call.now) else { return nil }
    let words = visit.words
    var pieces: [Screen.Piece] = [Pieces.text(words.signIn.signedIn(signedIn.user.reference))]
    let ways = signedIn.user.freshWays(visit.call, visit.services)
    if ways.contains(.password) {
      var password = visit.passwordFields.current()
      password.value = typed["password"]
      pieces.append(
        .form(
          Form(
            fields: [.username(signedIn.user.email), password], button: words.signIn.confirm,
            showsPasswords: typed.showsPasswords)))
      pieces.append(Pieces.links([(words.signIn.forgot, visit.address(PagePath.forgot))]))
    } else {
      if ways.contains(.code) { pieces += try await code(typed, signedIn, visit) }
      pieces += ProviderButtons.pieces(of: signedIn.user, visit)
      if visit.policy.hasPassword {
        pieces.append(Pieces.links([(words.account.setPassword, visit.address(PagePath.password))]))
      }
    }
    return Screen(words.signIn.reauthenticate, pieces + Pieces.wayBack(visit))
  }

  /// The form for the mailed code, or the button that has one mailed.
  private static func code(_ typed: Typed, _ me: SignedIn, _ visit: Visit) async throws -> [Screen.Piece] {
    let email = me.user.email ?? ""
    guard try await ReauthenticationCode.waiting(for: me, visit.call, visit.services) != nil else {
      return [
        Pieces.text(visit.words.signIn.codeLead(email)),
        .form(Form(button: visit.words.reset.send, intent: Intent.mail)),
      ]
    }
    return Pieces.code(typed, to: email, intent: Intent.code, visit) + Pieces.resend(Intent.mail, visit)
  }

  private static func mail(_ key: String, _ visit: inout Visit) async throws -> Step {
    let wait = try await SentOnce.run(
      key, "reauthenticate", of: visit.call.caller, visit, again: { $0["resend_after"]?.integer }
    ) { [visit] call in
      Int64(try await Redo.once { try await ReauthenticationCode.send(Nothing(), call, visit.services) }.resendAfter)
    }
    visit.flow.resendAt = visit.call.now.wholeSeconds + wait
    visit.flow.notice = .mailSent
    return .page(PagePath.reauthenticate)
  }

  static func send(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    if typed.intent == GiveUp.intent { return try GiveUp.step(&visit) }
    if let provider = ProviderButtons.name(typed) {
      return try await ProviderButtons.prove(provider, &visit)
    }
    if typed.intent == Intent.mail { return try await mail(typed["key"], &visit) }
    let input: ReauthenticateEndpoint.Input =
      typed.intent == Intent.code ? .init(code: typed["code"]) : .init(password: typed["password"])
    _ = try await Redo.once { [visit] in try await Reauthenticate.run(input, visit.call, visit.services) }
    visit.flow.promptsAgain = nil
    visit.flow.resendAt = nil
    // What the proof was for comes before what is missing: no one has to choose a username to delete an account.
    return visit.flow.page.map { .page($0) } ?? .onward()
  }
}

extension FormField {
  /// The name beside a password, for password managers, which keep the two together. People do not see it.
  static func username(_ email: String?) -> FormField {
    FormField(name: "username", label: "", kind: .username, value: email ?? "", autocomplete: "username")
  }
}
