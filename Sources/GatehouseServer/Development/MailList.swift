import GatehouseIdentity
import GatehouseRuntime
import GatehouseWire

/// The mails that a development server kept in the place of sending them: the text of each as text, and the HTML in a
/// frame of its own, where it runs and fetches nothing.
struct MailList {
  let mails: Development.Mails
  /// The addresses of this server's tenants: links elsewhere are shown as text.
  let own: [String]

  /// The most mails that are shown, and the most characters of one.
  private static let mostMails = 100
  private static let mostCharacters = 20_000
  private static let title = "Mail sent here"

  func answer() async -> Answer {
    let list = await list()
    return DevelopmentFrame.answer(
      Self.title, framesOwn: true,
      """
      <p><a href="/">All apps</a></p>
      <h1>\(Self.title)</h1>
      \(list)
      """)
  }

  private func list() async -> HTML {
    switch mails {
    case .sent(let server): return "<p>Mails go to \(server). None is kept here.</p>"
    case .kept(let newest):
      guard let mails = await newest(Self.mostMails) else {
        return "<p>The mails cannot be read. Reload this page.</p>"
      }
      guard !mails.isEmpty else {
        return """
          <p class="empty">\(Icon.mail.html)No mail yet. A mail arrives a few seconds after a sign-up: reload this page.</p>
          """
      }
      return """
        <p>The newest mail comes first. A mail arrives a few seconds after the request: reload this page.</p>
        <ul class="list">
        \(HTML(mails.prefix(Self.mostMails).enumerated().map(row)))
        </ul>
        """
    }
  }

  /// The newest mail is unfolded.
  private func row(_ index: Int, _ mail: Development.Mail) -> HTML {
    let code: HTML = if let code = mail.code { "<p><span class=\"code\">\(code)</span></p>" } else { "" }
    let text = mail.text.count > Self.mostCharacters ? "\(mail.text.prefix(Self.mostCharacters))…" : mail.text
    return """
      <li class="mail">
      <h2>\(mail.subject)</h2>
      <p class="soft">To \(mail.to)\(time(mail))</p>
      \(code)
      <details\(index == 0 ? " open" : "")>
      <summary>The mail, as text and as HTML</summary>
      <div class="parts">
      <pre>\(shown(text))</pre>
      <iframe sandbox loading="lazy" src="\(DevelopmentPages.mailPath)/\(mail.name)" title="\(mail.subject) (\(String(index + 1)))"></iframe>
      </div>
      </details>
      </li>
      """
  }

  /// The HTML part of a kept mail, as a document for a frame. Refuses `not_found` for a name that none has.
  func part(_ name: String) async throws -> Answer {
    guard case .kept(let newest) = mails,
      let mail = await newest(Self.mostMails)?.first(where: { $0.name.utf8.elementsEqual(name.utf8) })
    else { throw Refusal(.notFound) }
    // GUARD: development: a mail runs nothing
    let rules = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'"
    var answer = Answer.html(mail.html)
    answer.headers.set("Content-Security-Policy", rules)
    answer.headers.set("X-Frame-Options", "SAMEORIGIN")
    answer.headers.set("Referrer-Policy", "no-referrer")
    answer.headers.set("Cache-Control", "no-store")
    return answer
  }

  private func time(_ mail: Development.Mail) -> HTML {
    guard let time = mail.time else { return "" }
    return " · <time datetime=\"\(time)\">\(time.replacing("T", with: " ").replacing("Z", with: " UTC"))</time>"
  }

  /// The text, with a link at each address of this server.
  private func shown(_ text: String) -> HTML {
    let end = text.lastIndex { $0 != "\n" }.map(text.index(after:)) ?? text.startIndex
    let lines = text[..<end].split(separator: "\n", omittingEmptySubsequences: false)
    return HTML(
      lines.map { line -> HTML in
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map { shown(word: String($0)) }
        return words.dropFirst().reduce(words.first ?? "") { "\($0) \($1)" }
      })
  }

  private func shown(word: String) -> HTML {
    let isOwn = own.contains { word.hasPrefix($0 + "/") }
    // GUARD: development: mails link to this server alone
    guard isOwn else { return "\(word)" }
    return "<a href=\"\(word)\">\(word)</a>"
  }
}
