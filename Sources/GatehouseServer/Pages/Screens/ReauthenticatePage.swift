import GatehouseIdentity
import GatehousePolicy
import GatehouseWire

/// Asks a signed-in person for a fresh proof, before something that needs one.
enum ReauthenticatePage: HostedPage {
  static let path = PagePath.reauthenticate
  static let audience = PageAudience.session
  static let problemFields: [ErrorCode: String] = [.invalidCredentials: "password"]

  static func screen(_ typed: Typed, _ visit: Visit) async throws -> Screen? {
    guard let signedIn = visit.signedIn, !signedIn.isRecent(at: visit.call.now) else { return nil }
    let words = visit.words
    var pieces: [Screen.Piece] = [Pieces.text(words.signIn.signedIn(signedIn.user.email))]
    if visit.policy.hasPassword, signedIn.user.passwordChangedAt != nil {
      var password = visit.passwordFields.current()
      password.value = typed["password"]
      pieces.append(
        .form(
          Form(
            fields: [.username(signedIn.user.email), password], button: words.signIn.confirm,
            showsPasswords: typed.showsPasswords)))
      pieces.append(Pieces.links([(words.signIn.forgot, visit.address(PagePath.forgot))]))
    } else {
      pieces += ProviderButtons.pieces(of: signedIn.user, visit)
      if visit.policy.hasPassword {
        pieces.append(Pieces.links([(words.account.setPassword, visit.address(PagePath.password))]))
      }
    }
    return Screen(words.signIn.reauthenticate, pieces + Pieces.wayBack(visit))
  }

  static func send(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    if typed.intent == GiveUp.intent { return try GiveUp.step(&visit) }
    if let provider = ProviderButtons.name(typed) {
      return try await ProviderButtons.send(provider, owner: visit.signedIn?.user.id, &visit)
    }
    _ = try await Redo.once { [visit] in
      try await Reauthenticate.run(.init(password: typed["password"]), visit.call, visit.services)
    }
    visit.flow.promptsAgain = nil
    // What the proof was for comes before what is missing: no one has to choose a username to delete an account.
    return visit.flow.page.map { .page($0) } ?? .onward()
  }
}

extension FormField {
  /// The name beside a password, for password managers, which keep the two together. People do not see it.
  static func username(_ email: String) -> FormField {
    FormField(name: "username", label: "", kind: .username, value: email, autocomplete: "username")
  }
}
