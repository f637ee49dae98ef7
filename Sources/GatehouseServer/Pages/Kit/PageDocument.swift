import GatehousePrimitives
import GatehouseRuntime

/// A page as an HTML document, with the headers that keep others out of it.
struct PageDocument {
  let language: PageLanguage
  /// The title of the window.
  let title: String
  let style: PageStyle
  /// Rules beside those of all pages.
  var rules: HTML = ""
  /// The address of its icon. An icon that is empty keeps browsers from asking the host of all tenants for one.
  var icon = Self.noIcon
  /// Elements of the head beside those of all pages.
  var head: HTML = ""
  let body: HTML
  /// The directives of the content's policy that pages differ in.
  var sources = "img-src 'self' data:; form-action 'none';"

  static let noIcon = "data:,"

  private var direction: HTML { language.isMirrored ? " dir=\"rtl\"" : "" }
  private var mirrored: HTML { language.isMirrored ? PageRules.mirrored : "" }

  func answer(status: Int = 200) -> Answer {
    let nonce = Base64URL.encode(SecureRandom.bytes(16))
    let page: HTML = """
      <!doctype html>
      <html lang="\(language.tag)"\(direction)>
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="\(style.scheme)">
      <meta name="robots" content="noindex">
      <title>\(title)</title>
      <link rel="icon" href="\(icon)">
      <style nonce="\(nonce)">\(style.sheet(for: body))\(mirrored)\(rules)</style>
      \(head)
      </head>
      <body>
      \(body)
      </body>
      </html>

      """
    var answer = Answer.html(page.text, status: status)
    answer.headers.set(
      "Content-Security-Policy",
      "default-src 'none'; style-src 'nonce-\(nonce)'; \(sources) frame-ancestors 'none'; base-uri 'none'; "
        + "object-src 'none'")
    answer.headers.set("Referrer-Policy", "no-referrer")
    answer.headers.set("Cross-Origin-Opener-Policy", "same-origin")
    answer.headers.set("Cross-Origin-Resource-Policy", "same-origin")
    answer.headers.set("X-Frame-Options", "DENY")
    answer.headers.set("Cache-Control", "no-store")
    return answer
  }
}
