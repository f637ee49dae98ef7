/// The closed set of what a template can name.
package enum MailPlaceholder: String, CaseIterable, Sendable {
  /// The application's name.
  case appName = "app_name"
  /// Where to ask for help; may be missing.
  case supportEmail = "support_email"
  /// The recipient's name; missing when there is none or it could carry a link.
  case name
  /// The recipient's address.
  case email
  /// The link; missing when the mail has none.
  case link
  /// The code; missing when the mail has none.
  case code
  /// How long the link works, in words ("24 hours").
  case linkExpires = "link_expires"
  /// How long the code works, in words.
  case codeExpires = "code_expires"
  /// The new address of an address change.
  case newEmail = "new_email"
  /// When it happened.
  case when
  /// The device it happened on.
  case device
  /// Where that is, roughly; missing where the server knows no places.
  case place
  /// The provider that it is about.
  case provider
  /// The brand's colour, `#rrggbb`.
  case primaryColor = "primary_color"
  /// Black or white, whichever reads better on the brand's colour.
  case onPrimaryColor = "on_primary_color"
  /// The address of the terms of service; may be missing.
  case termsURL = "terms_url"
  /// The address of the privacy policy; may be missing.
  case privacyURL = "privacy_url"
}

/// One thing wrong in a tenant's templates, with its place.
package struct MailTemplateProblem: Error, Equatable, CustomStringConvertible {
  package let file: String
  /// From 1; 0 when it is about the file as a whole.
  package let line: Int
  package let message: String

  package var description: String { line > 0 ? "\(file):\(line): \(message)" : "\(file): \(message)" }
}

/// Text with `{{placeholder}}`, `{{#placeholder}}…{{/placeholder}}` (only when it has a value) and
/// `{{^placeholder}}…{{/placeholder}}` (only when it has none). No other instruction exists. A section tag alone on its
/// line takes no line.
struct MailTemplate: Sendable {
  indirect enum Piece: Sendable {
    case text(String)
    case value(MailPlaceholder)
    case section(MailPlaceholder, whenPresent: Bool, [Piece])
  }

  let pieces: [Piece]
  /// Every placeholder written as a value.
  let shown: Set<MailPlaceholder>

  /// Parses `source`; a problem names `file` and its line.
  init(_ source: String, file: String) throws(MailTemplateProblem) {
    var parser = MailTemplateParser(file: file)
    pieces = try parser.parse(source)
    shown = parser.shown
  }

  /// The template with `values` put in, each through `escape`. A value that is missing is left out.
  func render(_ values: MailValues, escape: (String) -> String = { $0 }) -> String {
    Self.render(pieces, values, escape)
  }

  private static func render(_ pieces: [Piece], _ values: MailValues, _ escape: (String) -> String) -> String {
    var result = ""
    for piece in pieces {
      switch piece {
      case .text(let text): result += text
      case .value(let placeholder): result += values[placeholder].map(escape) ?? ""
      case .section(let placeholder, let whenPresent, let inner):
        if (values[placeholder] != nil) == whenPresent { result += render(inner, values, escape) }
      }
    }
    return result
  }
}

/// Reads a template line by line; a tag does not cross lines.
private struct MailTemplateParser {
  struct Open {
    let placeholder: MailPlaceholder
    let whenPresent: Bool
    let line: Int
    let before: [MailTemplate.Piece]
  }

  let file: String
  var shown: Set<MailPlaceholder> = []
  private var line = 0
  private var open: [Open] = []
  private var pieces: [MailTemplate.Piece] = []

  init(file: String) { self.file = file }

  mutating func parse(_ source: String) throws(MailTemplateProblem) -> [MailTemplate.Piece] {
    let lines = QuotedPrintable.lines(Array(source.utf8))
    for (index, bytes) in lines.enumerated() {
      line = index + 1
      let text = String(decoding: bytes, as: UTF8.self)
      try read(text, end: index + 1 < lines.count && !isSectionTag(text) ? "\n" : "")
    }
    if let open = open.last {
      throw problem("{{#\(open.placeholder.rawValue)}} is never closed", at: open.line)
    }
    return pieces
  }

  /// Whether the line holds one section tag and nothing else.
  private func isSectionTag(_ text: String) -> Bool {
    let trimmed = text.drop { $0 == " " }
    let tag = ["{{#", "{{^", "{{/"].contains { trimmed.hasPrefix($0) }
    guard tag, let end = trimmed.firstRange(of: "}}") else { return false }
    return trimmed[end.upperBound...].allSatisfy { $0 == " " }
  }

  private mutating func read(_ text: String, end: String) throws(MailTemplateProblem) {
    var rest = text[...]
    let blankAround = isSectionTag(text)
    while let start = rest.firstRange(of: "{{") {
      guard let stop = rest[start.upperBound...].firstRange(of: "}}") else {
        throw problem("{{ without }} on the same line")
      }
      if !blankAround { add(rest[..<start.lowerBound]) }
      try tag(rest[start.upperBound..<stop.lowerBound])
      rest = rest[stop.upperBound...]
    }
    if !blankAround { add(rest + end) }
  }

  private mutating func add(_ text: some StringProtocol) {
    if !text.isEmpty { pieces.append(.text(String(text))) }
  }

  private mutating func tag(_ tag: Substring) throws(MailTemplateProblem) {
    switch tag.first {
    case "#", "^":
      let name = try placeholder(tag.dropFirst())
      open.append(Open(placeholder: name, whenPresent: tag.first == "#", line: line, before: pieces))
      pieces = []
    case "/":
      let name = try placeholder(tag.dropFirst())
      guard let section = open.popLast(), section.placeholder == name else {
        throw problem("{{/\(name.rawValue)}} closes nothing that is open here")
      }
      pieces = section.before + [.section(name, whenPresent: section.whenPresent, pieces)]
    default:
      let name = try placeholder(tag)
      shown.insert(name)
      pieces.append(.value(name))
    }
  }

  private func placeholder(_ text: Substring) throws(MailTemplateProblem) -> MailPlaceholder {
    let name = text.trimmingPrefix { $0 == " " }.reversed().drop { $0 == " " }.reversed()
    guard let known = MailPlaceholder(rawValue: String(name)) else {
      let all = MailPlaceholder.allCases.map(\.rawValue).joined(separator: ", ")
      throw problem("unknown placeholder {{\(String(name.prefix(40)))}}; placeholders are: \(all)")
    }
    return known
  }

  private func problem(_ message: String, at other: Int? = nil) -> MailTemplateProblem {
    MailTemplateProblem(file: file, line: other ?? line, message: message)
  }
}
