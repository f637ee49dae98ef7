import GatehousePrimitives

/// One input of a form: its name, how browsers and password managers know it, and what is wrong with it. A field has
/// a visible label always; its hint and its errors are its description.
struct FormField: Sendable {
  enum Kind: Sendable {
    case text, email, phone, url, date, number
    /// Text of several lines.
    case lines
    /// Six digits of a mail or an authenticator app.
    case code
    /// A recovery code: letters and digits, which are good until they are used.
    case recoveryCode
    /// Hidden while it is typed, unless the form shows passwords.
    case password
    /// The name beside a password, for password managers, which keep the two together. People do not see it.
    case username
    case checkbox
    case choice([Option])
  }

  struct Option: Sendable {
    let value: String
    let label: String
  }

  /// The `name` and the `id`. They never change: password managers and browsers remember them.
  let name: String
  let label: String
  let kind: Kind
  var value = ""
  var hint: HTML?
  /// The policy's rules for a new password.
  var checklist: Checklist?
  var isRequired = true
  /// An autofill field name (WHATWG HTML section 4.10.18.7).
  var autocomplete: String?
  /// The rules for a generated password, for password managers.
  var passwordRules: String?
  /// The country whose numbers a phone's field takes without a prefix.
  var region: String?
  /// Whether what is typed has no capitals of a keyboard's making, and no words of a language.
  var isPlain = false
  /// The rules that the script checks once the field is left.
  var checks: [Check] = []
  /// A way to another page, beside the label.
  var aside: (text: String, address: String)?
  var problems: [String] = []

  /// Whether people type or choose its value.
  var isTyped: Bool { if case .username = kind { false } else { true } }

  /// Whether the typed text stays when the form comes back.
  var isKept: Bool { if case .password = kind { false } else { true } }

  /// Whether nothing that holds its value may be kept.
  var isSecret: Bool {
    switch kind {
    case .password, .recoveryCode: true
    default: false
    }
  }

  /// Takes what was typed. A box that is not ticked is not sent.
  mutating func fill(with typed: Typed) {
    switch kind {
    case .username: break
    case .checkbox: value = typed[name]
    default: value = typed.given(name) ?? value
    }
  }

  func html(showsPasswords: Bool, _ words: FormWords) -> HTML {
    if case .username = kind {
      return """
        <input class="login" name="\(name)" type="email" value="\(value)" autocomplete="username" readonly tabindex="-1" aria-hidden="true">
        """
    }
    let hint: HTML = if let told { "<div class=\"hint\" id=\"\(name)-hint\">\(told)</div>" } else { "" }
    let error: HTML =
      problems.isEmpty ? "" : "<p class=\"error\" id=\"\(name)-error\">\(problems.joined(separator: " · "))</p>"
    let label: HTML = "<label for=\"\(name)\">\(label)</label>"
    if case .checkbox = kind {
      return """
        <div class="field check">
        \(error)
        <input id="\(name)" name="\(name)" type="checkbox" value="true"\(value == "true" ? " checked" : "")\(state)>
        \(label)
        \(hint)
        </div>
        """
    }
    let way: HTML = if let aside { "<a class=\"beside\" href=\"\(aside.address)\">\(aside.text)</a>" } else { "" }
    return """
      <div class="field">
      \(label)
      \(boxed(control(showsPasswords: showsPasswords), showsPasswords, words))
      \(error)
      \(hint)
      \(way)
      </div>
      """
  }

  /// A password with the button that shows it. Without scripts the button sends the form, which comes back with
  /// everything that was typed. With the script it needs no answer. Its name says what it does next.
  private func boxed(_ control: HTML, _ showsPasswords: Bool, _ words: FormWords) -> HTML {
    guard case .password = kind else { return control }
    let name = showsPasswords ? words.hide : words.show
    return """
      <div class="box">\(control)<button class="toggle" type="submit" name="show" value="\(showsPasswords ? "0" : "1")" aria-label="\(name)" data-show="\(words.show)" data-hide="\(words.hide)">\(Self.eye)</button></div>
      """
  }

