import GatehousePolicy
import GatehousePolicyFile

/// `gatehouse policy doors`: offline, without a database.
enum PolicyDoors {
  static let command = Command(
    "policy", "doors", summary: "Show which rule binds at which door through which values come in",
    notes: [
      "A door is an entry: sign_up, change_email, admin_create, import. A file that leaves a door without any rule is"
        + " shown with a note, and refused by check and apply (P0208). Failing tests are a note too.",
      "In the table: \(DoorMatrix.legend).",
    ],
    arguments: [PolicyInput.files],
    examples: [
      Example("gatehouse policy doors policies/dd-ride.yaml", "one row a rule, one column a door"),
      Example("gatehouse policy doors policies/messai.yaml policies/vibes.yaml", "of several files"),
      Example("gatehouse policy doors policies/vibes.yaml --output csv", "for a spreadsheet"),
    ],
    exits: [
      .no: "a file is not a policy; the reason is printed", .notFound: "a file does not exist; the others are shown",
    ],
    prints: true, settings: .lists, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    var columns = ["file", "rule", "line"].map { Table.Column($0, $0) }
    columns += Door.allCases.map { Table.Column($0.rawValue, $0.rawValue) }
    var table = Table(kind: "policy.doors", columns: columns, whenEmpty: "no rules")
    var texts: [String] = []
    var exit = Exit.ok
    let questions = PolicyQuestions(invocation)
    let unread = try PolicyInput.each(invocation) { path, bytes throws(Failure) in
      guard let file = questions.ask(bytes, path) else {
        exit = .no
        return
      }
      let matrix = DoorMatrix(file.policy)
      texts.append(matrix.text(Visible.line(path)))
      table.rows += matrix.rows.map { row in
        [.text(path), .text(row.rule), .integer(row.line)] + row.cells.map { .text($0.word) }
      }
    }
    if invocation.outputForm != .table {
      try invocation.print(table)
    } else if !texts.isEmpty {
      try invocation.terminal.data(texts.joined(separator: "\n"))
      invocation.terminal.note(DoorMatrix.legend)
    }
    if let unread { throw unread }
    return exit
  }
}
