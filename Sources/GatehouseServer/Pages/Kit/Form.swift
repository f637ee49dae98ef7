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
    /// The name of the key for which the flow is sealed.
    var browser = ""
    /// The key by which a form that was sent twice is known.
    let key: String
    /// Whether the form comes back because the browser sent no cookies with it.
    var isWithoutCookies = false

    /// The name of the field that says so.
    static let withoutCookies = "cookieless"
    /// The name of the field for the key's name.
    static let browser = "b"
    /// The names of these fields, and of those of the switch that shows passwords.
    static let names: Set<String> = ["csrf", "f", browser, "key", withoutCookies, "shown", "show"]
  }

  var fields: [FormField] = []
  var button: String
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
  /// The `id` of the form that a page is for, by which buttons elsewhere on the page send it.
  static let id = "form"
  /// The class of the rules for a button that follows another owner's brand guide.
  var brand: String?
  /// The address of a picture before the button's words.
  var picture: String?
  /// The use of a passkey that the form sends. It is hidden at first: the script of passkeys shows it.
  var passkey: PasskeyUse?

  var hasPassword: Bool { fields.contains { !$0.isKept } }

  /// - Parameter isMain: Whether the page is for this form.
  func html(_ hidden: Hidden, at path: String, _ words: FormWords, isMain: Bool = false) -> HTML {
    let hiddenValues =
      [("csrf", hidden.token), ("f", hidden.flow), (Hidden.browser, hidden.browser), ("key", hidden.key)]
      + (intent.map { [("do", $0)] } ?? []) + values.map { ($0.name, $0.value) }
      + (showsPasswords ? [("shown", "1")] : [])
      + (hidden.isWithoutCookies ? [(Hidden.withoutCookies, "1")] : [])
    let inputs = hiddenValues.filter { !$0.1.isEmpty }.map { name, value -> HTML in
      "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
    }
    // The first button of a form is the one that Enter presses. It must not be the switch.
    let first: HTML =
      hasPassword ? "<button class=\"first\" tabindex=\"-1\" aria-hidden=\"true\">\(button)</button>" : ""
    let isHidden = isLater || passkey != nil
    let id: HTML = isMain ? " id=\"\(Form.id)\"" : ""
    let mark: HTML = if let picture { "<img src=\"\(picture)\" alt=\"\" width=\"20\" height=\"20\">" } else { "" }
    let about: HTML = if let label { " aria-label=\"\(label)\"" } else { "" }
    return """
      <form\(id) method="post" action="\(action ?? path)" class="\(style.rawValue)\(brand.map { " " + $0 } ?? "")"\(about)\(passkey?.attributes ?? "") novalidate\(isHidden ? " hidden" : "")>
      \(HTML(inputs))\(passkey?.inputs ?? "")
      \(first)
      \(HTML(fields.map { $0.html(showsPasswords: showsPasswords, words) }))
      <button type="submit">\(mark)\(button)</button>
      </form>
      """
  }
}

/// A field for what its user alone knows: it is in nothing that is kept.
enum SecretField: String, CaseIterable, Sendable {
  case current, password
  case newPassword = "new_password"
  case again, code

  static let passwords = allCases.filter { $0 != .code }
  static let names = Set(allCases.map(\.rawValue))
}

/// Something wrong in what was sent, and the field that it is about.
struct FormProblem: Sendable, Equatable {
  /// Where else the reader can go.
  struct Way: Sendable, Equatable {
    let text: String
    let address: String
  }

  var field: String?
  var message: String
  /// The id of the rule that was broken, where the policy has one.
  var rule: String?
  /// The way out, behind the message.
  var way: Way?
  /// The seconds that the message says, which the script counts down.
  var countdown: Countdown?
}

/// A sentence with a time that the script counts down. `#` stands for the number.
struct Countdown: Sendable, Equatable {
  let seconds: Int
  let one, many, minutes: String
  /// Those of numbers that the language has another form for, by the name of an attribute.
  let others: [Other]

  struct Other: Sendable, Equatable {
    let name, sentence: String
  }

  /// - Parameters:
  ///   - duration: a number of seconds as people say it.
  ///   - sentence: the sentence around it.
  init(_ seconds: Int, _ duration: (Int) -> String, _ sentence: (String) -> String) {
    self.seconds = seconds
    func counting(_ count: Int, by unit: Int = 1) -> String {
      sentence(duration(count * unit).replacing(String(count), with: "#"))
    }
    one = sentence(duration(1))
    let (many, minutes) = (counting(77), counting(77, by: 60))
    (self.many, self.minutes) = (many, minutes)
    others = [("two", 2), ("few", 7)].flatMap { form, count in
      let short = Other(name: form, sentence: counting(count))
      // Minutes are said of a wait of more than 90 seconds.
      return seconds > 90 ? [short, Other(name: "minutes-\(form)", sentence: counting(count, by: 60))] : [short]
    }.filter { $0.sentence != many && $0.sentence != minutes }
  }

  /// The attributes by which the script knows it.
  var attributes: HTML {
    let others = others.map { other -> HTML in " data-\(other.name)=\"\(other.sentence)\"" }
    return
      " class=\"wait\" data-seconds=\"\(String(seconds))\" data-one=\"\(one)\" data-many=\"\(many)\" data-minutes=\"\(minutes)\"\(HTML(others))"
  }
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

  /// The values that a person typed and that are no secrets, and the name of the form among those of its page.
  var open: [String: String] {
    // GUARD: pages: a secret is in no draft
    let hidden = Form.Hidden.names.union(SecretField.names)
    return values.filter { !hidden.contains($0.key) }
  }
  /// The fields of passwords that were sent.
  var passwords: [SecretField] { SecretField.passwords.filter { values[$0.rawValue] != nil } }
  /// Whether a password was typed, which no form brings back.
  var hasPassword: Bool { values.contains { $0.key.hasSuffix("password") && !$0.value.isEmpty } }
  /// Whether the form is to come back with passwords in clear or hidden; nil where it was sent for its purpose.
  var shows: Bool? { values["show"].map { $0 == "1" } }
  /// The language in which the form is to come back; nil where it was sent for its purpose.
  var language: String? { values["lang"] }
  /// Whether passwords are shown now.
  var showsPasswords: Bool { shows ?? (values["shown"] == "1") }
}
