import GatehousePolicy

/// The keys of `mail`.
enum MailKeys {
  static let mail = MapShape(
    "mail", [Key("from", trust: false, .keys, .map(from.shape), required: true, "The sender that people see.")])

  static let from = SettingTable<MailPolicy.Sender>(
    "mail.from",
    [
      .text("name", \.name, name, .looks, trust: false, "The name that is shown; the app's by default."),
      .text(
        "address", \.address, address, .looks, trust: false,
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
    accepts: { text in
      EmailAddress(text, normalize: .none, asciiDomain: { _ in nil })?.text.utf8.count == text.utf8.count
    })
}