  private static let eye: HTML = """
    <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12z"/><circle cx="12" cy="12" r="3"/><path class="slash" d="M4 4l16 16"/></svg>
    """

  /// The hint, where no problem says the same.
  private var told: HTML? {
    if let checklist { return checklist.html }
    guard let hint else { return nil }
    let isSaid = problems.contains { problem in
      let text: HTML = "\(problem)"
      return text.text == hint.text || text.text == hint.text + "."
    }
    return isSaid ? nil : hint
  }

  private func control(showsPasswords: Bool) -> HTML {
    if case .choice(let options) = kind {
      let lines = options.map { option -> HTML in
        "<option value=\"\(option.value)\"\(option.value == value ? " selected" : "")>\(option.label)</option>"
      }
      return """
        <select id="\(name)" name="\(name)"\(state)>
        \(HTML(lines))
        </select>
        """
    }
    if case .lines = kind {
      // A line end behind the tag is not part of the value (WHATWG HTML section 13.1.2.5).
      return "<textarea id=\"\(name)\" name=\"\(name)\" rows=\"4\"\(autofill)\(state)>\n\(value)</textarea>"
    }
    let filled: HTML = value.isEmpty ? "" : " value=\"\(value)\""
    let plain: HTML = isPlain ? " autocapitalize=\"none\" spellcheck=\"false\"" : ""
    return "<input id=\"\(name)\" name=\"\(name)\" \(type(showsPasswords))\(plain)\(autofill)\(filled)\(state)>"
  }

  private func type(_ showsPasswords: Bool) -> HTML {
    switch kind {
    case .email: "type=\"email\" inputmode=\"email\" autocapitalize=\"none\" spellcheck=\"false\" dir=\"ltr\""
    case .phone: "type=\"tel\" inputmode=\"tel\" dir=\"ltr\""
    case .url: "type=\"url\" inputmode=\"url\" autocapitalize=\"none\" spellcheck=\"false\" dir=\"ltr\""
    case .date: "type=\"date\""
    case .number: "type=\"text\" inputmode=\"numeric\" dir=\"ltr\""
    case .code:
      "type=\"text\" inputmode=\"numeric\" autocapitalize=\"none\" spellcheck=\"false\" class=\"code\" dir=\"ltr\" data-digits=\"\(String(NumericCode.digitCount))\""
    case .recoveryCode:
      "type=\"text\" autocapitalize=\"characters\" autocorrect=\"off\" spellcheck=\"false\" class=\"spelled\" dir=\"ltr\""
    // Without help from a keyboard or a spell checker, which would learn it.
    case .password where showsPasswords:
      "type=\"text\" class=\"secret\" spellcheck=\"false\" autocapitalize=\"none\" autocorrect=\"off\" dir=\"ltr\""
    case .password: "type=\"password\" class=\"secret\" dir=\"ltr\""
    case .text, .lines, .username, .checkbox, .choice: "type=\"text\""
    }
  }

  private var autofill: HTML {
    let token: HTML = if let autocomplete { " autocomplete=\"\(autocomplete)\"" } else { "" }
    let rules: HTML = if let passwordRules { " passwordrules=\"\(passwordRules)\"" } else { "" }
    let country: HTML = if let region { " data-region=\"\(region)\"" } else { "" }
    return "\(token)\(rules)\(country)"
  }

  private var state: HTML {
    let about = [told == nil ? nil : "\(name)-hint", problems.isEmpty ? nil : "\(name)-error"].compactMap(\.self)
    let by: HTML = about.isEmpty ? "" : " aria-describedby=\"\(about.joined(separator: " "))\""
    let required: HTML = isRequired ? " required" : ""
    let invalid: HTML = problems.isEmpty ? "" : " aria-invalid=\"true\""
    return "\(required)\(by)\(invalid)\(HTML(checks.map(\.html)))"
  }
}
