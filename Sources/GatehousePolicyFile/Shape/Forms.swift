import GatehousePolicy

/// The kinds of text that policies and configurations are written in.
package enum Forms {
  /// The id of a tenant: it stands in URLs, host names and cookies.
  package static let tenant = TextForm(
    "a tenant id: 1 to 40 of a-z, 0-9 and -, beginning with a letter", code: .badName, lengths: 1...40,
    pattern: "^[a-z][a-z0-9-]{0,39}$", accepts: { word($0, extra: "-") && !$0.hasSuffix("-") })

  /// The name of a provider or a secret.
  package static let name = TextForm(
    "a name of 1 to 40 of a-z, 0-9 and _, beginning with a letter", code: .badName, lengths: 1...40,
    pattern: "^[a-z][a-z0-9_]{0,39}$", accepts: { word($0, extra: "_") })

  /// A rule's id without its section.
  package static let ruleID = TextForm(
    "1 to 40 of a-z, 0-9 and _, beginning with a letter", code: .badRuleID, lengths: 1...40,
    pattern: "^[a-z][a-z0-9_]{0,39}$", accepts: { word($0, extra: "_") })

  /// The name of a profile field.
  package static let fieldName = TextForm(
    "1 to 64 of a-z, A-Z, 0-9 and _, beginning with a letter", code: .badFieldName, lengths: 1...64,
    pattern: "^[A-Za-z][A-Za-z0-9_]{0,63}$", accepts: { word($0.lowercased(), extra: "_") && isASCII($0) })

  /// A language tag, the part of BCP 47 that is used: `en`, `pt-BR`.
  package static let language = TextForm(
    "a language tag such as en or pt-BR", code: .badName, lengths: 2...11,
    pattern: "^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$", accepts: isLanguage)

  /// An e-mail address, judged no further than its two halves.
  package static let email = TextForm(
    "an e-mail address", lengths: 3...254,
    accepts: { text in
      let parts = text.split(separator: "@", omittingEmptySubsequences: false)
      return parts.count == 2 && !parts[0].isEmpty && DomainPattern(String(parts[1])) != nil && isVisible(text)
    })

  /// A domain, or `*.` and a domain.
  package static let domain = TextForm(
    "a domain such as ksu.edu or \"*.ksu.edu\"", code: .badDomain, lengths: 1...255,
    accepts: { DomainPattern($0) != nil || isTopLevel($0) })

  /// A set of characters, `a-zA-Z0-9_.`, or `letters`.
  package static let characters = TextForm(
    "a set of characters such as \"a-zA-Z0-9_.\", or letters", lengths: 1...256, named: [Charset.letters],
    accepts: { Charset($0) != nil })

  /// `#RRGGBB`
  package static let colour = TextForm(
    "a colour such as \"#512888\"", code: .badColour, lengths: 7...7, pattern: "^#[0-9A-Fa-f]{6}$",
    accepts: { $0.utf8.first == UInt8(ascii: "#") && $0.utf8.dropFirst().allSatisfy(isHex) })

  /// The name of a file, never a path.
  package static let fileName = TextForm(
    "a file name without a path", lengths: 1...100, pattern: "^[A-Za-z0-9_][A-Za-z0-9_.-]*$",
    accepts: { word("a" + $0.lowercased(), extra: "_.-") && !$0.hasPrefix(".") && isASCII($0) })

  /// A region of ISO 3166: `US`.
  package static let region = TextForm(
    "a region of two capital letters such as US", lengths: 2...2, pattern: "^[A-Z]{2}$",
    accepts: { $0.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } })

  /// Printable ASCII without spaces: ids of clients, scopes, audiences.
  package static let token = TextForm(
    "1 to 255 visible ASCII characters without spaces", lengths: 1...255, pattern: "^[!-~]+$", accepts: isVisible)

  /// An `https:` address, or `http:` on the machine itself, without a query or fragment.
  package static let serverURL = TextForm(
    "an https address without a trailing slash, query or fragment", code: .badURL, lengths: 8...512,
    accepts: { text in
      guard let url = WrittenURL(text), url.isSecureWeb else { return false }
      return !text.hasSuffix("/") && !text.contains("?")
    })

  /// The `https:` address of a page for people, with any path, query and fragment.
  package static let webPage = TextForm(
    "an https address such as https://example.com/terms", code: .badURL, lengths: 9...512,
    accepts: { text in
      guard let url = WrittenURL(String(text.prefix { $0 != "#" })) else { return false }
      let isSecure = url.scheme == "https"  // GUARD: addresses: pages for people over HTTPS alone
      return isSecure && isVisible(text) && !url.host.isEmpty && !url.host.contains("*")
    })

  /// One line of the tenant's own words, where `{app}` stands for the app's name.
  package static func ownText(_ maximum: Int) -> TextForm {
    TextForm(
      "one line of 1 to \(maximum) characters, in which {app} is the only mark in braces", lengths: 1...maximum,
      accepts: { text in
        let plain = text.replacing(Messages.appMark, with: "")
        return TypedText.isShown(text) && Flaw.of(text, multiline: false) == nil
          && !plain.contains { "{}".contains($0) }
      })
  }

  /// A web origin: scheme, host and port, nothing else.
  package static let origin = TextForm(
    "an origin such as https://app.example.com", code: .badURL, lengths: 8...300,
    accepts: { WrittenURL($0).map { $0.isSecureWeb && $0.path.isEmpty } ?? false })

  /// Where a browser or app is sent back to: https, http on the machine itself, or an app's own scheme.
  package static let returnURL = TextForm(
    "an https address or an app's own scheme such as myapp://callback, without a fragment", code: .badURL,
    lengths: 4...512, accepts: { WrittenURL($0).map { $0.isSecureWeb || $0.isOwnScheme } ?? false })

  /// `{secret: name}`: an entry of the server's secret store.
  package static let secretReference = MapShape(
    "a reference to a secret",
    [Key("secret", trust: true, .unsure, .text(name), required: true, "Name of an entry of the server's secret store.")]
  )

  private static func word(_ text: String, extra: String) -> Bool {
    guard let first = text.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return false }
    return text.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || extra.utf8.contains(byte)
    }
  }

  private static func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }

  private static func isVisible(_ text: String) -> Bool { text.utf8.allSatisfy { (0x21...0x7E).contains($0) } }

  private static func isHex(_ byte: UInt8) -> Bool {
    Unicode.Scalar(byte).properties.isASCIIHexDigit
  }

  /// A single label such as `edu` is a domain too; the lint about public suffixes speaks of it.
  private static func isTopLevel(_ text: String) -> Bool {
    word(text, extra: "-") && text.utf8.count <= 63
  }

  private static func isLanguage(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard let first = parts.first, (2...3).contains(first.utf8.count), word(first, extra: "") else { return false }
    return parts.dropFirst().allSatisfy {
      (2...4).contains($0.utf8.count) && isASCII($0) && word($0.lowercased(), extra: "")
    }
  }
}
