/// Draws tables for people: columns aligned, cut to the width of the terminal, headings bold where colour is allowed.
/// Into a pipe nothing is cut.
struct TableText {
  let width: Int?
  let colour: Bool

  init(_ terminal: Terminal) { self.init(width: terminal.width, colour: terminal.colour.output) }

  init(width: Int?, colour: Bool) {
    self.width = width
    self.colour = colour
  }

  /// A heading and a line per row; where the columns cannot fit side by side, each row as a record.
  func table(_ table: Table) -> String {
    let shown = table.columns.indices.filter { !table.columns[$0].title.isEmpty }
    let headings = shown.map { table.columns[$0].title.uppercased() }
    let rows = table.rows.map { row in shown.map { row[$0].shown } }
    guard let widths = fit(headings, rows) else {
      return table.rows.map { record(Table(kind: table.kind, columns: table.columns, rows: [$0])) }
        .joined(separator: "\n")
    }
    let right = shown.map { column in table.rows.allSatisfy { $0[column].isNumber } }
    var text = bold(line(headings, widths, right)) + "\n"
    for row in rows { text += line(row, widths, right) + "\n" }
    return text
  }

  /// A name and a value per line.
  func record(_ table: Table) -> String {
    let names = table.columns.map(\.title)
    let indent = names.map { Visible.width($0) }.max() ?? 0
    var text = ""
    for (name, value) in zip(names, table.rows[0]) where !name.isEmpty {
      text += bold(padded(name, indent, right: false)) + "  " + value.shown + "\n"
    }
    return text
  }

  /// The width of each column, or `nil` where even narrow columns do not fit.
  private func fit(_ headings: [String], _ rows: [[String]]) -> [Int]? {
    var widths = headings.map { Visible.width($0) }
    let least = widths.map { min(max($0, 6), 12) }
    for row in rows {
      for (index, cell) in row.enumerated() { widths[index] = max(widths[index], Visible.width(cell)) }
    }
    guard let width else { return widths }
    let room = width - 2 * (widths.count - 1)
    if least.reduce(0, +) > room, widths.reduce(0, +) > room { return nil }
    var surplus = widths.reduce(0, +) - room
    while surplus > 0 {
      // The widest column gives first, down to the next widest.
      guard let widest = widths.indices.filter({ widths[$0] > least[$0] }).max(by: { widths[$0] < widths[$1] }) else {
        return nil
      }
      let next = widths.filter { $0 < widths[widest] }.max() ?? 0
      let give = min(surplus, max(1, widths[widest] - max(next, least[widest])))
      widths[widest] -= give
      surplus -= give
    }
    return widths
  }

  private func line(_ cells: [String], _ widths: [Int], _ right: [Bool]) -> String {
    var text = ""
    for (index, cell) in cells.enumerated() {
      let last = index == cells.count - 1
      let cut = Visible.cut(cell, to: widths[index])
      text += last && !right[index] ? cut : padded(cut, widths[index], right: right[index])
      if !last { text += "  " }
    }
    return text
  }

  private func padded(_ text: String, _ width: Int, right: Bool) -> String {
    let blanks = String(repeating: " ", count: max(0, width - Visible.width(text)))
    return right ? blanks + text : text + blanks
  }

  private func bold(_ text: String) -> String { colour ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
}
