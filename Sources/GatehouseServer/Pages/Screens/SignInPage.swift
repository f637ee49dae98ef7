import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// Sign-in with a password, a passkey or a provider.
enum SignInPage: HostedPage {
  static let path = PagePath.signIn
  static let audience = PageAudience.anyone
  static let isEven = true
  static let tellsLostSession = true
  static let attests: Door? = .signIn

  static func screen(_ visit: Visit) async throws -> Screen? {
    if let welcome = Welcome.screen(visit) { return welcome }
    let words = visit.words
    var pieces: [Screen.Piece] = []
    if visit.policy.hasPassword {
      let ability = PasskeyOfferPage.ability
      pieces.append(
        .form(
          Form(
            fields: [
              FormField(
                name: "email", label: words.forms.email, kind: .email, value: visit.flow.email ?? "",
                autocomplete: visit.signsInByPasskey ? "username webauthn" : "username"),
              password(visit),
            ] + visit.sharedComputer, button: words.signIn.button,
            values: visit.upgradesToPasskeys ? [(name: ability.field, value: ability.none)] : [])))
    }
    if visit.signsInByPasskey { pieces.append(.form(try passkey(visit))) }
    if let domain = visit.formerDomain { pieces.append(.form(try formerPasskey(of: domain, visit))) }
    pieces += ProviderButtons.pieces(visit)
    if visit.policy.hasPassword || visit.signsUpByPasskey {
      pieces.append(
        Pieces.question(words.signIn.noAccount, words.signIn.create, visit.address(PagePath.signUp)))
    }
    pieces += GiveUp.pieces(visit)
    return Screen(words.signIn.heading(visit.app), of: .signIn, pieces)
  }

  /// The button of passkeys. With a field for the address browsers offer them there, too.
  private static func passkey(_ visit: Visit) throws -> Form {
    try PasskeyForms.use(
      visit.words.passkeys.signIn, style: visit.policy.hasPassword ? .secondary : .primary,
      borrowed: borrowed(visit), waits: visit.policy.hasPassword, visit)
  }

  /// The button of the passkeys of a domain where the tenant was before.
  private static func formerPasskey(of domain: String, _ visit: Visit) throws -> Form {
    try PasskeyForms.use(
      visit.words.passkeys.former(DomainName.shown(domain)), style: .plain, borrowed: borrowed(visit), isFormer: true,
      visit)
  }

  private static func borrowed(_ visit: Visit) -> [String] {
    visit.policy.hasPassword ? visit.sharedComputer.map(\.name) : []
  }

  private static func password(_ visit: Visit) -> FormField {
    var field = visit.passwordFields.current()
    field.aside = (visit.words.signIn.forgotShort, visit.address(PagePath.forgot))
    return field
  }

  static func send(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    visit.flow.passkeyOffer = nil
    if let provider = ProviderButtons.name(typed) { return try await ProviderButtons.send(provider, &visit) }
    if let step = try await Welcome.step(typed, &visit, at: path) { return step }
    if typed.intent == PasskeyForms.method { return try await byPasskey(typed, &visit) }
    visit.rememberShared(typed)
    visit.flow.passkeyOffer = PasskeyOfferPage.offer(after: typed, visit)
    // A mail that is waited for went to another address than the one that is tried now.
    if visit.flow.signUp == nil, visit.flow.reset == nil { visit.remember(email: typed["email"]) }
    let session: PageSession = try await SignIn.open(
      .init(email: typed["email"], password: typed["password"], device: visit.device), visit.call, visit.services)
    return try await enter(session, &visit)
  }

  private static func enter(_ session: PageSession, _ visit: inout Visit) async throws -> Step {
    try await visit.enter(session)
    visit.flow.advice = session.advice
    return visit.step(after: session)
  }

  private static func byPasskey(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    guard let answer = try PasskeyForms.answer(typed, as: AuthenticationAnswer.self) else {
      return try PasskeyForms.step(
        typed, visit, try await PasskeySignIn.start(Nothing(), visit.call, visit.services))
    }
    visit.rememberShared(typed)
    do {
      let session: PageSession = try await PasskeySignIn.open(
        .init(challengeID: PasskeyForms.challenge(typed), credential: answer, device: visit.device), visit.call,
        visit.services)
      return try await enter(session, &visit)
    } catch let refusal as Refusal where refusal.code == .codeExpired {
      return PasskeyForms.over(visit)
    }
  }

  static func isSentOnce(_ typed: Typed, _ visit: Visit) -> Bool { PasskeyForms.isAnswer(typed) }

  static func repeated(_ kept: JSONObject, _ typed: Typed, _ visit: inout Visit) async throws -> Step? {
    guard let session = PageSession(kept: kept) else { return nil }
    return try await enter(session, &visit)
  }
}

/// The screen for a browser that is signed in already, where people sign in or up.
enum Welcome {
  private enum Intent {
    static let proceed = "proceed"
    static let other = "other"
  }

  static func screen(_ visit: Visit) -> Screen? {
    guard let signedIn = visit.signedIn, visit.flow.promptsAgain != true else { return nil }
    let words = visit.words
    return Screen(
      words.signIn.welcome(visit.app),
      [
        Pieces.text(words.signIn.signedIn(signedIn.user.reference)),
        .form(Form(button: words.forms.proceed, intent: Intent.proceed)),
        .form(Form(button: words.signIn.other, style: .secondary, intent: Intent.other)),
      ] + GiveUp.pieces(visit))
  }

  /// Nil for a form of the page's own.
  static func step(_ typed: Typed, _ visit: inout Visit, at page: String) async throws -> Step? {
    switch typed.intent {
    case Intent.proceed: return .onward()
    case Intent.other:
      if visit.signedIn != nil { _ = try await SignOut.run(.init(), visit.call, visit.services) }
      visit.leaveSession()
      visit.flow.email = nil
      return .page(page)
    default: return nil
    }
  }
}

extension Visit {
  /// Where the forms of a page may lead besides this server: `form-action` holds for redirects, too.
  var targets: [String] { flow.target.map { [$0.address] } ?? [] }
}

/// The way back to the app without a sign-in.
enum GiveUp {
  static let intent = "give-up"

  static func pieces(_ visit: Visit) -> [Screen.Piece] {
    guard visit.flow.target != nil else { return [] }
    return [.form(Form(button: visit.words.forms.back(visit.client.name), style: .plain, intent: intent))]
  }

  static func step(_ visit: inout Visit) throws -> Step {
    guard let target = visit.flow.target else { return .page(PagePath.account) }
    return .finished(try visit.giveUp(target))
  }
}
