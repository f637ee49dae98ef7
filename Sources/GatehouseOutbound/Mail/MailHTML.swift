/// HTML in the making: a literal is markup, an interpolated string is text and is escaped for element content and for
/// attribute values in double or single quotes.
struct MailHTML: ExpressibleByStringInterpolation, Sendable {
  /// The markup.
  let markup: String

  init(stringLiteral value: String) { markup = value }
  init(stringInterpolation: StringInterpolation) { markup = stringInterpolation.markup }

  /// Text as markup.
  static func escape(_ text: String) -> String {
    var markup = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": markup += "&amp;"
      case "<": markup += "&lt;"
      case ">": markup += "&gt;"
      case "\"": markup += "&quot;"
      case "'": markup += "&#39;"
      default: markup.unicodeScalars.append(scalar)
      }
    }
    return markup
  }

  /// The pieces in their order.
  static func joined(_ pieces: [MailHTML]) -> MailHTML {
    MailHTML(stringLiteral: pieces.map(\.markup).joined(separator: "\n"))
  }

  struct StringInterpolation: StringInterpolationProtocol {
    var markup = ""

    init(literalCapacity: Int, interpolationCount: Int) { markup.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: String) { markup += literal }
    mutating func appendInterpolation(_ text: String) { markup += MailHTML.escape(text) }
    mutating func appendInterpolation(_ html: MailHTML) { markup += html.markup }
  }
}
