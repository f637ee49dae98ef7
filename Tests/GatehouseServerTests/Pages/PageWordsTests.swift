import GatehousePolicy
import GatehouseWire
import Testing

@testable import GatehouseServer

/// Every text of a value, by its place in it. A text that is made of values is made of marks.
struct SpokenParts {
  private(set) var texts: [String: String] = [:]
  /// Places of a kind that is not known here.
  private(set) var unread: [String] = []

  init(_ words: HostedWords) {
    read(words, at: "")
    for code in ErrorCode.allCases {
      tell(words.errors.pages(code, "<1>"), at: "errors.pages.\(code)")
      tell(words.links.refusals(code), at: "links.refusals.\(code)")
      tell(words.landings.refusals(code), at: "landings.refusals.\(code)")
    }
    let linked = words.landings.linked("<1>")
    tell((linked.title, linked.text), at: "landings.linked")
  }

  private typealias Told = (title: String, text: String?)

  private mutating func read(_ value: Any, at place: String) {
    switch value {
    case let text as String: texts[place] = text
    case let html as HTML: texts[place] = html.text
    case is PageLanguage, is Bool, is Int: break
    case let make as @Sendable (String) -> String: texts[place] = make("<1>")
    case let make as @Sendable (String, String) -> String: texts[place] = make("<1>", "<2>")
    case let make as @Sendable (String, String, String) -> String: texts[place] = make("<1>", "<2>", "<3>")
    case let make as @Sendable (Bool) -> String: for flag in [true, false] { texts["\(place).\(flag)"] = make(flag) }
    case let make as @Sendable (Int) -> String:
      for count in [1, 2, 7, 4000] { texts["\(place).\(count)"] = make(count) }
    case let make as @Sendable (String, HTML, String) -> HTML: texts[place] = make("_1", "_2", "_3").text
    case let make as @Sendable (String, HTML) -> HTML: texts[place] = make("_1", "_2").text
    case let make as @Sendable (LinkPage, String, String) -> LinkTexts:
      for page in LinkPage.allCases { read(make(page, "<1>", "<2>"), at: "\(place).\(page)") }
    case let make as @Sendable (LinkPage, String, String) -> String:
      for page in LinkPage.allCases { texts["\(place).\(page)"] = make(page, "<1>", "<2>") }
    case let make as @Sendable (String, String) -> LinkTexts: read(make("<1>", "<2>"), at: place)
    case let make as @Sendable (String) -> LinkTexts: read(make("<1>"), at: place)
    case let words as [String: String]: for (key, text) in words { texts["\(place).\(key)"] = text }
    case let notices as [Flow.Notice: String]: for (notice, text) in notices { texts["\(place).\(notice)"] = text }
    default:
      let parts = Mirror(reflecting: value).children
      let kind = String(describing: type(of: value))
      // Those that make a title and a text are called by their names.
      if parts.isEmpty, !kind.contains("(title: String") { unread.append("\(place): \(kind)") }
      for (index, part) in parts.enumerated() { read(part.value, at: "\(place).\(part.label ?? String(index))") }
    }
  }

  private mutating func tell(_ told: Told, at place: String) {
    texts[place + ".title"] = told.title
    if let text = told.text { texts[place + ".text"] = text }
  }
}

@Suite("The words of the pages, in every language")
struct PageWordsTests {
  /// Words that English has in common with another language.
  private static let shared: Set<String> = ["Error", "No", "April", "August", "September", "November"]

  /// The marks that stand for values.
  private func marks(_ text: String) -> Set<String> {
    Set(text.matches(of: /<[123]>|_[123]/).map { String($0.output) })
  }

  @Test("each has all texts of English, none is empty, and all say the values that English says")
  func whole() throws {
    let english = SpokenParts(HostedWords.english)
    #expect(english.texts.count > 300 && english.unread == [])
    for language in Language.allCases {
      let parts = SpokenParts(HostedWords.of(language))
      #expect(Set(parts.texts.keys) == Set(english.texts.keys) && parts.unread == [], "\(language)")
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
    for (place, text) in SpokenParts(HostedWords.arabic).texts where !place.hasSuffix("date") {
      for mark in text.matches(of: /<[123]>/) {
        let before = text[..<mark.range.lowerBound].last { $0 != "<" }
        // Days, numbers and times are words of the language itself.
        let isOwn = ["duration", "wait", "waitOrReset", "between", "from", "since", "paused"].contains {
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
    #expect(PageRules.all.text.matches(of: sided).map { String($0.output) } == [])
    #expect(!"{text-align:left}".matches(of: sided).isEmpty && !"{a:b;margin-left:1rem}".matches(of: sided).isEmpty)
  }
}
