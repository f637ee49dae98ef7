import GatehousePolicy
import GatehouseWire
import Testing

@testable import GatehouseServer

/// Every text of a value, by its place in it. A text that is made of values is made of marks.
struct SpokenParts {
  private(set) var texts: [String: String] = [:]
  /// Places of functions, and those of them that were called.
  private(set) var functions: Set<String> = []
  private(set) var called: Set<String> = []

  /// The functions are called by their names: Swift does not cast one that stands in a value of any type.
  init(_ words: HostedWords) {
    read(words, at: "")
    let ofOne: [(place: String, make: @Sendable (String) -> String)] = [
      ("frame.forms.back", words.frame.forms.back),
      ("frame.forms.from", words.frame.forms.from),
      ("errors.over", words.errors.over),
      ("errors.wait", words.errors.wait),
      ("errors.waitOrReset", words.errors.waitOrReset),
      ("errors.unavailable", words.errors.unavailable),
      ("signIn.heading", words.signIn.heading),
      ("signIn.welcome", words.signIn.welcome),
      ("signIn.provider", words.signIn.provider),
      ("signIn.signedIn", words.signIn.signedIn),
      ("signIn.codeLead", words.signIn.codeLead),
      ("signUp.heading", words.signUp.heading),
      ("signUp.signIn", words.signUp.signIn),
      ("checkMail.wait", words.checkMail.wait),
      ("checkMail.unsent", words.checkMail.unsent),
      ("checkMail.early", words.checkMail.early),
      ("complete.lead", words.complete.lead),
      ("complete.waits", words.complete.waits),
      ("connect.heading", words.connect.heading),
      ("connect.lead", words.connect.lead),
      ("connect.optional", words.connect.optional),
      ("connect.button", words.connect.button),
      ("endings.signedInText", words.endings.signedInText),
      ("endings.open", words.endings.open),
      ("endings.signOutQuestion", words.endings.signOutQuestion),
      ("account.verified", words.account.verified),
      ("email.lead", words.email.lead),
      ("devices.named", words.devices.named),
      ("connections.since", words.connections.since),
      ("connections.broken", words.connections.broken),
      ("connections.again", words.connections.again),
      ("connections.disconnect", words.connections.disconnect),
      ("connections.needed", words.connections.needed),
      ("delete.warning", words.delete.warning),
      ("delete.plainWarning", words.delete.plainWarning),
      ("export.lead", words.export.lead),
      ("links.inApp", words.links.inApp),
      ("advice.now", words.advice.now),
      ("secondStep.lead", words.secondStep.lead),
      ("secondStep.remember", words.secondStep.remember),
      ("factors.since", words.factors.since),
      ("factors.due", words.factors.due),
      ("factors.removing", words.factors.removing),
      ("passkeys.former", words.passkeys.former),
    ]
    for (place, make) in ofOne { take(make("<1>"), at: place) }
    let ofTwo: [(place: String, make: @Sendable (String, String) -> String)] = [
      ("checkMail.paused", words.checkMail.paused),
      ("profile.between", words.profile.between),
      ("advice.from", words.advice.from),
    ]
    for (place, make) in ofTwo { take(make("<1>", "<2>"), at: place) }
    take(words.moments.date("<1>", "<2>", "<3>"), at: "moments.date")
    for flag in [true, false] { take(words.errors.old(flag), at: "errors.old", of: flag) }
    for count in [1, 2, 7, 4000] {
      take(words.duration(count), at: "duration", of: count)
      take(words.connect.technical(count), at: "connect.technical", of: count)
      take(words.secondStep.days(count), at: "secondStep.days", of: count)
    }
    for count in [0, 1, 2, 7] {
      take(words.factors.left(count), at: "factors.left", of: count)
    }
    for (place, make) in [("checkMail.sent", words.checkMail.sent), ("checkMail.perhaps", words.checkMail.perhaps)] {
      take(make("_1", "_2", "_3").text, at: place)
    }
    take(words.checkMail.sentLink("_1", "_2").text, at: "checkMail.sentLink")
    take(words.checkMail.perhapsLink("_1", "_2").text, at: "checkMail.perhapsLink")
    for code in ErrorCode.allCases {
      tell(words.errors.pages(code, "<1>"), at: "errors.pages", of: code)
      tell(words.links.refusals(code), at: "links.refusals", of: code)
      tell(words.landings.refusals(code), at: "landings.refusals", of: code)
    }
    let linked = words.landings.linked("<1>")
    tell((linked.title, linked.text), at: "landings.linked", of: "")
    for page in LinkPage.allCases {
      tell(words.links.forms(page, "<1>", "<2>"), at: "links.forms", of: page)
      take(words.links.withPassword(page, "<1>", "<2>"), at: "links.withPassword", of: page)
    }
    tell(words.links.signUp("<1>", "<2>"), at: "links.signUp", of: "")
    tell(words.links.firstPassword("<1>"), at: "links.firstPassword", of: "")
  }

