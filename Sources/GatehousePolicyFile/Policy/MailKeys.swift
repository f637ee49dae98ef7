import GatehousePolicy

/// The keys of `mail`.
enum MailKeys {
  static let mail = MapShape(
    "mail", [Key("from", trust: false, .map(from), required: true, "The sender that people see.")])

  static let from = MapShape(
    "mail.from",
    [
      Key("name", trust: false, .text(name), "The name that is shown; the app's by default."),
      Key(
        "address", trust: false, .text(address),
        "The address, which the operator has to allow; the server's by default."),
    ])

  /// It stands in a header: what begins a line, or turns letters around, is no part of a name.
  private static let name = TextForm(
    "a name of 1 to 80 visible characters on one line", lengths: 1...80,
    accepts: { text in
      text.unicodeScalars.allSatisfy { scalar in
        ![.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
      }
    })

  /// Addresses are read as users' addresses are, except for letters beyond ASCII: a domain is written as in the mail.
  private static let address = TextForm(
    "an e-mail address in ASCII, letters of other scripts in its domain as xn--…", lengths: 3...254,
    accepts: { EmailAddress($0, normalize: .none, asciiDomain: { _ in nil }) != nil && !$0.utf8.contains(0x20) })
}

extension PolicyReader {
  /// How mails present themselves.
  func mail(_ node: Node?) -> MailPolicy {
    let from = node?["from"]
    return MailPolicy(from: MailPolicy.Sender(name: from?["name"]?.text, address: from?["address"]?.text))
  }
}

extension MailPolicy {
  var canonical: JSONText {
    .object([
      ("name", from.name.map { .string($0) } ?? .null), ("address", from.address.map { .string($0) } ?? .null),
    ])
  }
}

extension SectionDiff {
  func mail() {
    changes.compare("mail.from.name", old.mail.from.name, new.mail.from.name, Self.shown, Self.looks)
    changes.compare("mail.from.address", old.mail.from.address, new.mail.from.address, Self.shown, Self.looks)
  }
}
