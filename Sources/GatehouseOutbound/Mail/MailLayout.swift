import GatehouseIdentity

/// The built-in mails of one language with their templates read. Text and HTML are laid out from the same paragraphs,
/// so they say the same.
struct MailLayout: Sendable {
  let words: MailWords
  private let letters: [MessageKind: Letter]
  private let frame: Frame

  private struct Letter: Sendable {
    let subject, heading: MailTemplate
    let lead, closing: [MailTemplate]
    let button: MailTemplate
  }

  private struct Frame: Sendable {
    let greeting, linkExpires, codeSubject, codeExpires, codeWarning: MailTemplate
    let footer: [MailTemplate]
  }

  /// Reads all templates of `words`; throws only when a built-in text is broken, which a test rules out.
  init(_ words: MailWords) throws(MailTemplateProblem) {
    self.words = words
    let file = "built-in \(words.language)"
    func read(_ source: String) throws(MailTemplateProblem) -> MailTemplate { try MailTemplate(source, file: file) }
    var letters: [MessageKind: Letter] = [:]
    for kind in MessageKind.allCases {
      let letter = words.letter(kind)
      letters[kind] = Letter(
        subject: try read(letter.subject), heading: try read(letter.heading),
        lead: try Self.read(letter.lead, file: file), closing: try Self.read(letter.closing, file: file),
        button: try read(letter.button))
    }
    self.letters = letters
    frame = Frame(
      greeting: try read(words.greeting), linkExpires: try read(words.linkExpires),
      codeSubject: try read(words.codeSubject), codeExpires: try read(words.codeExpires),
      codeWarning: try read(words.codeWarning),
      footer: try Self.read(words.footer, file: file))
  }

  private static func read(_ sources: [String], file: String) throws(MailTemplateProblem) -> [MailTemplate] {
    var templates: [MailTemplate] = []
    for source in sources { templates.append(try MailTemplate(source, file: file)) }
    return templates
  }

  /// The paragraphs of one mail, filled in.
  func content(_ kind: MessageKind, _ values: MailValues) -> MailContent? {
    guard let letter = letters[kind] else { return nil }
    func fill(_ templates: [MailTemplate]) -> [String] { templates.map { $0.render(values) }.filter { !$0.isEmpty } }
    let link = values[.link].map { url in
      MailContent.Link(
        url: url, label: letter.button.render(values), hint: words.linkHint,
        expires: values[.linkExpires] == nil ? nil : frame.linkExpires.render(values))
    }
    let code = values[.code].map { code in
      MailContent.Code(
        code: code, label: link == nil ? words.codeAlone : words.codeToo,
        expires: values[.codeExpires] == nil ? nil : frame.codeExpires.render(values),
        warning: frame.codeWarning.render(values))
    }
    // GUARD: mail: the code in the subject
    let subject = code == nil ? letter.subject : frame.codeSubject
    return MailContent(
      language: words.language, subject: subject.render(values), heading: letter.heading.render(values),
      lead: [frame.greeting.render(values)] + fill(letter.lead), link: link, code: code,
      closing: fill(letter.closing), footer: fill(frame.footer), primary: values[.primaryColor] ?? "#1f4e8c",
      onPrimary: values[.onPrimaryColor] ?? "#ffffff")
  }
}

/// A mail as filled-in paragraphs of plain text, before it is laid out.
struct MailContent: Sendable {
  struct Link: Sendable {
    let url, label, hint: String
    let expires: String?
  }

  struct Code: Sendable {
    let code, label: String
    let expires: String?
    let warning: String
  }

  let language, subject, heading: String
  let lead: [String]
  let link: Link?
  let code: Code?
  let closing, footer: [String]
  /// Colours as `#rrggbb`.
  let primary, onPrimary: String

  /// The text part: link and code stand alone on their lines.
  var text: String {
    var paragraphs = [heading] + lead
    if let link { paragraphs += ["\(link.label):\n\(link.url)"] + [link.expires].compactMap(\.self) }
    if let code {
      paragraphs += [
        code.label, "    \(code.code)", [code.expires, code.warning].compactMap(\.self).joined(separator: " "),
      ]
    }
    paragraphs += closing + ["-- \n" + footer.joined(separator: "\n")]
    return paragraphs.joined(separator: "\n\n") + "\n"
  }

  /// The text that lists of mails show beside the subject: the heading, and the code with its time.
  private var preheader: String {
    let rest = code.map { [$0.code, $0.expires].compactMap(\.self) } ?? []
    return ([heading] + rest).joined(separator: " · ")
  }

  /// The HTML part: one column, inline style, nothing loaded from anywhere, colours that follow the reader's dark mode.
  var html: String {
    let page: MailHTML = """
      <!DOCTYPE html>
      <html lang="\(language)" dir="ltr">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="supported-color-schemes" content="light dark">
      <title>\(subject)</title>
      <style>
      @media (prefers-color-scheme: dark) {
      .page { background: #16181c !important; color: #e8eaed !important; }
      .card { background: #22252a !important; }
      .soft { color: #b6bcc4 !important; }
      .code { background: #16181c !important; color: #ffffff !important; }
      .text { color: #9cc3ff !important; }
      }
      </style>
      </head>
      <body class="page" style="margin:0;padding:24px 12px;background:#f2f4f7;color:#1b1f24;\
      font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
      <div style="display:none;max-height:0;overflow:hidden">\(preheader)</div>
      <main class="card" style="max-width:520px;margin:0 auto;padding:28px 24px;background:#ffffff;border-radius:12px;\
      border-top:4px solid \(primary)">
      <h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">\(heading)</h1>
      \(Self.paragraphs(lead))
      \(linkBlock)
      \(codeBlock)
      \(Self.paragraphs(closing))
      </main>
      <footer class="soft" style="max-width:520px;margin:16px auto 0;padding:0 24px;font-size:13px;color:#57606a">
      \(Self.paragraphs(footer, margin: "0"))
      </footer>
      </body>
      </html>

      """
    return page.markup
  }

  private static func paragraphs(_ texts: [String], margin: String = "0 0 16px") -> MailHTML {
    .joined(texts.map { "<p style=\"margin:\(margin);overflow-wrap:anywhere\">\($0)</p>" })
  }

  private var linkBlock: MailHTML {
    guard let link else { return "" }
    return """
      <p style="margin:24px 0"><a href="\(link.url)" style="display:inline-block;padding:12px 24px;border-radius:8px;\
      background:\(primary);color:\(onPrimary);font-weight:600;text-decoration:none">\(link.label)</a></p>
      <p class="soft" style="margin:0 0 16px;font-size:14px;color:#57606a">\(link.hint)<br>
      <a class="text" href="\(link.url)" style="color:#0b57a4;overflow-wrap:anywhere;word-break:break-all">\(link.url)</a></p>
      \(Self.paragraphs([link.expires].compactMap(\.self)))
      """
  }

  private var codeBlock: MailHTML {
    guard let code else { return "" }
    return """
      <p style="margin:0 0 8px">\(code.label)</p>
      <p class="code" style="margin:0 0 16px;padding:12px 16px;border-radius:8px;background:#f2f4f7;color:#1b1f24;\
      text-align:center;font:700 32px/1.3 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;letter-spacing:6px">\
      \(code.code)</p>
      \(Self.paragraphs([code.expires, code.warning].compactMap(\.self)))
      """
  }
}
