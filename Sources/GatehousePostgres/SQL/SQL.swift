/// One SQL statement whose interpolated values are always bound, never spliced:
/// `"SELECT email FROM account WHERE id = \(id)"` sends `… WHERE id = $1` and the id beside it.
///
/// A literal at one call site always yields the same text, so its prepared statement is reused.
/// A statement may be interpolated into another one; its parameters are numbered anew.
package struct SQL: Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
  // INVARIANT: pieces.count == parameters.count + 1. Parameter n stands between piece n and piece n + 1.
  private(set) var pieces: [String]
  /// The bound values, in the order of `$1`, `$2` …
  package private(set) var parameters: [SQLParameter]

  /// A statement without parameters. Only literals of this program belong here.
  package init(stringLiteral value: StaticString) {
    pieces = [value.description]
    parameters = []
  }

  /// The statement that string interpolation gathered.
  package init(stringInterpolation: StringInterpolation) {
    pieces = stringInterpolation.pieces
    parameters = stringInterpolation.parameters
  }

  /// The text as it is sent, with `$1`, `$2` … where values are bound.
  package var text: String {
    guard !parameters.isEmpty else { return pieces[0] }
    var text = pieces[0]
    for index in 1..<pieces.count {
      text += "$"
      text += String(index)
      text += pieces[index]
    }
    return text
  }

  /// The text only: values never appear in a description.
  package var description: String { text }

  /// Several statements of the same shape, joined by a separator, as `"(…), (…)"` in a VALUES list.
  package static func joined(_ parts: [SQL], by separator: StaticString) -> SQL {
    var joined = StringInterpolation(literalCapacity: 0, interpolationCount: parts.count)
    for (index, part) in parts.enumerated() {
      if index > 0 { joined.appendLiteral(separator) }
      joined.appendInterpolation(part)
    }
    return SQL(stringInterpolation: joined)
  }
}

extension SQL {
  /// Gathers literal text and bound values.
  package struct StringInterpolation: StringInterpolationProtocol {
    var pieces: [String] = [""]
    var parameters: [SQLParameter] = []

    package init(literalCapacity: Int, interpolationCount: Int) {
      pieces.reserveCapacity(interpolationCount + 1)
      parameters.reserveCapacity(interpolationCount)
    }

    /// Text of the program itself.
    package mutating func appendLiteral(_ literal: StaticString) {
      pieces[pieces.count - 1] += literal.description
    }

    /// Binds a value.
    package mutating func appendInterpolation(_ value: some SQLBindable) {
      parameters.append(value.sqlParameter)
      pieces.append("")
    }

    /// Binds a value, or NULL.
    package mutating func appendInterpolation<Value: SQLBindable>(_ value: Value?) {
      parameters.append(value.sqlParameter)
      pieces.append("")
    }

    /// Another statement as part of this one, its values bound.
    package mutating func appendInterpolation(_ statement: SQL) {
      pieces[pieces.count - 1] += statement.pieces[0]
      pieces += statement.pieces.dropFirst()
      parameters += statement.parameters
    }

    /// A quoted identifier, such as a channel or role name that is only known at run time.
    package mutating func appendInterpolation(identifier: String) {
      pieces[pieces.count - 1] += SQL.quoted(identifier: identifier)
    }

    /// Puts text into the statement as it stands. The name is ugly on purpose: a test reads every use of it.
    package mutating func appendInterpolation(unsafeSplicedSQL text: String) {
      pieces[pieces.count - 1] += text
    }
  }

  /// An identifier in double quotes. NUL can not stand in an identifier and ends it.
  static func quoted(identifier: String) -> String {
    var quoted = "\""
    for scalar in identifier.unicodeScalars.prefix(while: { $0.value != 0 }) {
      if scalar == "\"" { quoted += "\"" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }

  /// A string constant, for the few commands (roles, databases) that take no parameters.
  static func quoted(literal: String) -> String {
    var quoted = " E'"
    for scalar in literal.unicodeScalars.prefix(while: { $0.value != 0 }) {
      if scalar == "'" || scalar == "\\" { quoted.unicodeScalars.append(scalar) }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "'"
  }
}
