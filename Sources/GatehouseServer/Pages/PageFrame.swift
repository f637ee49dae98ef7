import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseRuntime
import GatehouseWire

/// The frame around every page: plain HTML, no script, the tenant's colour, and headers that keep others out.
struct PageFrame {
  let tenant: TenantSnapshot
  let words: PageWords

  init(_ tenant: TenantSnapshot, _ language: String) {
    self.tenant = tenant
    words = .of(language)
  }

  /// In the language of a caller.
  init(_ call: Call) { self.init(call.tenant, call.language) }

  /// The words for a code, on a page of their own.
  func refusal(_ code: ErrorCode, _ text: (PageWords, ErrorCode) -> (String, String?)) -> Answer {
    let (title, text) = text(words, code)
    return answer(title, LinkView.message(title, text), status: code.status, isTrouble: true)
  }

  /// `isTrouble` says so in the title, which is what a screen reader reads first.
  func answer(_ title: String, _ content: HTML, status: Int = 200, isTrouble: Bool = false) -> Answer {
    let nonce = Base64URL.encode(SecureRandom.bytes(16))
    let app = tenant.policy.app
    let style = PageStyle(theme: tenant.policy.theme)
    let page: HTML = """
      <!doctype html>
      <html lang="\(words.language)">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="\(style.scheme)">
      <meta name="robots" content="noindex">
      <title>\(isTrouble ? words.troubleMark + ": " : "")\(title) · \(app.name)</title>
      <style nonce="\(nonce)">\(style.sheet)</style>
      </head>
      <body>
      <main>
      <p class="app"><span class="mark" aria-hidden="true">\(app.name.prefix(1).uppercased())</span> \(app.name)</p>
      \(content)
      </main>
      \(help(app))
      </body>
      </html>

      """
    var answer = Answer.html(page.text, status: status)
    answer.headers.set(
      "Content-Security-Policy",
      "default-src 'none'; style-src 'nonce-\(nonce)'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; "
        + "object-src 'none'")
    answer.headers.set("Referrer-Policy", "no-referrer")
    answer.headers.set("Cross-Origin-Opener-Policy", "same-origin")
    answer.headers.set("X-Frame-Options", "DENY")
    answer.headers.set("Cache-Control", "no-store")
    return answer
  }

  private func help(_ app: App) -> HTML {
    guard let address = app.supportEmail else { return "" }
    return """
      <footer>
      <p>\(words.help) <a href="mailto:\(address)">\(address)</a></p>
      </footer>
      """
  }
}

extension Exchange {
  /// A page that says why not, where the tenant is known: a person looks at it. A problem otherwise.
  mutating func refusedPage(by error: any Error, _ text: (PageWords, ErrorCode) -> (String, String?)) -> Answer {
    let refusal = refused(by: error)
    let problem = Answer.problem(refusal, self)
    guard let tenant else { return problem }
    let language = Languages.choose(from: tenant.policy.app.locales, preferring: languages)
    var page = PageFrame(tenant, language).refusal(refusal.code, text)
    if let wait = problem.headers.single("retry-after") { page.headers.set("Retry-After", wait) }
    return page
  }
}
