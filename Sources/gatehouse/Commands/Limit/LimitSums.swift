import GatehouseAdminWire
import GatehouseWire

/// Counts summed up by limit, as a table with the parties that a limit refuses and the command that lifts it.
enum LimitSums {
  private static let columns = [
    Table.Column("name", ""), Table.Column("", "limit"), Table.Column("policy_key", ""), Table.Column("party", ""),
    Table.Column("counted", ""), Table.Column("exhausted", ""), Table.Column("", "refuses"),
    Table.Column("highest", ""), Table.Column("most", ""), Table.Column("", "highest count"), Table.Column("user", ""),
    Table.Column("ends_at", "until"), Table.Column("lift", "to lift it"),
  ]

  static func table(_ sums: [LimitSum], of tenant: String) -> Table {
    Table(
      kind: "limit.summary", columns: columns,
      rows: sums.map { sum in
        [
          .text(sum.name), .text(sum.policyKey ?? "\(sum.name) (the server's own)"),
          sum.policyKey.map(Cell.text) ?? .none, .text(sum.party), .integer(sum.counted), .integer(sum.exhausted),
          .text(refuses(sum)), .integer(sum.highest), sum.most.map(Cell.integer) ?? .none,
          .text("\(sum.highest)" + (sum.most.map { " of \($0)" } ?? "")), sum.user.map(Cell.text) ?? .none,
          UserVerb.time(sum.endsAt), sum.exhausted > 0 ? .text(lift(sum, of: tenant)) : .none,
        ]
      }, whenEmpty: "nothing is counted")
  }

  /// The parties that a limit refuses: `1 of 41 networks`.
  private static func refuses(_ sum: LimitSum) -> String {
    guard sum.party != "tenant" else { return sum.exhausted > 0 ? "the whole tenant" : "none" }
    let parties = sum.counted == 1 ? sum.party : sum.party + "s"
    let user = sum.user.map { " (\($0))" } ?? ""
    return "\(sum.exhausted == 0 ? "none" : String(sum.exhausted)) of \(sum.counted) \(parties)\(user)"
  }

  /// The command that sets it to zero, for one party where the operator can name one.
  private static func lift(_ sum: LimitSum, of tenant: String) -> String {
    let line = "gatehouse limit clear \(tenant) --name \(sum.name)"
    switch sum.party {
    case "network": return line + " --address IP"
    case "account", "recipient": return line + " --user \(sum.user ?? "ADDRESS")"
    default: return line
    }
  }
}
