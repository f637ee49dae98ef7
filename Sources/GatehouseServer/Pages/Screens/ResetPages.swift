import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// Asks for a mail with a code to choose a new password.
enum ForgotPage: HostedPage {
  static let path = PagePath.forgot
  static let audience = PageAudience.anyone
  static let isEven = true

  static func screen(_ visit: Visit) async throws -> Screen? {
    guard visit.policy.hasPassword else { throw Refusal(.notFound) }
    let words = visit.words
    return Screen(
      words.reset.forgot, of: .forgotPassword, lead: words.reset.lead,
      [
        .form(
          Form(
            fields: [
              FormField(
                name: "email", label: words.forms.email, kind: .email,
                value: known(visit), autocomplete: "username")
            ], button: words.reset.send)),
        Pieces.links([(words.signIn.button, visit.address(PagePath.signIn))]),
      ])
  }

  static func send(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    if let pause = try await request(typed["email"], &visit), visit.flow.reset == nil {
      throw Refusal(.cooldown, retryAfter: pause)
    }
    return .page(PagePath.reset)
  }

  static func isSentOnce(_ typed: Typed, _ visit: Visit) -> Bool { typed.intent == nil }

  static func repeated(_ kept: JSONObject, _ typed: Typed, _ visit: inout Visit) async throws -> Step? {
    guard let id = kept["reset_id"]?.string.flatMap(UUID.init(text:)) else { return nil }
    visit.awaitReset(id, of: typed["email"])
    return .page(PagePath.reset)
  }

  /// Asks for the mail, and keeps the id that its code needs. Answers the seconds of the pause between two mails where
  /// one runs: no mail was sent then, and the code of the one before stays the one to be typed.
  static func request(_ email: String, _ visit: inout Visit) async throws -> Int? {
    let asked = try await PasswordReset.ask(
      .init(email: email, device: visit.device), visit.call, visit.services)
    let isSame = visit.flow.email?.lowercased() == TypedText.trimmed(email).lowercased()
    if !isSame { visit.flow.reset = nil }
    if let pause = asked.pause {
      visit.remember(email: email)
      if visit.flow.reset != nil { visit.awaitMail(pause: pause) }
      return pause
    }
    let former = visit.flow.reset
    guard let id = asked.answer.resetID.flatMap(UUID.init(text:)) else { return nil }
    visit.awaitReset(asked.isNew ? id : former ?? id, of: email)
    return nil
  }

  private static func known(_ visit: Visit) -> String { visit.signedIn?.user.email ?? visit.flow.email ?? "" }
}

extension Visit {
  /// The flow waits for the code of this request for a new password.
  fileprivate mutating func awaitReset(_ id: UUID, of email: String) {
    remember(email: email)
    flow.signUp = nil
    flow.reset = id
    awaitMail()
  }
}

/// Sets a new password: first the mailed code, then, once that is right, the password.
enum ResetPage: HostedPage {
  static let path = PagePath.reset
  static let audience = PageAudience.anyone
  static let isEven = true

  private static let again = "again"

  static func codeRecord(_ visit: Visit) -> CodeRecord? { .flow }

  static func screen(_ visit: Visit) async throws -> Screen? {
    guard visit.policy.hasPassword else { throw Refusal(.notFound) }
    let words = visit.words
    guard let email = visit.flow.email, visit.flow.reset != nil else {
      return try await ForgotPage.screen(visit)
    }
    guard visit.flow.code == nil else {
      let fields = visit.passwordFields.new(of: email, label: words.password.new)
      return Screen(words.reset.heading, of: .newPassword, [.form(Form(fields: fields, button: words.reset.save))])
    }
    // A signed-in person has an account: nothing is left open.
    let isPerhaps = visit.signedIn?.user.email != email
    return Screen(
      words.reset.codeHeading, of: .resetCode,
      Pieces.code(
        visit.mailed,
        .init(email: email, again: again, isPerhaps: isPerhaps, button: words.reset.proceed), visit)
        + [Pieces.links([(words.checkMail.otherAddress, visit.address(PagePath.forgot))])])
  }

  static func send(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    guard let email = visit.flow.email, let id = visit.flow.reset else {
      return try await ForgotPage.send(typed, &visit)
    }
    if typed.intent == again {
      if let pause = try await ForgotPage.request(email, &visit) { throw Refusal(.cooldown, retryAfter: pause) }
      visit.flow.notice = .mailSent
      return .page(path)
    }
    guard let code = visit.flow.code else {
      visit.flow.code = try await PasswordReset.check(typed["code"], of: id, at: email, visit.call, visit.services)
      return .page(path)
    }
    if let problem = visit.passwordFields.difference(typed) { return .problems([problem]) }
    let input = ConfirmPasswordResetEndpoint.Input(
      email: email, code: code, resetID: id.text, password: typed["password"])
    _ = try await PasswordReset.confirm(input, visit.call, visit.services)
    return try await enter(email, typed["password"], &visit)
  }

  /// Signs in with the new password, as at the sign-in page; where that refuses, the sign-in page is next.
  private static func enter(_ email: String, _ password: String, _ visit: inout Visit) async throws -> Step {
    visit.flow.reset = nil
    visit.forgetMail()
    // GUARD: pages: a reset signs in where browsers may
    guard !visit.policy.demandsAttestation(at: .signIn) else {
      let texts = visit.words.links.forms(.resetPassword, email, visit.app)
      return .screen(.done(texts.doneTitle, texts.done, way: nil, of: visit.policy.app, visit.words))
    }
    do {
      let session: PageSession = try await SignIn.open(
        .init(email: email, password: password, device: visit.device), visit.call, visit.services)
      try await visit.enter(session)
      visit.flow.notice = .passwordChanged
      return visit.step(after: session)
    } catch {
      let refusal = Refusal(of: error)
      guard refusal.challenge == nil else { throw refusal }
      visit.flow.notice = .passwordSaved
      return .page(PagePath.signIn)
    }
  }
}
