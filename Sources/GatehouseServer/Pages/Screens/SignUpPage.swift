import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// Sign-up with a password or a passkey, and the fields of the policy.
enum SignUpPage: HostedPage {
  static let path = PagePath.signUp
  static let audience = PageAudience.anyone
  static let isEven = true
  static let attests: Door? = .signUp

  static func screen(_ visit: Visit) async throws -> Screen? {
    if let welcome = Welcome.screen(visit) { return welcome }
    let words = visit.words
    var pieces: [Screen.Piece] = []
    if visit.policy.hasPassword {
      pieces.append(
        .form(
          Form(
            fields: open(visit) + visit.passwordFields.new() + visit.sharedComputer, button: words.signUp.button)))
    }
    if visit.signsUpByPasskey { pieces += passkey(visit) }
    pieces += papers(visit)
    pieces.append(Pieces.question(words.signUp.haveAccount, words.signIn.button, visit.address(PagePath.signIn)))
    pieces += ProviderButtons.pieces(visit)
    pieces += GiveUp.pieces(visit)
    return Screen(words.signUp.heading(visit.app), of: .signUp, pieces)
  }

  /// The documents that a person accepts by a sign-up, where the policy names them.
  private static func papers(_ visit: Visit) -> [Screen.Piece] {
    let theme = visit.policy.theme
    let papers = visit.words.frame.papers(theme.termsURL, theme.privacyURL)
    guard let first = papers.first else { return [] }
    let list = papers.dropFirst().reduce(first) { "\($0) · \($1)" }
    return [.html("<p class=\"aside\">\(visit.words.signUp.accepts) \(list)</p>")]
  }

  /// The fields that are no secrets.
  private static func open(_ visit: Visit) -> [FormField] {
    let profile = visit.profileFields
    let words = visit.words.forms
    return [visit.newAddress(words.email, value: visit.flow.email ?? "", autocomplete: "username", at: .signUp)]
      + profile.atSignUp.map { profile.input($0, value: ProfileFields.text($0.defaultValue)) }
  }

  /// The way without a password: it takes the fields of the form with one, where there is such a form.
  private static func passkey(_ visit: Visit) -> [Screen.Piece] {
    let form = PasskeyForms.signUp(open(visit) + visit.sharedComputer, borrows: visit.policy.hasPassword, visit)
    return visit.policy.hasPassword ? [.form(form)] : [.form(form), PasskeyForms.without(visit)]
  }

  /// An address that has an account leads to its sign-in.
  static func way(after code: ErrorCode, _ typed: Typed, _ visit: inout Visit) -> (text: String, page: String)? {
    guard code == .accountExists else { return nil }
    visit.remember(email: typed["email"])
    return visit.flow.email.map {
      (visit.words.signUp.signIn(DomainName.shown(inAddress: $0)), PagePath.signIn)
    }
  }

  static func send(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    if let step = try await Welcome.step(typed, &visit, at: path) { return step }
    visit.rememberShared(typed)
    if typed.intent == PasskeyForms.method { return try await byPasskey(typed, &visit) }
    let input = input(typed, visit)
    if let problem = visit.passwordFields.difference(typed) {
      return .problems(try await problems(of: input, visit) + [problem])
    }
    return try await onward(try await SignUp.open(input, visit.call, visit.services), typed, &visit)
  }

  static func isSentOnce(_ typed: Typed, _ visit: Visit) -> Bool {
    PasskeyForms.isAnswer(typed) || (typed.intent == nil && visit.passwordFields.difference(typed) == nil)
  }

  static func repeated(_ kept: JSONObject, _ typed: Typed, _ visit: inout Visit) async throws -> Step? {
    guard let made = SignUp.Outcome<PageSession>(kept: kept) else { return nil }
    visit.rememberShared(typed)
    return try await onward(made, typed, &visit)
  }

  private static func input(_ typed: Typed, _ visit: Visit) -> SignUpEndpoint.Input {
    SignUpEndpoint.Input(
      email: typed["email"], password: typed["password"], profile: profile(typed, visit), device: visit.device)
  }

  private static func profile(_ typed: Typed, _ visit: Visit) -> [String: FieldValue] {
    let profile = visit.profileFields
    return profile.atSignUp.reduce(into: [:]) { values, field in values[field.name] = profile.value(field, typed) }
  }

  private static func byPasskey(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    guard let answer = try PasskeyForms.answer(typed, as: RegistrationAnswer.self) else {
      return try PasskeyForms.step(
        typed, visit, try await StartPasskeySignUp.run(.init(email: typed["email"]), visit.call, visit.services))
    }
    do {
      let made: SignUp.Outcome<PageSession> = try await CompletePasskeySignUp.open(
        .init(
          challengeID: PasskeyForms.challenge(typed), credential: answer, email: typed["email"],
          profile: profile(typed, visit), device: visit.device), visit.call, visit.services)
      return try await onward(made, typed, &visit)
    } catch let refusal as Refusal where refusal.code == .codeExpired {
      return PasskeyForms.over(visit)
    }
  }

  /// Waits for the mail of a sign-up, or goes on in the session that it opened.
  private static func onward(
    _ made: SignUp.Outcome<PageSession>, _ typed: Typed, _ visit: inout Visit
  ) async throws -> Step {
    visit.remember(email: typed["email"])
    switch made {
    case .opened(let session):
      try await visit.enter(session)
      return .onward(next: session.next)
    case .pending(_, pause: let seconds?): throw Refusal(.cooldown, retryAfter: seconds)
    case .pending(let id, pause: nil):
      visit.flow.signUp = id
      visit.awaitMail()
      return .page(PagePath.checkMail)
    }
  }

  /// The violations of a form that is not sent on: all are shown at once.
  private static func problems(of input: SignUpEndpoint.Input, _ visit: Visit) async throws -> [FormProblem] {
    do {
      try await SignUp.judge(input, visit.call, visit.services)
      return []
    } catch let refused as Refusal where refused.code == .validationFailed {
      return refused.problems(visit.words, visit.call)
    }
  }
}

extension SignUp.Outcome<PageSession> {
  /// As it was kept for a form that comes twice. Nil for anything else.
  init?(kept: JSONObject) {
    if let session = PageSession(kept: kept) {
      self = .opened(session)
    } else if let id = kept["sign_up_id"]?.string.flatMap(UUID.init(text:)) {
      self = .pending(id, pause: nil)
    } else {
      return nil
    }
  }
}

extension PageSession {
  /// As it was kept for a form that comes twice. Nil for anything else.
  init?(kept: JSONObject) {
    guard let secret = kept["secret"]?.string, let device = kept["device"]?.string, let next = kept["next"]?.array
    else { return nil }
    self.init(secret: secret, device: device, next: next.compactMap(\.string))
  }
}
