import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehouseRuntime

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
    enum Field: String { case password, again }
    let field: Field?
    let message: String
  }

  private var words: PageWords { frame.words }
  private var policy: Policy { frame.tenant.policy }
  private var texts: PageTexts {
    page == .resetPassword && link.isFirstPassword
      ? words.firstPassword(policy.app.name) : words.forms(page, link.address, policy.app.name)
  }

  /// A title with a sentence under it, where there is nothing to press.
  static func message(_ title: String, _ text: String?) -> HTML {
    let paragraph: HTML = if let text { "<p>\(text)</p>" } else { "" }
    return "<h1>\(title)</h1>\n\(paragraph)"
  }

  func form(_ problems: [Problem] = []) -> Response {
    let texts = texts
    let content: HTML = """
      \(summary(problems))
      <h1>\(texts.title)</h1>
      <p>\(texts.lead)</p>
      <form method="post" action="\(page.rawValue)\(showsPassword ? "?\(Self.showing)" : "")">
      <input type="hidden" name="csrf" value="\(FlowCookie.proof(token))">
      \(page == .resetPassword ? passwordFields(problems) : "")
      <button type="submit">\(texts.button)</button>
      </form>
      """
    return frame.response(
      texts.title, content, status: problems.isEmpty ? 200 : 422, isTrouble: !problems.isEmpty)
  }

  func done() -> Response {
    let texts = texts
    return frame.response(texts.doneTitle, Self.done(texts.doneTitle, texts.done, policy.app, words))
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

  /// What is wrong, before everything else, each line leading to its field.
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

  private func passwordFields(_ problems: [Problem]) -> HTML {
    let rules = policy.publicRules(at: now).filter { $0.pointer == Pointer.password && $0.enforce == .enforce }
    let told = rules.filter { $0.kind != "required" }
    // What people miss most often comes first.
    let needs = (told.filter { $0.kind != "max_length" } + told.filter { $0.kind == "max_length" })
      .map { $0.message.text(in: [words.language]) ?? $0.id }
    let list: HTML =
      needs.isEmpty
      ? ""
      : """
      <div class="rules" id="rules">
      \(words.passwordNeeds)
      <ul>
      \(HTML(needs.map { "<li>\($0)</li>" }))
      </ul>
      </div>
      """
    // The name beside the password is for password managers, which keep the two together.
    return """
      <p>\(words.account) <strong>\(link.address)</strong></p>
      <input class="login" type="email" value="\(link.address)" autocomplete="username" readonly tabindex="-1" aria-hidden="true">
      <p><a href="\(page.rawValue)\(showsPassword ? "" : "?\(Self.showing)")">\(showsPassword ? words.hide : words.show)</a></p>
      \(field(.password, words.newPassword, problems, hint: list, described: needs.isEmpty ? nil : "rules"))
      \(field(.again, words.repeated, problems, hint: "", described: nil))
      """
  }

  private func field(_ name: Problem.Field, _ label: String, _ problems: [Problem], hint: HTML, described: String?)
    -> HTML
  {
    let wrong = problems.filter { $0.field == name }.map(\.message)
    let error: HTML =
      wrong.isEmpty ? "" : "<p class=\"error\" id=\"\(name.rawValue)-error\">\(wrong.joined(separator: " · "))</p>"
    let about = [described, wrong.isEmpty ? nil : "\(name.rawValue)-error"].compactMap { $0 }.joined(separator: " ")
    let by: HTML = about.isEmpty ? "" : " aria-describedby=\"\(about)\""
    let isFirst = problems.first?.field == name
    let state: HTML = wrong.isEmpty ? "" : isFirst ? " aria-invalid=\"true\" autofocus" : " aria-invalid=\"true\""
    // Without help from a keyboard or a spell checker, which would learn it.
    let kind: HTML =
      showsPassword
      ? "type=\"text\" spellcheck=\"false\" autocapitalize=\"none\" autocorrect=\"off\"" : "type=\"password\""
    let managers: HTML =
      name == .password ? " passwordrules=\"\(policy.passwordRules(at: now))\"" : ""
    return """
      <label for="\(name.rawValue)">\(label)</label>
      \(hint)
      \(error)
      <input id="\(name.rawValue)" name="\(name.rawValue)" \(kind) autocomplete="new-password" required\(by)\(state)\(managers)>
      """
  }
}
