import GatehouseIdentity
import GatehousePolicy
import GatehouseWire

/// The forms of a live link's page.
struct LinkForms {
  private let page: LinkPage
  private let token: String
  private let link: OpenLink.Live
  private let visit: Visit

  /// Refuses as pressing the button would.
  init(_ page: LinkPage, _ token: String, _ visit: Visit) async throws {
    link = try await visit.reads.link(token, page, visit.call)
    (self.page, self.token, self.visit) = (page, token, visit)
  }

  private enum Name {
    /// The form with another password for a sign-up.
    static let other = "other"
    /// The typed word of an undo.
    static let word = "word"
  }

  private var words: LinkWords { visit.words.links }
  private var app: String { visit.app }

  private var texts: LinkTexts {
    switch link.asks {
    case .newPassword(isFirst: true): words.firstPassword(app)
    case .signUp: words.signUp(link.address, app)
    default: words.forms(page, link.address, app)
    }
  }

  /// The state of the link after its button was pressed.
  var state: Flow.Link { if case .signUp = link.asks { .madeAccount } else { .isDone } }

  // MARK: What is shown

  var screen: Screen { Screen(texts.title, of: page.name, [Pieces.text(lead)] + pieces) }

  private var lead: String {
    switch link.asks {
    case .password: words.withPassword(page, link.address, app)
    case .session: words.inApp(app)
    default: texts.lead
    }
  }

  private var pieces: [Screen.Piece] {
    switch link.asks {
    case .nothing: [.form(Form(fields: wantsWord ? [word] : [], button: texts.button))]
    case .session: Pieces.wayToApp(visit.policy.app, visit.words)
    case .password:
      [
        current(visit.words.forms.password),
        Pieces.links([(visit.words.signIn.forgot, visit.address(PagePath.forgot))]),
      ]
    case .newPassword: [user, new(.password, button: texts.button)]
    case .signUp(let profile):
      self.profile(profile) + [
        current(words.chosenPassword), Pieces.part(words.otherPassword, words.otherLead), user,
        new(.newPassword, button: words.takeOver, style: .secondary, intent: Name.other),
      ]
    }
  }

  /// Whether a word is typed first. A mail program that presses the buttons of links must not end the sessions of a
  /// user.
  private var wantsWord: Bool { page == .undoEmail }

  private var word: FormField {
    FormField(name: Name.word, label: words.undoWord.label, kind: .text, autocomplete: "off")
  }

  private var user: Screen.Piece { .html("<p>\(words.user) <strong>\(link.address)</strong></p>") }

  /// The values typed at a sign-up, by the policy's names, so that the reader of the mail recognises the sign-up.
  private func profile(_ typed: [String: FieldValue]) -> [Screen.Piece] {
    let language = visit.words.language
    let facts = visit.policy.profile.fields.filter { $0.write != .admin }.compactMap { field in
      let shown = visit.profileFields.shown(field, typed[field.name])
      return ProfileFields.text(typed[field.name]).isEmpty
        ? nil : (name: field.readable.text(in: [language]) ?? field.name, lines: [shown])
    }
    return facts.isEmpty ? [] : [Pieces.text(words.typed), Pieces.facts(facts)]
  }

  /// The password that the account, or the sign-up, has.
  private func current(_ label: String) -> Screen.Piece {
    .form(
      Form(fields: visit.passwordFields.current(of: link.address, .password, label: label), button: texts.button))
  }

  /// A new password, twice, with what the policy asks of it.
  private func new(
    _ name: SecretField, button: String, style: Form.Style = .primary, intent: String? = nil
  ) -> Screen.Piece {
    .form(
      Form(
        fields: visit.passwordFields.new(of: link.address, name, label: words.newPassword), button: button,
        style: style, intent: intent))
  }

  // MARK: What was sent

  /// The field of the password in the form that was sent.
  private func field(_ typed: Typed) -> SecretField { typed.intent == Name.other ? .newPassword : .password }

  /// Does what the page is for. Refuses as the operation of the API does.
  func redeem(_ typed: Typed) async throws {
    let isOther = typed.intent == Name.other
    let current = typed[SecretField.password.rawValue]
    let password = isOther || current.isEmpty ? nil : current
    let (call, services) = (visit.call, try visit.services)
    switch page {
    case .verifyEmail:
      let other = isOther ? typed[SecretField.newPassword.rawValue] : nil
      _ = try await EmailVerification.confirm(
        .init(token: token, password: password, newPassword: other), call, services)
    case .resetPassword:
      _ = try await PasswordReset.confirm(.init(token: token, password: password ?? ""), call, services)
    case .confirmEmail: _ = try await EmailChange.confirm(.init(token: token, password: password), call, services)
    case .undoEmail: _ = try await UndoEmailChange.run(.init(token: token), call, services)
    }
  }

  /// The fault of the typed values, before the server is asked.
  func problem(_ typed: Typed) -> FormProblem? {
    let field = field(typed)
    let isNew: Bool
    switch link.asks {
    case .nothing:
      // GUARD: pages: an undo is typed
      guard wantsWord, !words.undoWord.isTyped(typed[Name.word]) else { return nil }
      return FormProblem(field: Name.word, message: words.undoWord.missing)
    case .session: return nil
    case .newPassword: isNew = true
    case .password, .signUp: isNew = field == .newPassword
    }
    if typed[field.rawValue].isEmpty { return FormProblem(field: field.rawValue, message: words.missingPassword) }
    return isNew ? visit.passwordFields.difference(typed, field) : nil
  }

  /// The problem of a refusal that is about the form; nil for one that is not about it.
  func problems(of refused: Refusal, _ typed: Typed) -> [FormProblem]? {
    switch refused.code {
    case .invalidCredentials: [FormProblem(field: SecretField.password.rawValue, message: words.wrongPassword)]
    case .validationFailed:
      refused.problems(visit.words, visit.call).map { problem in
        var problem = problem
        problem.field = problem.field == SecretField.password.rawValue ? field(typed).rawValue : nil
        return problem
      }
    default: nil
    }
  }
}
