import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehouseRuntime

/// The page of one live link: its forms, with what is wrong in what was sent.
struct LinkView {
  let page: LinkPage
  let token: String
  let link: OpenLink.Live
  let frame: PageFrame
  let now: Date

  /// Names of fields.
  static let password = "password"
  static let newPassword = "new_password"
  /// The form with another password for a sign-up.
  static let other = "other"

  private var words: PageWords { frame.words }
  private var kit: HostedWords { .of(words.language) }
  private var policy: Policy { frame.tenant.policy }
  var passwordFields: PasswordFields { PasswordFields(policy: policy, words: kit, now: now) }

  private var texts: PageTexts {
    switch link.asks {
    case .newPassword(isFirst: true): words.firstPassword(policy.app.name)
    case .signUp: words.signUp(link.address, policy.app.name)
    default: words.forms(page, link.address, policy.app.name)
    }
  }

  /// Where the browser goes when it is done.
  var doneAddress: String {
    let done: LinkQuery.Done = if case .signUp = link.asks { .account } else { .usual }
    return "\(page.rawValue)?done=\(done.rawValue)"
  }

  func form(_ typed: Typed = .nothing, _ problems: [FormProblem] = []) -> Answer {
    let title = texts.title
    let (screen, summary) = Screen(title, pieces(typed)).marked(problems, in: typed)
    let hidden = Form.Hidden(proof: LinkCookie.proof(token), flow: "", key: "")
    let content: HTML = """
      \(Pieces.summary(summary, kit.forms))
      <h1>\(title)</h1>
      \(screen.html(hidden, at: page.rawValue, kit.forms))
      """
    var answer = frame.answer(
      title, content, status: problems.isEmpty ? 200 : 422, isTrouble: !problems.isEmpty)
    // With `no-referrer` browsers would not say where the form comes from.
    answer.headers.set("Referrer-Policy", "same-origin")
    return typed.isNothing ? answer : answer.comingBack(with: screen)
  }

  private func pieces(_ typed: Typed) -> [Screen.Piece] {
    let above = [Pieces.text(lead)]
    return switch link.asks {
    case .nothing: above + [.form(Form(button: texts.button))]
    case .session: above + [.html(frame.wayToApp)]
    case .password: above + [current(words.yourPassword, typed)]
    case .newPassword: above + [user, new(Self.password, button: texts.button, typed)]
    case .signUp(let profile):
      above + self.profile(profile) + [
        current(words.chosenPassword, typed), Pieces.part(words.otherPassword, words.otherLead), user,
        new(Self.newPassword, button: words.takeOver, style: .secondary, intent: Self.other, typed),
      ]
    }
  }

  private var lead: String {
    switch link.asks {
    case .password: words.withPassword(page, link.address, policy.app.name)
    case .session: words.inApp(policy.app.name)
    default: texts.lead
    }
  }

  private var user: Screen.Piece { .html("<p>\(words.user) <strong>\(link.address)</strong></p>") }

  /// The values typed at a sign-up, by the policy's names, so that the reader of the mail recognises the sign-up.
  private func profile(_ typed: [String: FieldValue]) -> [Screen.Piece] {
    let rows = policy.profile.fields.filter { $0.write != .admin }.compactMap { field -> HTML? in
      let value = ProfileFields.text(typed[field.name])
      guard !value.isEmpty else { return nil }
      return "<dt>\(field.readable.text(in: [words.language]) ?? field.name)</dt><dd>\(value)</dd>"
    }
    guard !rows.isEmpty else { return [] }
    return [
      Pieces.text(words.typed),
      .html(
        """
        <dl>
        \(HTML(rows))
        </dl>
        """),
    ]
  }

  /// The password that the account, or the sign-up, has.
  private func current(_ label: String, _ typed: Typed) -> Screen.Piece {
    let typed = part(of: typed, in: nil)
    var field = passwordFields.current(Self.password, label: label)
    field.value = typed[Self.password]
    return .form(
      Form(fields: [.username(link.address), field], button: texts.button, showsPasswords: typed.showsPasswords))
  }

  /// A new password, twice, with what the policy asks of it.
  private func new(
    _ name: String, button: String, style: Form.Style = .primary, intent: String? = nil, _ typed: Typed
  ) -> Screen.Piece {
    let typed = part(of: typed, in: intent)
    return .form(
      Form(
        fields: [FormField.username(link.address)] + passwordFields.new(typed, name, label: words.newPassword),
        button: button, style: style, intent: intent, showsPasswords: typed.showsPasswords))
  }

  /// What was typed into the form of this intent.
  private func part(of typed: Typed, in intent: String?) -> Typed { typed.intent == intent ? typed : .nothing }
}
