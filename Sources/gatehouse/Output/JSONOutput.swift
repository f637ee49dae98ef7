/// Writes JSON (RFC 8259), keys in the order given.
enum JSONOutput {
  /// The version of every shape printed by `--output json`. It grows only when a key changes its meaning or goes away.
  static let version = 1

  /// `{"version":1,"kind":"tenant.list","items":[…]}`.
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
    case .integer, .boolean: cell.plain
    case .time: string(cell.plain)
    case .list(let cells): "[" + cells.map(self.cell).joined(separator: ",") + "]"
    case .object(let fields):
      "{" + fields.map { string($0.key) + ":" + self.cell($0.value) }.joined(separator: ",") + "}"
    case .none: "null"
    }
  }

  /// A JSON string with its quotation marks. DEL, the C1 controls and the line separators are escaped too: a terminal
  /// or a log reader may act on them.
  static func string(_ text: some StringProtocol) -> String {
    var out = "\""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22: out += "\\\""
      case 0x5C: out += "\\\\"
      case 0x0A: out += "\\n"
      case 0x0D: out += "\\r"
      case 0x09: out += "\\t"
      case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029:
        let digits = String(scalar.value, radix: 16)
        out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out + "\""
  }
}
