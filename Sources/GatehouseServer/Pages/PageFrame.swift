import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseRuntime

/// The frame around every page: plain HTML, no script, the tenant's colour, and headers that keep others out.
struct PageFrame {
  let tenant: TenantSnapshot
  let language: String

  func response(_ title: String, _ content: HTML, status: Int = 200) -> Response {
    let nonce = Base64URL.encode(SecureRandom.bytes(16))
    let page: HTML = """
      <!doctype html>
      <html lang="\(language)">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title) · \(tenant.policy.app.name)</title>
      <style nonce="\(nonce)">\(style)</style>
      </head>
      <body>
      <main>
      <p class="app">\(tenant.policy.app.name)</p>
      <h1>\(title)</h1>
      \(content)
      </main>
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
    return response
  }

  private var style: HTML {
    let colour = Colour(tenant.policy.theme.primary) ?? Colour(red: 0x1F, green: 0x4E, blue: 0x8C)
    return """
      :root{color-scheme:light dark}
      *{box-sizing:border-box}
      body{margin:0;font:1.0625rem/1.5 system-ui,sans-serif;background:#f4f5f7;color:#1b1d21}
      main{max-width:26rem;margin:8vh auto;padding:2rem;background:#fff;border-radius:.75rem}
      .app{margin:0;font-weight:600;opacity:.75}
      h1{margin:.25rem 0 1rem;font-size:1.5rem;line-height:1.25}
      label{display:block;margin:1rem 0 .25rem;font-weight:600}
      input{width:100%;padding:.75rem;font:inherit;border:1px solid #767b85;border-radius:.5rem;background:#fff;color:#1b1d21}
      button{width:100%;margin-top:1.5rem;padding:.875rem;font:inherit;font-weight:600;border:0;border-radius:.5rem;background:\(colour.text);color:\(colour.onTop);cursor:pointer}
      button:focus-visible,input:focus-visible{outline:3px solid #ffbf47;outline-offset:2px}
      .trouble{padding:.75rem 1rem;border-left:4px solid #b3261e;background:#fbeae9;color:#601410}
      ul{padding-left:1.25rem}
      @media (max-width:30rem){main{margin:0;min-height:100vh;border-radius:0;padding:1.5rem}}
      @media (prefers-color-scheme:dark){body{background:#121316;color:#e8e9ec}main{background:#1d1f24}input{background:#121316;color:#e8e9ec;border-color:#8d929c}.trouble{background:#3a1715;color:#f9dedc}}
      """
  }
}

/// A theme colour, and black or white, whichever reads better on it (WCAG 2.2 relative luminance).
struct Colour {
  let red: Int
  let green: Int
  let blue: Int

  init(red: Int, green: Int, blue: Int) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// `#rrggbb`; nil for anything else.
  init?(_ text: String?) {
    guard let text, text.utf8.count == 7, text.hasPrefix("#"), let value = Int(text.dropFirst(), radix: 16), value >= 0
    else { return nil }
    self.init(red: value >> 16, green: value >> 8 & 0xFF, blue: value & 0xFF)
  }

  var text: String {
    "#" + [red, green, blue].map { part in (part < 16 ? "0" : "") + String(part, radix: 16) }.joined()
  }

  var onTop: String {
    func linear(_ part: Int) -> Double {
      let value = Double(part) / 255
      // The square is close enough to the sRGB curve to choose between black and white.
      return value * value
    }
    let luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    return luminance > 0.18 ? "#000000" : "#ffffff"
  }
}
