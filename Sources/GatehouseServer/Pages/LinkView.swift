import Foundation
import GatehouseIdentity
import GatehousePolicy

/// The page of one live link: its form, the form with what is wrong, and what it says when it is done.
struct LinkView {
  let page: LinkPage
  let token: String
  let link: OpenLink.Live
  /// Whether what is typed into the password's fields can be read.
  let showsPassword: Bool
  let frame: PageFrame
  let now: Date

  /// The query of the page that shows what is typed. Pages have no scripts, so its switch is a link.
  static let showing = "show=1"

  /// Something wrong in what was sent, and the field it is about.
  struct Problem {
    enum Field: String {
      case password, again
      case newPassword = "new_password"
    }
    let field: Field?
    let message: String
  }

  var words: PageWords { frame.words }
  var policy: Policy { frame.tenant.policy }
  private var texts: PageTexts {
    switch link.asks {
    case .newPassword(isFirst: true): words.firstPassword(policy.app.name)
    case .signUp: words.signUp(link.address, policy.app.name)
    default: words.forms(page, link.address, policy.app.name)
    }
  }

  /// A title with a sentence under it, where there is nothing to press.
  static func message(_ title: String, _ text: String?) -> HTML {
    let paragraph: HTML = if let text { "<p>\(text)</p>" } else { "" }
    return "<h1>\(title)</h1>\n\(paragraph)"
  }

  func form(_ problems: [Problem] = []) -> Answer {
    let texts = texts
    let content: HTML = """
      \(summary(problems))
      <h1>\(texts.title)</h1>
      <p>\(lead)</p>
      \(forms(problems))
      """
    return frame.answer(
      texts.title, content, status: problems.isEmpty ? 200 : 422, isTrouble: !problems.isEmpty)
  }

  private var lead: String {
    switch link.asks {
    case .password: words.withPassword(page, link.address, policy.app.name)
    case .session: words.inApp(policy.app.name)
    default: texts.lead
    }
  }

  private func forms(_ problems: [Problem]) -> HTML {
    let fields = LinkFields(view: self, problems: problems)
    return switch link.asks {
    case .nothing: form("", button: texts.button)
    case .password: form(fields.current(words.yourPassword), button: texts.button)
    case .newPassword: form(fields.new(.password), button: texts.button)
    case .signUp(let typed):
      HTML([
        fields.profile(typed), form(fields.current(words.chosenPassword), button: texts.button),
        "<h2>\(words.otherPassword)</h2>", form(fields.new(.newPassword), button: words.takeOver),
      ])
    case .session: ""
    }
  }

  private func form(_ fields: HTML, button: String) -> HTML {
    """
    <form method="post" action="\(page.rawValue)\(showsPassword ? "?\(Self.showing)" : "")">
    <input type="hidden" name="csrf" value="\(FlowCookie.proof(token))">
    \(fields)
    <button type="submit">\(button)</button>
    </form>
    """
  }

  func done() -> Answer {
    let texts = texts
    return frame.answer(texts.doneTitle, Self.done(texts.doneTitle, texts.done, policy.app, words))
  }

  /// That something is done, with the way back to the app.
  static func done(_ title: String, _ text: String, _ app: App, _ words: PageWords) -> HTML {
    let way: HTML =
      if let open = app.openApp {
        "<a class=\"button\" href=\"\(open)\">\(words.open) \(app.name)</a>"
      } else {
        ""
      }
    return """
      <svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><path d="M4 12.5l5.5 5.5L20 6.5"/></svg>
      <h1>\(title)</h1>
      <p role="status">\(text)</p>
      \(way)
      """
  }

  /// The list of errors at the top of the page, each line a link to its field.
  private func summary(_ problems: [Problem]) -> HTML {
    guard !problems.isEmpty else { return "" }
    let lines = problems.map { problem -> HTML in
      guard let field = problem.field else { return "<li>\(problem.message)</li>" }
      return "<li><a href=\"#\(field.rawValue)\">\(problem.message)</a></li>"
    }
    return """
      <div class="trouble" role="alert">
      <h2>\(words.problem)</h2>
      <ul>
      \(HTML(lines))
      </ul>
      </div>
      """
  }
}
