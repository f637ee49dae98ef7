import GatehouseRuntime

/// Words that stand instead of a screen's own: of its heading, the sentence below it, and the button that it is for.
struct ScreenWords: Sendable {
  var heading, lead, button: String?
}

/// The content of a page: a heading, and below it text and forms in the order in which they are read.
struct Screen: Sendable {
  enum Piece: Sendable {
    case html(HTML)
    case form(Form)
  }

  private(set) var heading: String
  /// The sentence below the heading that tells nothing of the person.
  private(set) var lead: String?
  var pieces: [Piece]
  /// The name by which its owner words it; nil where only we do.
  let name: String?
  /// A message above everything else that is no error.
  var notice: String?
  /// Whether a sign above the heading says that something is done.
  var isDone = false
  /// The status of a screen that tells of a trouble; nil for every other one.
  var trouble: Int?
  /// Whether it cannot be opened again: it offers no other languages.
  var isShownOnce = false
  /// The problems, which the screen tells first.
  var summary: [FormProblem] = []
  /// The state of the account for the person's passkey manager, as JSON; nil: none is told.
  var signal: String?

  init(
    _ heading: String, named name: String? = nil, lead: String? = nil, isDone: Bool = false, trouble: Int? = nil,
    _ pieces: [Piece]
  ) {
    (self.heading, self.name, self.lead) = (heading, name, lead)
    (self.isDone, self.trouble, self.pieces) = (isDone, trouble, pieces)
  }

  /// The screen in its owner's words, where there are some.
  func worded(by own: ScreenWords) -> Screen {
    var screen = self
    if let heading = own.heading { screen.heading = heading }
    if let lead = own.lead { screen.lead = lead }
    if let button = own.button, let place = main ?? primary, case .form(var form) = pieces[place] {
      form.button = button
      screen.pieces[place] = .form(form)
    }
    return screen
  }

  /// The first form whose button stands out.
  private var primary: Int? {
    pieces.firstIndex { piece in
      guard case .form(let form) = piece else { return false }
      return form.style == .primary || form.style == .danger
    }
  }

  private var forms: [Form] { pieces.compactMap { if case .form(let form) = $0 { form } else { nil } } }

  /// The form that the page is for: the first one that is filled in.
  private var main: Int? {
    pieces.firstIndex { piece in
      guard case .form(let form) = piece else { return false }
      return form.fields.contains { $0.isTyped }
    }
  }

  /// Whether something can be typed on it.
  var isTyped: Bool { main != nil }

  /// Whether anything can be sent from it.
  var hasForm: Bool { !forms.isEmpty }

  /// Whether a passkey can be used on it.
  var usesPasskey: Bool { forms.contains { $0.passkey != nil } }

  /// Whether a passkey can be made on it.
  var makesPasskey: Bool { forms.contains { $0.passkey?.ceremony == .create } }

  /// Whether it has the form of this intent.
  func has(_ intent: String?) -> Bool { forms.contains { $0.intent == intent } }

  /// Whether a typed password or recovery code stands in it.
  var holdsSecret: Bool {
    forms.contains { form in form.fields.contains { $0.isSecret && !$0.value.isEmpty } }
  }

  /// The content below the heading.
  func html(_ hidden: Form.Hidden, at path: String, _ words: FormWords) -> HTML {
    let main = main
    let lead: [HTML] = lead.map { ["<p>\($0)</p>"] } ?? []
    return HTML(
      lead
        + pieces.enumerated().map { index, piece in
          switch piece {
          case .html(let html): html
          case .form(let form): form.html(hidden, at: path, words, isMain: index == main)
          }
        })
  }

