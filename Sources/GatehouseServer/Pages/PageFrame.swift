import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseRuntime
import GatehouseWire

/// The frame around every page: plain HTML, the tenant's colour and logo, and headers that keep others out. Hosted
/// pages have the one script besides.
struct PageFrame {
  let tenant: TenantSnapshot
  let words: PageWords
  /// The relative way from the page to the tenant's own path.
  let root: String

  init(_ tenant: TenantSnapshot, _ language: String, root: String) {
    self.tenant = tenant
    self.root = root
    words = .of(language)
  }

  /// In the language of a caller.
  init(_ call: Call) { self.init(call.tenant, call.language, root: call.root) }

  /// The address of a file of `PageAssets` as the page names it.
  func asset(_ file: String) -> String { "\(root)\(TenantSnapshot.assetsPath.dropFirst())/\(file)" }

  /// Not of a tenant that is disabled: its files are refused like everything of it.
  private var logo: String? { tenant.enabled ? tenant.logo.map { asset($0.fileName) } : nil }

  /// What stands before the app's name: its logo, else its first letter.
  private func mark(_ app: App) -> HTML {
    if let logo { return "<img class=\"logo\" src=\"\(logo)\" alt=\"\" width=\"32\" height=\"32\">" }
    return "<span class=\"mark\" aria-hidden=\"true\">\(app.name.prefix(1).uppercased())</span>"
  }

  /// The words for a code, on a page of their own.
  func refusal(_ code: ErrorCode, _ text: (PageWords, ErrorCode) -> (String, String?)) -> Answer {
    let (title, text) = text(words, code)
    // Later, and not in the app, where there are too many requests or the app is switched off.
    let isForTheApp = code.status < 429 && code != .tenantDisabled
    return answer(title, message(title, text, isForTheApp: isForTheApp), status: code.status, isTrouble: true)
  }

  /// A title with a sentence under it, and the way back to the app.
  func message(_ title: String, _ text: String?, isForTheApp: Bool = true) -> HTML {
    let paragraph: HTML = if let text { "<p>\(text)</p>" } else { "" }
    return "<h1>\(title)</h1>\n\(paragraph)\n\(isForTheApp ? wayToApp : "")"
  }

  /// A check in a circle.
  static let sign: HTML = """
    <svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><path d="M4 12.5l5.5 5.5L20 6.5"/></svg>
    """

  /// That something is done, with the way on.
  func done(_ title: String, _ text: String, way: HTML? = nil) -> HTML {
    """
    \(Self.sign)
    <h1>\(title)</h1>
    <p role="status">\(text)</p>
    \(way ?? wayToApp)
    """
  }

  /// Where apps name no way to open them, there is none.
  var wayToApp: HTML {
    let app = tenant.policy.app
    guard let open = app.openApp else { return "" }
    return "<a class=\"button\" href=\"\(open)\">\(words.open) \(app.name)</a>"
  }

  /// `isTrouble` says so in the title, which is what a screen reader reads first. `targets` are the addresses to which
  /// forms of the page may lead in the end; `hasScript` says that it is a hosted page.
  func answer(
    _ title: String, _ content: HTML, status: Int = 200, isTrouble: Bool = false, targets: [String] = [],
    languages: LanguageSwitch? = nil, refresh: String? = nil, hasScript: Bool = false
  ) -> Answer {
    let app = tenant.policy.app
    let onward: HTML = if let refresh { "<meta http-equiv=\"refresh\" content=\"0;url=\(refresh)\">" } else { "" }
    let images = logo == nil ? "img-src 'self' data:" : "img-src 'self'"
    return PageDocument(
      language: words.language, title: "\(isTrouble ? words.troubleMark + ": " : "")\(title) · \(app.name)",
      style: PageStyle(theme: tenant.policy.theme), icon: logo ?? PageDocument.noIcon,
      head: "\(onward)\(hasScript ? PageScript.element(root) : "")",
      body: """
        <main>
        <p class="app">\(mark(app)) \(app.name)</p>
        \(content)
        </main>
        \(footer(app, languages))
        """,
      sources: "\(images); \(hasScript ? PageScript.sources : "")form-action \(Self.sources(targets));"
    ).answer(status: status)
  }

  /// This server, and where else a form may lead: browsers block a redirect behind a form to any other place. Of an
  /// address its origin counts, of a scheme the scheme.
  private static func sources(_ targets: [String]) -> String {
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

  /// The page in its other languages.
  struct LanguageSwitch {
    /// The last part of the page's path.
    let path: String
    /// Sealed.
    let flow: String
  }

  private func footer(_ app: App, _ languages: LanguageSwitch?) -> HTML {
    var lines: [HTML] = []
    if let address = app.supportEmail {
      lines.append("<p>\(words.help) <a href=\"mailto:\(address)\">\(address)</a></p>")
    }
    if let languages {
      let others = app.locales.filter { HostedWords.names[$0] != nil && $0 != words.language }
      let links = others.map { tag -> HTML in
        """
        <a href="\(languages.path)?f=\(languages.flow)&amp;lang=\(tag)" lang="\(tag)" hreflang="\(tag)">\(HostedWords.names[tag] ?? tag)</a>
        """
      }
      if !links.isEmpty { lines.append("<p>\(HTML(links))</p>") }
    }
    guard !lines.isEmpty else { return "" }
    return """
      <footer>
      \(HTML(lines))
      </footer>
      """
  }
}

extension Exchange {
  /// A page that says why not: a person looks at it. Where the tenant is unknown it looks like no app's.
  mutating func refusedPage(by error: any Error, _ text: (PageWords, ErrorCode) -> (String, String?)) -> Answer {
    let refusal = refused(by: error)
    guard let tenant else { return strange(refusal) }
    let language = Languages.choose(from: tenant.policy.app.locales, preferring: languages)
    var page = PageFrame(tenant, language, root: root).refusal(refusal.code, text)
    // For as long as the API says.
    if let wait = Answer.problem(refusal, self).headers.single("retry-after") { page.headers.set("Retry-After", wait) }
    return page
  }

  private func strange(_ refusal: Refusal) -> Answer {
    PageDocument.refusal(refusal.code, languages, reference: id)
  }
}

extension PageDocument {
  /// A refusal that is of no app.
  static func refusal(_ code: ErrorCode, _ languages: [String], reference: String) -> Answer {
    let words = PageWords.of(Languages.choose(from: HostedWords.names.keys.sorted(), preferring: languages))
    let (title, text) = HostedWords.of(words.language).errors.page(code, reference: reference)
    return PageDocument(
      language: words.language, title: "\(words.troubleMark): \(title)", style: PageStyle(theme: Theme()),
      body: """
        <main>
        <h1>\(title)</h1>
        <p>\(text ?? "")</p>
        </main>
        """, sources: "img-src data:; form-action 'none';"
    ).answer(status: code.status)
  }
}
