import GatehousePolicy
import GatehousePrimitives

extension MailContent {
  /// The colours of a mail in one light.
  struct Palette: Sendable {
    let page, card, text, soft, code, link: Colour

    static let light = Palette(
      page: 0xF2F4F7, card: MailColors.lightCard, text: 0x1B1F24, soft: 0x57606A, code: 0x1B1F24, link: 0x0B57A4)
    static let dark = Palette(
      page: 0x16181C, card: MailColors.darkCard, text: 0xE8EAED, soft: 0xB6BCC4, code: 0xFFFFFF, link: 0x9CC3FF)
  }

  /// The HTML part: one column, inline style, nothing loaded from anywhere. Programs that know dark mode take the dark
  /// colours. Others invert colours by themselves: each text has its ground in the same style, so that both turn.
  var html: String {
    let light = Palette.light
    let page: MailHTML = """
      <!DOCTYPE html>
      <html lang="\(language.rawValue)" dir="\(language.direction.rawValue)">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="supported-color-schemes" content="light dark">
      <title>\(subject)</title>
      <style>
      :root { color-scheme: light dark; supported-color-schemes: light dark; }
      @media (prefers-color-scheme: dark) {
      \(darkRules(""))
      }
      \(darkRules("[data-ogsc] "))
      </style>
      </head>
      <body class="page" style="margin:0;padding:24px 12px;\(Self.ink(light.text, on: light.page));\
      font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
      <div style="display:none;max-height:0;overflow:hidden;mso-hide:all">\(preheader)</div>
      <main class="card"\(mirrored) style="max-width:520px;margin:0 auto;padding:24px;border-radius:12px;\
      \(Self.ink(light.text, on: light.card))">
      <p class="app" style="margin:0 0 16px;padding:0 0 16px;border-bottom:2px solid \(colors.light.ground.text);\
      font-weight:600">\(app)</p>
      <h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">\(heading)</h1>
      \(Self.paragraphs(lead))
      \(linkBlock)
      \(codeBlock)
      \(Self.paragraphs(closing))
      </main>
      <footer class="foot"\(mirrored) style="max-width:520px;margin:16px auto 0;padding:0 24px;font-size:13px;\
      \(Self.ink(light.soft, on: light.page))">
      \(Self.paragraphs(footer, margin: "0"))
      \(paperLine)
      </footer>
      </body>
      </html>

      """
    return page.markup
  }

  /// Programs that take the body alone leave out what the document says of its direction.
  private var mirrored: MailHTML { language.direction == .rightToLeft ? " dir=\"rtl\"" : "" }

  /// Of an address or a code in a mail whose lines run from right to left.
  private var apart: MailHTML { language.direction == .rightToLeft ? " dir=\"ltr\"" : "" }

  /// A text's colour, and that of its ground.
  private static func ink(_ text: Colour, on ground: Colour) -> MailHTML {
    "color:\(text.text);background-color:\(ground.text)"
  }

  /// The dark colours of each class, below a selector.
  private func darkRules(_ selector: MailHTML) -> MailHTML {
    let dark = Palette.dark
    let inks: [(name: MailHTML, text: Colour, ground: Colour)] = [
      (".page", dark.text, dark.page), (".card", dark.text, dark.card), (".soft", dark.soft, dark.card),
      (".foot", dark.soft, dark.page), (".foot a", dark.soft, dark.page), (".code", dark.code, dark.page),
      (".text", dark.link, dark.card), (".button", colors.dark.label, colors.dark.ground),
    ]
    let rules = inks.map { ink -> MailHTML in
      """
      \(selector)\(ink.name) { color: \(ink.text.text) !important; background-color: \(ink.ground.text) !important; }
      """
    }
    return .joined(rules + ["\(selector).app { border-color: \(colors.dark.ground.text) !important; }"])
  }

  private static func paragraphs(_ texts: [String], margin: String = "0 0 16px") -> MailHTML {
    .joined(texts.map { "<p style=\"margin:\(margin);overflow-wrap:anywhere\">\($0)</p>" })
  }

  private var linkBlock: MailHTML {
    guard let link else { return "" }
    let light = Palette.light
    return """
      <p style="margin:24px 0"><a class="button" href="\(link.url)" style="display:inline-block;padding:12px 24px;\
      border-radius:8px;\(Self.ink(colors.light.label, on: colors.light.ground));font-weight:600;text-decoration:none">\
      \(link.label)</a></p>
      <p class="soft" style="margin:0 0 16px;font-size:14px;\(Self.ink(light.soft, on: light.card))">\(link.hint)<br>
      <a class="text" href="\(link.url)"\(apart) style="\(Self.ink(light.link, on: light.card));overflow-wrap:anywhere;\
      word-break:break-all">\(link.url)</a></p>
      \(Self.paragraphs([link.expires].compactMap(\.self)))
      """
  }

  private var codeBlock: MailHTML {
    guard let code else { return "" }
    return """
      <p style="margin:0 0 8px">\(code.label)</p>
      <p class="code"\(apart) style="margin:0 0 16px;padding:12px 16px;border-radius:8px;\
      \(Self.ink(Palette.light.code, on: Palette.light.page));\
      text-align:center;font:700 32px/1.3 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;letter-spacing:6px">\
      \(code.code)</p>
      \(Self.paragraphs([code.expires, code.warning].compactMap(\.self)))
      """
  }

  private var paperLine: MailHTML {
    guard !papers.isEmpty else { return "" }
    let light = Palette.light
    let links = papers.map { paper -> MailHTML in
      "<a href=\"\(paper.url)\" style=\"\(Self.ink(light.soft, on: light.page))\">\(paper.name)</a>"
    }
    return "<p style=\"margin:8px 0 0\">\(MailHTML.joined(links.enumerated().map { $0 == 0 ? $1 : " · \($1)" }))</p>"
  }
}
