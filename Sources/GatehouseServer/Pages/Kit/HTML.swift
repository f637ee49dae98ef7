/// HTML text whose interpolated values are always escaped, for element content and quoted attributes alike.
struct HTML: Sendable, ExpressibleByStringInterpolation {
  let text: String

  init(stringLiteral value: StaticString) { text = value.description }
  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// Several pieces, one after the other.
  init(_ parts: [HTML]) { text = parts.map(\.text).joined(separator: "\n") }

  struct StringInterpolation: StringInterpolationProtocol {
    var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity + 32) }

    mutating func appendLiteral(_ literal: StaticString) { text += literal.description }
    mutating func appendInterpolation(_ html: HTML) { text += html.text }

    mutating func appendInterpolation(_ value: String) {
      for scalar in value.unicodeScalars {
        switch scalar {
        case "&": text += "&amp;"
        case "<": text += "&lt;"
        case ">": text += "&gt;"
        case "\"": text += "&quot;"
        case "'": text += "&#39;"
        default: text.unicodeScalars.append(scalar)
        }
      }
    }
  }
}
