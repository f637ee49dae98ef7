/// Writes CSV (RFC 4180): CRLF line ends, a header, quotation marks where needed. Text that a spreadsheet would run as
/// a formula gets an apostrophe before it (OWASP, "CSV Injection").
enum CSVText {
  static func table(_ table: Table) -> String {
    let shown = table.columns.indices.filter { !table.columns[$0].key.isEmpty }
    let header = shown.map { field(.text(table.columns[$0].key)) }.joined(separator: ",")
    let rows = table.rows.map { row in shown.map { field(row[$0]) }.joined(separator: ",") }
    return ([header] + rows).map { $0 + "\r\n" }.joined()
  }

  private static let formulaStarts: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"]

  static func field(_ cell: Cell) -> String {
    var text = cell.plain
    if !cell.isNumber, let first = text.unicodeScalars.first, formulaStarts.contains(first) { text = "'" + text }
    let special: Set<Unicode.Scalar> = ["\"", ",", "\n", "\r", "'", ";", "\t"]
    guard text.unicodeScalars.contains(where: special.contains) else { return text }
    // By scalar: in Swift "\r\n" and a quotation mark with a combining mark are single characters.
    var quoted = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" { quoted += "\"" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}
