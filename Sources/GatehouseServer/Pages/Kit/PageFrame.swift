import GatehousePrimitives
import GatehouseRuntime

/// The frame around every page: plain HTML, the colour and the logo of its owner, and headers that keep others out. It
/// is told the owner, the words and the way to its files, and knows no more of a server.
struct PageFrame: Sendable {
  let brand: Brand
  let words: FrameWords
  /// The relative way from the page to the path that all pages of its owner are below.
  let root: String
  /// Rules of the style sheet beside those of all pages.
  var rules: HTML = ""
  /// The owner's words for a screen of this name.
  var own: (@Sendable (_ screen: String) -> ScreenWords?)?
  /// A line at the end of the page.
  var note: HTML?
  /// Whether frames in the page show documents of this server.
  var framesOwn = false

  /// The values around a screen.
  struct Setting {
    /// The hidden fields of the forms.
    var hidden = Form.Hidden(token: "", flow: "", key: "")
    /// The address that forms are posted to, relative.
    var path = ""
    /// The addresses to which forms may lead in the end.
    var targets: [String] = []
    /// The address of the page in its other languages, with a query; nil where it offers none.
    var languages: String?
    /// An address to which the page goes on by itself.
    var refresh: String?
    /// Whether the page has the script.
    var hasScript = false
  }

  /// A screen as a page. A trouble is said in the title, which a screen reader reads first.
  func answer(_ plain: Screen, _ setting: Setting = Setting()) -> Answer {
    let screen = plain.name.flatMap { own?($0) }.map(plain.worded) ?? plain
    let told: HTML = if let notice = screen.notice { "<p class=\"notice\" role=\"status\">\(notice)</p>" } else { "" }
    let content: HTML = """
      \(Pieces.summary(screen.summary, words.forms))
      \(screen.isDone ? Self.sign : "")
      <h1>\(unbroken(screen.heading))</h1>
      \(told)
      \(screen.html(setting.hidden, at: setting.path, words.forms))
      """
    let isTrouble = screen.trouble != nil || !screen.summary.isEmpty
    let onward: HTML =
      if let refresh = setting.refresh { "<meta http-equiv=\"refresh\" content=\"0;url=\(refresh)\">" } else { "" }
    var answer = document(
      "\(isTrouble ? words.troubleMark + ": " : "")\(screen.heading)", content, targets: setting.targets,
      status: screen.trouble ?? 200,
      switches: switches(setting.languages, isTyped: screen.isTyped),
      head: "\(onward)\(setting.hasScript ? scripts(of: screen) : "")", hasScript: setting.hasScript)
    if setting.hasScript {
      answer.headers.set("Permissions-Policy", PasskeyScript.permission(isUsed: screen.usesPasskey))
    }
    // With `no-referrer` browsers would not say where a form comes from.
    if screen.hasForm || setting.hasScript { answer.headers.set("Referrer-Policy", "same-origin") }
    return answer
  }

  private func scripts(of screen: Screen) -> HTML {
    let isUsed = screen.usesPasskey || screen.signal != nil
    let passkeys: HTML = isUsed ? "\n\(PasskeyScript.element(root, signal: screen.signal))" : ""
    return "\(PageScript.element(root, words.forms))\(passkeys)"
  }

  /// A page with this content. `targets` are nil where it has no form.
  func document(
    _ title: String, _ content: HTML, targets: [String]?, status: Int = 200, switches: HTML = "", head: HTML = "",
    hasScript: Bool = false
  ) -> Answer {
    let images = brand.logo == nil ? "img-src 'self' data:" : "img-src 'self'"
    return PageDocument(
      language: words.language, title: "\(title) · \(brand.name)", style: brand.style, rules: rules,
      icon: brand.logo?.address ?? PageDocument.noIcon, head: head,
      body: """
        <main>
        \(brand.line(switches))
        \(content)
        </main>
        \(footer)
        """,
      sources:
        "\(images); \(hasScript ? PageScript.sources : "")form-action \(Self.sources(targets));\(framesOwn ? " frame-src 'self';" : "")"
    ).answer(status: status)
  }

  /// A check in a circle.
  private static let sign: HTML = """
    <svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><path d="M4 12.5l5.5 5.5L20 6.5"/></svg>
    """

  /// A heading in which no line ends within the owner's name, where the name is short enough for any line.
  private func unbroken(_ heading: String) -> String {
    guard brand.name.count <= 16 else { return heading }
    return heading.replacing(brand.name, with: brand.name.replacing(" ", with: "\u{A0}"))
  }

  /// This server, and where else a form may lead: browsers block a redirect behind a form to any other place. Of an
  /// address its origin counts, of a scheme the scheme.
  private static func sources(_ targets: [String]?) -> String {
    guard let targets else { return "'none'" }
    let others = targets.compactMap { target -> String? in
      guard let end = target.firstRange(of: "://") else {
        return target.firstIndex(of: ":").map { String(target[...$0]) }
      }
      let scheme = target[..<end.lowerBound]
      guard scheme == "https" || scheme == "http" else { return scheme + ":" }
      return scheme + "://" + target[end.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    }
    return (["'self'"] + others).joined(separator: " ")
  }

  /// The ways to the page in its other languages. Where something can be typed they send it along, so that it stays.
  private func switches(_ languages: String?, isTyped: Bool) -> HTML {
    let others = brand.languages.filter { $0 != words.language }
    guard let languages, !others.isEmpty else { return "" }
    let ways = others.map { other -> HTML in
      let tag = other.tag
      return isTyped
        ? "<button form=\"\(Form.id)\" name=\"lang\" value=\"\(tag)\" lang=\"\(tag)\">\(other.name)</button>"
        : "<a href=\"\(languages)&amp;lang=\(tag)\" lang=\"\(tag)\" hreflang=\"\(tag)\">\(other.name)</a>"
    }
    // The first button of a form is the one that Enter presses. It must not be one of these.
    let first: HTML =
      isTyped ? "<button form=\"\(Form.id)\" class=\"first\" tabindex=\"-1\" aria-hidden=\"true\"></button>" : ""
    return "\(first)<div class=\"langs\">\(HTML(ways))</div>"
  }

  private var footer: HTML {
    var lines: [HTML] = []
    if let note { lines.append("<p>\(note)</p>") }
    if let address = brand.support {
      lines.append("<p>\(words.help) <a href=\"mailto:\(address)\">\(address)</a></p>")
    }
    let papers = words.papers(brand.terms, brand.privacy)
    if !papers.isEmpty { lines.append("<p>\(HTML(papers))</p>") }
    guard !lines.isEmpty else { return "" }
    return """
      <footer>
      \(HTML(lines))
      </footer>
      """
  }
}
