import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseRuntime

/// The frame around every page: plain HTML, no script, the tenant's colour, and headers that keep others out.
struct PageFrame {
  let tenant: TenantSnapshot
  let words: PageWords
  let isSecure: Bool

  /// `isTrouble` says so in the title, which is what a screen reader reads first.
  func response(_ title: String, _ content: HTML, status: Int = 200, isTrouble: Bool = false) -> Response {
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
    var response = Response.html(page.text, status: status)
    response.headers.set(
      "Content-Security-Policy",
      "default-src 'none'; style-src 'nonce-\(nonce)'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; "
        + "object-src 'none'")
    response.headers.set("Referrer-Policy", "no-referrer")
    response.headers.set("Cross-Origin-Opener-Policy", "same-origin")
    response.headers.set("X-Frame-Options", "DENY")
    response.headers.set("Cache-Control", "no-store")
    if isSecure { response.headers.set("Strict-Transport-Security", "max-age=63072000; includeSubDomains") }
    return response
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
