import GatehousePolicy
import GatehousePrimitives
import GatehouseRuntime

/// The frame around the pages of development: the looks of all pages, without a tenant, and wider.
enum DevelopmentFrame {
  /// - Parameter colours: rules of the style sheet that this page alone has.
  static func answer(_ title: String, colours: HTML = "", _ content: HTML) -> Answer {
    let nonce = Base64URL.encode(SecureRandom.bytes(16))
    let style = PageStyle(theme: Theme())
    let page: HTML = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="\(style.scheme)">
      <meta name="robots" content="noindex">
      <title>\(title) · Gatehouse</title>
      <style nonce="\(nonce)">\(style.sheet)
      \(rules)
      \(colours)</style>
      </head>
      <body>
      <main>
      <p class="app"><span class="mark" aria-hidden="true">G</span> Gatehouse</p>
      \(content)
      </main>
      <footer>
      <p>Only this machine sees this page, because the server runs with <code>--dev</code>.</p>
      </footer>
      </body>
      </html>

      """
    var answer = Answer.html(page.text)
    answer.headers.set(
      "Content-Security-Policy",
      "default-src 'none'; style-src 'nonce-\(nonce)'; img-src 'self'; form-action 'none'; frame-ancestors 'none'; "
        + "base-uri 'none'; object-src 'none'")
    answer.headers.set("Referrer-Policy", "no-referrer")
    answer.headers.set("Cross-Origin-Opener-Policy", "same-origin")
    answer.headers.set("Cross-Origin-Resource-Policy", "same-origin")
    answer.headers.set("X-Frame-Options", "DENY")
    answer.headers.set("Cache-Control", "no-store")
    return answer
  }

  /// Lengths are multiples of 4 px, and sizes of text those of `PageRules`.
  private static let rules: HTML = """
    main,footer{max-width:48rem}
    .app,.mark{font-weight:600}
    code,pre,.code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
    code,pre{font-size:.875rem}
    pre{margin:0;padding:.75rem 1rem;border-radius:.5rem;background:var(--ground);line-height:1.25rem;white-space:pre-wrap}
    .list{list-style:none;margin:1.5rem 0 0;padding:0}
    .list>li,.next{padding:1.25rem 0;border-top:1px solid color-mix(in srgb,var(--line) 40%,transparent)}
    .list:last-child>li:last-child{padding-bottom:0}
    .list h2{margin:0}
    .list p,.trouble p{margin:.25rem 0 0}
    .soft{color:var(--muted);font-size:.875rem}
    .tenant{display:flex;flex-wrap:wrap;align-items:center;gap:.75rem 1.5rem}
    .who{display:flex;flex:1 1 14rem;align-items:center;gap:1rem;min-width:0}
    .who .mark,.who .logo{width:2.5rem;height:2.5rem;line-height:2.5rem}
    .acts{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1rem}
    .acts a{display:inline-flex;align-items:center;min-height:2.75rem}
    .acts .button{width:auto;margin:0;padding:0 .75rem}
    .next{padding-bottom:0}
    .next p:last-child{margin:0}
    pre+.next{margin-top:1.5rem}
    .code{font-size:1.5rem;font-weight:600;line-height:2rem;letter-spacing:.25rem;user-select:all}
    summary{min-height:2.75rem;padding:.625rem 0;cursor:pointer;color:var(--link)}
    """
}
