/// Writes JSON (RFC 8259), keys in the order given.
enum JSONOutput {
  /// The version of every shape printed by `--output json`. It grows only when a key changes its meaning or goes away.
  static let version = 2

  /// `{"version":2,"kind":"tenant.list","items":[…]}`.
  static func document(kind: String, key: String, value: Cell) -> String {
    cell(
      .object([
        Cell.Field(key: "version", value: .integer(version)), Cell.Field(key: "kind", value: .text(kind)),
        Cell.Field(key: key, value: value),
      ]))
  }

  static func cell(_ cell: Cell) -> String {
    switch cell {
    case .text(let text): string(text)
    case .json(let text): String(text.reversed().drop { $0.isNewline }.reversed())
    case .integer, .boolean: cell.plain
    case .time: string(cell.plain)
    case .list(let cells): "[" + cells.map(self.cell).joined(separator: ",") + "]"
    case .object(let fields):
      "{" + fields.map { string($0.key) + ":" + self.cell($0.value) }.joined(separator: ",") + "}"
    case .none: "null"
    }
  }

  /// A JSON string with its quotation marks. Every character that a terminal or a log reader may act on is escaped too.
  static func string(_ text: some StringProtocol) -> String {
    var out = "\""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22: out += "\\\""
      case 0x5C: out += "\\\\"
      case 0x0A: out += "\\n"
      case 0x0D: out += "\\r"
      case 0x09: out += "\\t"
      case _ where Visible.isActive(scalar): out += escape(scalar)
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out + "\""
  }

  /// A whole JSON text that another writer made, with the same characters escaped. Beyond ASCII these stand in strings
  /// alone, so that it stays the same JSON.
  static func shown(_ json: String) -> String {
    guard json.unicodeScalars.contains(where: { $0.value >= 0x7F && Visible.isActive($0) }) else { return json }
    var out = ""
    for scalar in json.unicodeScalars {
      if scalar.value >= 0x7F, Visible.isActive(scalar) {
        out += escape(scalar)
      } else {
        out.unicodeScalars.append(scalar)
      }
    }
    return out
  }

  /// `\u009b`; beyond U+FFFF both surrogates.
  private static func escape(_ scalar: Unicode.Scalar) -> String {
    UTF16.encode(scalar).map { units in
      units.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    } ?? ""
  }
}
