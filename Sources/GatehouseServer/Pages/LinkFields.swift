import GatehouseIdentity
import GatehousePolicy

/// The fields of a link's form, with what is wrong in each beside it.
struct LinkFields {
  let view: LinkView
  let problems: [LinkView.Problem]

  private var words: PageWords { view.words }

  /// The values typed at a sign-up, by the policy's names, so that the reader of the mail recognises the sign-up.
  func profile(_ typed: [String: FieldValue]) -> HTML {
    let rows = view.policy.profile.fields.filter { $0.write != .admin }.compactMap { field -> HTML? in
      guard let value = typed[field.name].map(text), !value.isEmpty else { return nil }
      return "<dt>\(field.name)</dt><dd>\(value)</dd>"
    }
    guard !rows.isEmpty else { return "" }
    return """
      <p>\(words.typed)</p>
      <dl>
      \(HTML(rows))
      </dl>
      """
  }

  private func text(_ value: FieldValue) -> String {
    switch value {
    case .string(let text): text
    case .integer(let number): String(number)
    case .boolean(let flag): String(flag)
    case .null, .unsupported: ""
    }
  }

  /// The password that the account, or the sign-up, has.
  func current(_ label: String) -> HTML {
    """
    \(login)
    \(toggle)
    \(field(.password, label, hint: "", described: nil, manager: "autocomplete=\"current-password\""))
    """
  }

  /// A new password, twice, with what the policy asks of it.
  func new(_ name: LinkView.Problem.Field) -> HTML {
    let rules = view.policy.publicRules(at: view.now).filter {
      $0.pointer == Pointer.password && $0.enforce == .enforce
    }
    let told = rules.filter { $0.kind != "required" }
    // The rule that users break most often comes first.
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
    let manager: HTML = "autocomplete=\"new-password\""
    let rule: HTML = "\(manager) passwordrules=\"\(view.policy.passwordRules(at: view.now))\""
    return """
      <p>\(words.user) <strong>\(view.link.address)</strong></p>
      \(login)
      \(toggle)
      \(field(name, words.newPassword, hint: list, described: needs.isEmpty ? nil : "rules", manager: rule))
      \(field(.again, words.repeated, hint: "", described: nil, manager: manager))
      """
  }

  /// The name beside the password is for password managers, which keep the two together.
  private var login: HTML {
    """
    <input class="login" type="email" value="\(view.link.address)" autocomplete="username" readonly tabindex="-1" aria-hidden="true">
    """
  }

  private var toggle: HTML {
    let shows = view.showsPassword
    return """
      <p><a href="\(view.page.rawValue)\(shows ? "" : "?\(LinkView.showing)")">\(shows ? words.hide : words.show)</a></p>
      """
  }

  private func field(
    _ name: LinkView.Problem.Field, _ label: String, hint: HTML, described: String?, manager: HTML
  ) -> HTML {
    let wrong = problems.filter { $0.field == name }.map(\.message)
    let error: HTML =
      wrong.isEmpty ? "" : "<p class=\"error\" id=\"\(name.rawValue)-error\">\(wrong.joined(separator: " · "))</p>"
    let about = [described, wrong.isEmpty ? nil : "\(name.rawValue)-error"].compactMap { $0 }.joined(separator: " ")
    let by: HTML = about.isEmpty ? "" : " aria-describedby=\"\(about)\""
    let isFirst = problems.first?.field == name
    let state: HTML = wrong.isEmpty ? "" : isFirst ? " aria-invalid=\"true\" autofocus" : " aria-invalid=\"true\""
    // Without help from a keyboard or a spell checker, which would learn it.
    let kind: HTML =
      view.showsPassword
      ? "type=\"text\" spellcheck=\"false\" autocapitalize=\"none\" autocorrect=\"off\"" : "type=\"password\""
    return """
      <label for="\(name.rawValue)">\(label)</label>
      \(hint)
      \(error)
      <input id="\(name.rawValue)" name="\(name.rawValue)" \(kind) \(manager) required\(by)\(state)>
      """
  }
}
