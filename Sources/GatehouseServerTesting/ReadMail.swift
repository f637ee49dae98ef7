/// A mail as a mail program of another make shows it to a person.
package struct ReadMail: Sendable {
  /// Header fields in their order, decoded.
  package let headers: [(name: String, value: String)]
  package let text: String
  /// The words of the HTML part, spaces folded.
  package let html: String
  /// Every URL of the text.
  package let links: [String]
  /// The targets of the links in the HTML part.
  package let hrefs: [String]
  /// Every line of the text that is six digits and nothing else.
  package let codes: [String]
  /// The faults of the message by the rules of RFC 5322 and MIME, in the parser's words.
  package let defects: [String]

  init(_ event: [String: any Sendable]) {
    func texts(_ name: String) -> [String] { (event[name] as? [any Sendable] ?? []).compactMap { $0 as? String } }
    let fields = (event["headers"] as? [any Sendable] ?? []).compactMap { $0 as? [any Sendable] }
    headers = fields.compactMap { field in
      guard field.count == 2, let name = field[0] as? String, let value = field[1] as? String else { return nil }
      return (name, value)
    }
    text = event["text"] as? String ?? ""
    html = event["html"] as? String ?? ""
    links = texts("links")
    hrefs = texts("hrefs")
    codes = texts("codes")
    defects = texts("defects")
  }

  /// The first field of this name, compared without case.
  package func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  package var subject: String { header("Subject") ?? "" }
  /// The one code of the mail; nil when there is none, or more than one.
  package var code: String? { codes.count == 1 ? codes[0] : nil }
  /// The one link of the text, which the HTML part's button opens too; nil otherwise.
  package var link: String? { links.count == 1 && hrefs.contains(links[0]) ? links[0] : nil }
}