  private mutating func read(_ value: Any, at place: String) {
    func below(_ name: String) -> String { place.isEmpty ? name : "\(place).\(name)" }
    switch value {
    case let text as String: texts[place] = text
    case let html as HTML: texts[place] = html.text
    case is PageLanguage: break
    case let words as [String: String]: for (key, text) in words { texts[below(key)] = text }
    case let notices as [Flow.Notice: String]: for (notice, text) in notices { texts[below("\(notice)")] = text }
    case _ where String(describing: type(of: value)).contains("->"): functions.insert(place)
    default:
      for (index, part) in Mirror(reflecting: value).children.enumerated() {
        read(part.value, at: below(part.label ?? String(index)))
      }
    }
  }

  private mutating func take(_ text: String, at place: String, of case: Any = "") {
    called.insert(place)
    texts["\(place).\(`case`)"] = text
  }

  private mutating func tell(_ told: (title: String, text: String?), at place: String, of case: Any) {
    take(told.title, at: place, of: "\(`case`).title")
    if let text = told.text { take(text, at: place, of: "\(`case`).text") }
  }

  private mutating func tell(_ told: LinkTexts, at place: String, of case: Any) {
    for (name, text) in [
      ("title", told.title), ("lead", told.lead), ("button", told.button), ("doneTitle", told.doneTitle),
      ("done", told.done),
    ] { take(text, at: place, of: "\(`case`).\(name)") }
  }
}

@Suite("The words of the pages, in every language")
struct PageWordsTests {
  /// Words that English has in common with another language.
  private static let shared: Set<String> = [
    "Error", "No", "April", "August", "September", "November", "Passkey", "Passkeys",
  ]

  /// The marks that stand for values.
  private func marks(_ text: String) -> Set<String> {
    Set(text.matches(of: /<[123]>|_[123]/).map { String($0.output) })
  }

  @Test("each has all texts of English, none is empty, and all say the values that English says")
  func whole() throws {
    let english = SpokenParts(HostedWords.english)
    #expect(english.texts.count > 300)
    #expect(english.functions == english.called, "every function is called by its name")
    for language in Language.allCases {
      let parts = SpokenParts(HostedWords.of(language))
      #expect(Set(parts.texts.keys) == Set(english.texts.keys), "\(language)")
      for (place, text) in parts.texts {
        #expect(!text.isEmpty, "\(language) \(place)")
        #expect(marks(text) == marks(english.texts[place] ?? ""), "\(language) \(place): \(text)")
      }
    }
  }

  @Test("no English is left in another language", arguments: Language.allCases.filter { $0 != .english })
  func translated(_ language: Language) {
    let english = SpokenParts(HostedWords.english).texts
    for (place, text) in SpokenParts(HostedWords.of(language)).texts where !Self.shared.contains(text) {
      guard let theirs = english[place], !theirs.matches(of: /[a-z]{2}/).isEmpty else { continue }
      #expect(text != theirs, "\(language) \(place)")
      let words = text.lowercased().split { !$0.isLetter }.map(String.init)
      #expect(Set(words).isDisjoint(with: ["the", "your", "you", "this", "please"]), "\(language) \(place): \(text)")
    }
  }

  @Test("a value in a sentence that runs from right to left is kept apart from it")
  func isolated() {
    for (place, text) in SpokenParts(HostedWords.arabic).texts where !place.hasPrefix("moments.date") {
      for mark in text.matches(of: /<[123]>/) {
        let before = text[..<mark.range.lowerBound].last { $0 != "<" }
        // Days, numbers and times are words of the language itself.
        let isOwn = ["duration", "wait", "waitOrReset", "between", "from", "since", "due", "paused", "remember"]
          .contains {
            place.contains(".\($0)")
          }
        #expect(isOwn || before == "\u{2068}", "\(place): \(text)")
      }
    }
  }

  @Test("a page in Arabic runs from right to left, and no other does", arguments: Language.allCases)
  func direction(_ language: Language) {
    let frame = PageFrame(
      brand: Brand(name: "Acme", style: PageStyle()), words: HostedWords.of(language).frame, root: "../")
    let fields = [
      FormField(name: "email", label: "E", kind: .email), FormField(name: "phone", label: "P", kind: .phone),
      FormField(name: "code", label: "C", kind: .code), FormField(name: "password", label: "S", kind: .password),
      FormField(name: "spelled", label: "R", kind: .recoveryCode),
    ]
    let answer = frame.answer(Screen("Acme", [.form(Form(fields: fields, button: "Go"))]))
    let html = String(decoding: answer.body?.bytes ?? [], as: UTF8.self)
    let isMirrored = language == .arabic
    #expect(html.contains("<html lang=\"\(language.rawValue)\"\(isMirrored ? " dir=\"rtl\"" : "")>"))
    #expect(html.contains(PageRules.mirrored.text) == isMirrored)
    #expect(html.matches(of: /<input id="[a-z]+"[^>]* dir="ltr"/).count == fields.count, "what is typed runs as it is")
  }

  @Test("the rules of the style sheet name sides by the way that lines run")
  func sides() {
    let sided = /[;{](?:margin|padding|border)-(?:left|right):|[;{](?:left|right|float):|text-align:(?:left|right)/
    // A password runs from left to right on every page; the mirrored rules move the room of its switch.
    let rules = PageRules.all.text.replacing(".box input{padding-right:3rem}", with: "")
    #expect(rules.matches(of: sided).map { String($0.output) } == [])
    #expect(!"{text-align:left}".matches(of: sided).isEmpty && !"{a:b;margin-left:1rem}".matches(of: sided).isEmpty)
  }
}
