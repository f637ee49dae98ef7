extension FormField {
  /// A rule that the script checks once a field is left, so that a correction is seen before the form is sent. The
  /// server judges the form in any case.
  struct Check: Sendable, Equatable {
    /// The kinds of checks: the ends of the attribute's name.
    enum Kind: String, CaseIterable, Sendable {
      case needed
      /// The bounds of a length, in code points.
      case least, most
      /// The bounds of a number.
      case from, to
      /// A class of characters of a regular expression.
      case characters
      /// Domains of an address, with `*.` before those whose subdomains alone count.
      case domains
      case secure, address
      /// Ten digits, with or without the country's 1.
      case phone
      /// The same as in another field.
      case same
    }

    let kind: Kind
    var value = ""
    /// The sentence where it fails.
    let told: String

    /// Value and sentence are in one attribute, with a line end between them.
    var html: HTML {
      let text = "\(value)\n\(told)"
      return " data-\(kind.rawValue)=\"\(text)\""
    }
  }
}
