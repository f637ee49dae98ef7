import GatehousePrimitives

/// A form of a page. It is posted to the page's own address, or to that of another page.
struct Form: Sendable {
  enum Style: String, Sendable {
    case primary, secondary, danger
    /// Looks like a link.
    case plain
  }

  /// The fields of every form that no user types.
  struct Hidden: Sendable {
    /// The form token: the form was made for this browser.
    let token: String
    /// The flow that the page belongs to, sealed.
    let flow: String
    /// The key by which a form that was sent twice is known.
    let key: String
    /// Whether the form comes back because the browser sent no cookies with it.
    var isWithoutCookies = false

    /// The name of the field that says so.
    static let withoutCookies = "cookieless"
  }

  var fields: [FormField] = []
  let button: String
  var style = Style.primary
  /// Which of a page's forms it is; the main one has none.
  var intent: String?
  /// The subject of the form, for readers who hear the page: several forms of a page may have the same button.
  var label: String?
  /// Another page, relative to this one.
  var action: String?
  /// More values that go with it.
  var values: [(name: String, value: String)] = []
  /// Whether the form is hidden at first: the script shows it once the time of the sentence before it is over.
  var isLater = false
  var showsPasswords = false

  private var hasPassword: Bool { fields.contains { !$0.isKept } }

  func html(_ hidden: Hidden, at path: String, _ words: FormWords) -> HTML {
    let hiddenValues =
      [("csrf", hidden.token), ("f", hidden.flow), ("key", hidden.key)]
      + (intent.map { [("do", $0)] } ?? []) + values.map { ($0.name, $0.value) }
      + (showsPasswords ? [("shown", "1")] : [])
      + (hidden.isWithoutCookies ? [(Hidden.withoutCookies, "1")] : [])
    let inputs = hiddenValues.filter { !$0.1.isEmpty }.map { name, value -> HTML in
      "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
    }
    // The first button of a form is the one that Enter presses. It must not be the switch.
    let first: HTML =
      hasPassword ? "<button class=\"first\" tabindex=\"-1\" aria-hidden=\"true\">\(button)</button>" : ""
    let about: HTML = if let label { " aria-label=\"\(label)\"" } else { "" }
    return """
      <form method="post" action="\(action ?? path)" class="\(style.rawValue)"\(about) novalidate\(isLater ? " hidden" : "")>
      \(HTML(inputs))
      \(first)
      \(HTML(fields.map { $0.html(showsPasswords: showsPasswords) }))
      \(toggle(words))
      <button type="submit">\(button)</button>
      </form>
      """
  }

  /// Sends the form back with everything that was typed, which works without scripts. With the script it needs no
  /// answer. Its words say what it does next.
  private func toggle(_ words: FormWords) -> HTML {
    guard hasPassword else { return "" }
    return """
      <button class="toggle" type="submit" name="show" value="\(showsPasswords ? "0" : "1")" data-show="\(words.show)" data-hide="\(words.hide)">\(showsPasswords ? words.hide : words.show)</button>
      """
  }
}

/// Something wrong in what was sent, and the field that it is about.
struct FormProblem: Sendable, Equatable {
  var field: String?
  let message: String
  /// The id of the rule that was broken, where the policy has one.
  var rule: String?
}

/// The values that were sent with a form.
struct Typed: Sendable {
  private let values: [String: String]

  init(_ object: JSONObject) {
    self.init(object.members.reduce(into: [:]) { $0[$1.key] = $1.value.string })
  }

  init(_ values: [String: String]) { self.values = values }

  /// The value of a field; nil where none was sent.
  func given(_ name: String) -> String? { values[name] }
  /// The value of a field; empty where none was sent.
  subscript(name: String) -> String { values[name] ?? "" }

  /// Which of a page's forms it is.
  var intent: String? { values["do"] }
  /// Whether the form is to come back with passwords in clear or hidden; nil where it was sent for its purpose.
  var shows: Bool? { values["show"].map { $0 == "1" } }
  /// Whether passwords are shown now.
  var showsPasswords: Bool { shows ?? (values["shown"] == "1") }
}