  /// The screen with what was typed, and what is wrong with it beside its field in the form that was sent. Passwords
  /// come back to the switch that shows them, and never with an error. The summary is in the order of the fields, after
  /// what is wrong with no field. Fields that a form borrowed are those of the main form.
  func marked(_ problems: [FormProblem], in typed: Typed) -> Screen {
    var screen = self
    var known: Set<String> = []
    var atFields: [FormProblem] = []
    let borrows = forms.contains { $0.intent == typed.intent && $0.passkey?.borrowed.isEmpty == false }
    screen.pieces = pieces.map { piece in
      guard case .form(var form) = piece, form.intent == (borrows ? nil : typed.intent) else { return piece }
      form.showsPasswords = typed.showsPasswords
      for index in form.fields.indices {
        let name = form.fields[index].name
        known.insert(name)
        form.fields[index].fill(with: typed)
        // GUARD: pages: a password comes back to the switch alone
        if typed.shows != true, !form.fields[index].isKept { form.fields[index].value = "" }
        let all = problems.filter { $0.field == name }
        let told = form.fields[index].checklist?.condensed(all) ?? all
        form.fields[index].checklist?.unmet = Set(all.compactMap(\.rule))
        form.fields[index].problems = told.map(\.message)
        atFields += told
      }
      return .form(form)
    }
    if !atFields.isEmpty { screen.keepAnswer(of: typed) }
    let general = problems.filter { problem in problem.field.map { !known.contains($0) } ?? true }
    screen.summary =
      general.map { problem in
        var problem = problem
        (problem.field, problem.rule) = (nil, nil)
        return problem
      } + atFields
    return screen
  }

  /// A field was wrong, and not the passkey that was made for the form: it is not made anew.
  private mutating func keepAnswer(of typed: Typed) {
    let answer = typed[PasskeyUse.Field.answer.rawValue]
    guard !answer.isEmpty else { return }
    for (index, piece) in pieces.enumerated() {
      guard case .form(var form) = piece, form.intent == typed.intent else { continue }
      form.passkey?.kept = PasskeyUse.Kept(challenge: typed[PasskeyUse.Field.challenge.rawValue], answer: answer)
      pieces[index] = .form(form)
    }
  }
}

extension Answer {
  /// The answer to a form that comes back. Browsers may keep it, because with `no-store` their way back would lead to
  /// an error page; but nothing may keep a password or a recovery code.
  func comingBack(with screen: Screen) -> Answer {
    guard screen.hasForm else { return self }
    var answer = self
    // GUARD: pages: a password is in nothing that is kept
    let isKept = !screen.holdsSecret
    answer.headers.set("Cache-Control", isKept ? "no-cache, private" : "no-store")
    return answer
  }
}

/// Pieces of screens that several pages have.
enum Pieces {
  static func text(_ text: String) -> Screen.Piece { .html("<p>\(text)</p>") }

  /// A way on that looks like a button.
  static func button(_ text: String, _ address: String) -> Screen.Piece {
    .html("<p><a class=\"button\" href=\"\(address)\">\(text)</a></p>")
  }

  /// Ways to other pages, below the form.
  static func links(_ links: [(text: String, address: String)]) -> Screen.Piece {
    .html(
      """
      <ul class="ways">
      \(HTML(links.map { "<li><a href=\"\($0.address)\">\($0.text)</a></li>" }))
      </ul>
      """)
  }

  /// A question with the way to its answer, in one line.
  static func question(_ text: String, _ way: String, _ address: String) -> Screen.Piece {
    .html("<p class=\"question\">\(text) <a href=\"\(address)\">\(way)</a></p>")
  }

  /// The list of errors at the top of the page, each line a link to its field. It has the focus.
  static func summary(_ problems: [FormProblem], _ words: FormWords) -> HTML {
    guard !problems.isEmpty else { return "" }
    let lines = problems.map { problem -> HTML in
      let way: HTML = if let way = problem.way { " <a href=\"\(way.address)\">\(way.text)</a>" } else { "" }
      if let field = problem.field { return "<li><a href=\"#\(field)\">\(problem.message)</a>\(way)</li>" }
      // What is counted is not read out each second.
      guard let countdown = problem.countdown else { return "<li>\(problem.message)\(way)</li>" }
      return "<li><span\(countdown.attributes) aria-live=\"off\">\(problem.message)</span>\(way)</li>"
    }
    return """
      <div class="trouble" role="alert" tabindex="-1" autofocus>
      <h2>\(words.problem)</h2>
      <ul>
      \(HTML(lines))
      </ul>
      </div>
      """
  }
}
