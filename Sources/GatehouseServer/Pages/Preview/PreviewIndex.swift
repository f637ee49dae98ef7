/// The first page of a preview: every page in every language and light, at the width of a phone and of a desktop.
package enum PreviewIndex {
  package static let file = "index.html"

  /// The widths of the frames, in pixels.
  private static let widths = [390, 1024]

  package static func html(_ app: String, _ outcomes: [PagePreview.Outcome]) -> String {
    let parts = outcomes.map { outcome -> HTML in
      switch outcome {
      case .shown(let pages): HTML(pages.map(part))
      case .unused(let path): "<h2>\(path)</h2>\n<p>This policy has no use for the page.</p>"
      }
    }
    let page: HTML = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>Pages of \(app)</title>
      <style>
      body{margin:2rem;font:1rem/1.5 system-ui,sans-serif}
      .frames{display:flex;flex-wrap:wrap;gap:1rem}
      iframe{border:1px solid #767b85;height:48rem}
      </style>
      </head>
      <body>
      <h1>Pages of \(app)</h1>
      <p>Samples stand in the place of people. Buttons and links lead nowhere, and pictures are those of a server.</p>
      \(HTML(parts))
      </body>
      </html>

      """
    return page.text
  }

  private static func part(_ page: PagePreview.Page) -> HTML {
    let light: HTML = page.isDark ? "dark" : "light"
    let frames = widths.map { width -> HTML in
      """
      <iframe sandbox loading="lazy" src="\(page.file)" width="\(String(width))" title="\(page.path), \(page.language), \(light), \(String(width)) pixels"></iframe>
      """
    }
    return """
      <h2>\(page.path) · \(page.language) · \(light)</h2>
      <div class="frames">
      \(HTML(frames))
      </div>
      """
  }
}
