import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// Asks a signed-in person for a fresh proof, before something that needs one.
enum ReauthenticatePage: HostedPage {
  static let path = PagePath.reauthenticate
  static let audience = PageAudience.session
  static let problemFields: [ErrorCode: String] = [.invalidCredentials: "password"]

  static func codeRecord(_ visit: Visit) -> CodeRecord? { visit.hasFactors ? .factor : .account }

  private enum Intent {
    static let code = "code"
    static let mail = "mail"
  }

  static func screen(_ visit: Visit) async throws -> Screen? {
    let demand: FreshDemand = visit.flow.page == PagePath.factors ? .factors : .account
    guard let signedIn = visit.signedIn, !signedIn.isRecent(for: demand, visit.call) else { return nil }
    let words = visit.words
    let ways = visit.reads.freshWays(signedIn, demand, visit.call)
    // Of an account with second factors nothing else is a proof.
    guard !visit.hasFactors else {
      let isByPasskey = ways.contains(.passkey) && visit.call.isAtRelyingParty
      let passkey = isByPasskey ? try PasskeyForms.use(words.passkeys.use, visit) : nil
      return Screen(
        words.signIn.reauthenticate, of: .reauthenticate,
        [Pieces.text(words.signIn.signedIn(signedIn.user.reference))]
          + FactorForms.pieces(ways.map(\.name), passkey: passkey, button: words.signIn.confirm, visit)
          + Pieces.wayBack(visit))
    }
    // The form for a mailed code names the address itself.
    let isNamed = ways.contains(.code) && !ways.contains(.password)
    var pieces = isNamed ? [] : [Pieces.text(words.signIn.signedIn(signedIn.user.reference))]
    if ways.contains(.password) {
      pieces.append(
        .form(Form(fields: visit.passwordFields.current(of: signedIn.user.email), button: words.signIn.confirm)))
      pieces.append(Pieces.links([(words.signIn.forgot, visit.address(PagePath.forgot))]))
    } else {
      if ways.contains(.code) { pieces += try await code(signedIn, visit) }
      pieces += ProviderButtons.pieces(of: signedIn.user, visit)
      if visit.policy.hasPassword {
        pieces.append(Pieces.links([(words.account.setPassword, visit.address(PagePath.password))]))
      }
    }
    return Screen(words.signIn.reauthenticate, of: .reauthenticate, pieces + Pieces.wayBack(visit))
  }

  /// The form for the mailed code, or the button that has one mailed.
  private static func code(_ me: SignedIn, _ visit: Visit) async throws -> [Screen.Piece] {
    guard let email = me.user.email else { return [] }
    guard let mailed = try await visit.reads.proofCode(me, visit.call) else {
      return [
        Pieces.text(visit.words.signIn.codeLead(email)),
        .form(Form(button: visit.words.reset.send, intent: Intent.mail)),
      ]
    }
    return Pieces.code(
      mailed,
      .init(email: email, intent: Intent.code, again: Intent.mail, isAlwaysDigits: true), visit)
  }

  static func isSentOnce(_ typed: Typed, _ visit: Visit) -> Bool {
    typed.intent == Intent.mail || raisesSession(typed)
  }

  static func raisesSession(_ typed: Typed) -> Bool { FactorForms.isTry(typed) || PasskeyForms.isAnswer(typed) }

  static func repeated(_ kept: JSONObject, _ typed: Typed, _ visit: inout Visit) async throws -> Step? {
    guard raisesSession(typed) else { return kept["resend_after"]?.integer.map { _ in .page(path) } }
    try await visit.goOn(byKept: kept["secret"]?.string)
    return proven(visit)
  }

  static func send(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    if let provider = ProviderButtons.name(typed) {
      return try await ProviderButtons.prove(provider, &visit)
    }
    if typed.intent == Intent.mail {
      _ = try await ReauthenticationCode.send(Nothing(), visit.call, visit.services)
      return .page(path)
    }
    if typed.intent == PasskeyForms.method { return try await byPasskey(typed, &visit) }
    if let step = FactorForms.step(typed, &visit) { return step }
    let input: ReauthenticateEndpoint.Input =
      if let code = FactorForms.Sent(typed) {
        .init(totp: code.totp, recoveryCode: code.recoveryCode)
      } else {
        typed.intent == Intent.code ? .init(code: typed["code"]) : .init(password: typed["password"])
      }
    return try await prove(input, &visit)
  }

  private static func prove(_ input: ReauthenticateEndpoint.Input, _ visit: inout Visit) async throws -> Step {
    visit.goOn(in: try await Reauthenticate.join(input, visit.call, visit.services).session)
    visit.flow.promptsAgain = nil
    return proven(visit)
  }

  private static func byPasskey(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    guard let answer = try PasskeyForms.answer(typed, as: AuthenticationAnswer.self) else {
      return try PasskeyForms.step(
        typed, visit, try await StartReauthentication.run(Nothing(), visit.call, visit.services))
    }
    do {
      return try await prove(.init(passkey: answer, challengeID: PasskeyForms.challenge(typed)), &visit)
    } catch let refusal as Refusal where refusal.code == .codeExpired {
      return PasskeyForms.over(visit)
    }
  }

  /// The purpose of the proof comes before missing values: no one has to choose a username to delete an account.
  private static func proven(_ visit: Visit) -> Step { visit.flow.page.map { .page($0) } ?? .onward() }
}
