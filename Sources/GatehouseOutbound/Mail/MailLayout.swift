import GatehouseIdentity
import GatehousePolicy

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
    let preheader: MailTemplate?
  }

  private struct Frame: Sendable {
    let greeting, linkExpires, codeSubject, codeExpires, codeWarning: MailTemplate
    let footer: [MailTemplate]
  }

  /// The layout of a language, which is read for its first mail.
  static func of(_ language: Language) throws(MailTemplateProblem) -> MailLayout {
    switch language {
    case .english: try english.get()
    case .spanish: try spanish.get()
    case .german: try german.get()
    case .arabic: try arabic.get()
    }
  }

  private typealias Read = Result<MailLayout, MailTemplateProblem>
  private static let english = read(.english)
  private static let spanish = read(.spanish)
  private static let german = read(.german)
  private static let arabic = read(.arabic)

  private static func read(_ language: Language) -> Read {
    do throws(MailTemplateProblem) { return .success(try MailLayout(.of(language))) } catch { return .failure(error) }
  }

  /// Reads all templates of `words`; throws only when a built-in text is broken, which a test rules out.
  init(_ words: MailWords) throws(MailTemplateProblem) {
    self.words = words
    let file = "built-in \(words.language.rawValue)"
    func read(_ source: String) throws(MailTemplateProblem) -> MailTemplate { try MailTemplate(source, file: file) }
    var letters: [MessageKind: Letter] = [:]
    for kind in MessageKind.allCases {
      let letter = words.letter(kind)
      letters[kind] = Letter(
        subject: try read(letter.subject), heading: try read(letter.heading),
        lead: try Self.read(letter.lead, file: file), closing: try Self.read(letter.closing, file: file),
        button: try read(letter.button), preheader: try letter.preheader.map(read))
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

  /// The paragraphs of one mail, filled in. The tenant's own words stand instead of ours, but for paragraphs that tell
  /// of an event.
  func content(_ order: MessageOrder, _ values: MailValues) -> MailContent? {
    guard let letter = letters[order.kind] else { return nil }
    func own(_ part: TextPart) -> String? { order.own(part).flatMap { ShownText.line($0, max: 300) } }
    func fill(_ templates: [MailTemplate]) -> [String] { templates.map { $0.render(values) }.filter { !$0.isEmpty } }
    let link = values[.link].map { url in
      MailContent.Link(
        url: url, label: own(.button) ?? letter.button.render(values), hint: words.linkHint,
        expires: values[.linkExpires] == nil ? nil : frame.linkExpires.render(values))
    }
    let code = values[.code].map { code in
      MailContent.Code(
        code: code, label: link == nil ? words.codeAlone : words.codeToo,
        expires: values[.codeExpires] == nil ? nil : frame.codeExpires.render(values),
        warning: frame.codeWarning.render(values))
    }
    // GUARD: mail: the code in the subject
    let subject = (code == nil ? letter.subject : frame.codeSubject).render(values)
    let ownSubject = own(.subject).map { text in code.map { "\($0.code) · \(text)" } ?? text }
    let heading = own(.heading) ?? letter.heading.render(values)
    let ownLead = own(.lead)
    let lead = (ownLead.map { [$0] } ?? []) + fill(ownLead == nil ? letter.lead : letter.lead.filter(\.tellsMore))
    let told = code.map { [heading, $0.code, $0.expires].compactMap(\.self).joined(separator: " · ") }
    let papers = [(words.terms, values[.termsURL]), (words.privacy, values[.privacyURL])]
    return MailContent(
      language: words.language, app: values[.appName] ?? "",
      preheader: told ?? letter.preheader?.render(values) ?? lead.first ?? "", subject: ownSubject ?? subject,
      heading: heading, lead: [frame.greeting.render(values)] + lead, link: link, code: code,
      closing: fill(letter.closing), footer: fill(frame.footer),
      papers: papers.compactMap { name, url in url.map { .init(name: name, url: $0) } }, colors: values.colors)
  }
}

extension MailTemplate {
  /// Whether a paragraph shows more than the app and its reader.
  fileprivate var tellsMore: Bool { !shown.subtracting([.appName, .name, .email]).isEmpty }
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

  /// A document of the app, by its address.
  struct Paper: Sendable {
    let name, url: String
  }

  /// `app` is the name at the top. The preheader is the text beside the subject in the list of a mail program.
  let language: Language
  let app, preheader, subject, heading: String
  let lead: [String]
  let link: Link?
  let code: Code?
  let closing, footer: [String]
  let papers: [Paper]
  let colors: MailColors

  /// The text part: link and code stand alone on their lines.
  var text: String {
    var paragraphs = [heading] + lead
    if let link { paragraphs += ["\(link.label):\n\(link.url)"] + [link.expires].compactMap(\.self) }
    if let code {
      paragraphs += [
        code.label, "    \(code.code)", [code.expires, code.warning].compactMap(\.self).joined(separator: " "),
      ]
    }
    let foot = footer + papers.map { "\($0.name): \($0.url)" }
    paragraphs += closing + ["-- \n" + foot.joined(separator: "\n")]
    return paragraphs.joined(separator: "\n\n") + "\n"
  }
}
