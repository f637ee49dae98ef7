/// JSON: keys stay in the order given. Numbers are whole.
package indirect enum JSONText: Sendable, Equatable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case string(String)
  case array([JSONText])
  case object([(String, JSONText)])

  package static func == (left: JSONText, right: JSONText) -> Bool {
    left.text().utf8.elementsEqual(right.text().utf8)
  }

  /// RFC 8259 text; `indent` 0 writes no white space at all.
  package func text(indent: Int = 0) -> String {
    var out = ""
    write(to: &out, indent: indent, depth: 0)
    return out
  }

  /// A list of texts.
  package static func strings(_ texts: [String]) -> JSONText { .array(texts.map { .string($0) }) }

  /// Keys of every map in the order of their bytes.
  package var sorted: JSONText {
    switch self {
    case .array(let members): .array(members.map(\.sorted))
    case .object(let members):
      .object(
        members.map { ($0.0, $0.1.sorted) }.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) })
    default: self
    }
  }

  private func write(to out: inout String, indent: Int, depth: Int) {
    switch self {
    case .null: out += "null"
    case .boolean(let flag): out += flag ? "true" : "false"
    case .integer(let number): out += String(number)
    case .string(let text): JSONText.escape(text, to: &out)
    case .array(let members):
      JSONText.list("[", "]", members.count, &out, indent, depth) { index, out in
        members[index].write(to: &out, indent: indent, depth: depth + 1)
      }
    case .object(let members):
      JSONText.list("{", "}", members.count, &out, indent, depth) { index, out in
        JSONText.escape(members[index].0, to: &out)
        out += indent > 0 ? ": " : ":"
        members[index].1.write(to: &out, indent: indent, depth: depth + 1)
      }
    }
  }

  private static func list(
    _ open: String, _ close: String, _ count: Int, _ out: inout String, _ indent: Int, _ depth: Int,
    member: (Int, inout String) -> Void
  ) {
    out += open
    for index in 0..<count {
      if index > 0 { out += "," }
      if indent > 0 { out += "\n" + String(repeating: " ", count: indent * (depth + 1)) }
      member(index, &out)
    }
    if indent > 0, count > 0 { out += "\n" + String(repeating: " ", count: indent * depth) }
    out += close
  }

  private static func escape(_ text: String, to out: inout String) {
    out += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case "\n": out += "\\n"
      case "\r": out += "\\r"
      case "\t": out += "\\t"
      case _ where scalar.value < 0x20:
        out += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: out.unicodeScalars.append(scalar)
      }
    }
    out += "\""
  }
}
