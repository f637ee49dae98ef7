import GatehousePolicy
import GatehouseAdminWire
import GatehouseWire

/// `gatehouse policy explain`: a finding's code offline, or a tenant's policy and what it says of a user.
enum PolicyExplain {
  private static let subject = Argument(
    "CODE|TENANT", "the code of a finding, such as P0107, or a tenant; without it, all codes are listed", .optional)
  private static let rule = Argument("RULE", "a rule's id, such as password.min8", .optional, completes: .rule)
  private static let signUp = Flag(
    "sign-up", .text("JSON", "a request's body"), "explain this sign-up; - is standard input")
  private static let request = Flag("request", .text("JSON", "a request's body"), "the same at --door")
  private static let door = Flag(
    "door", .text("DOOR", "a door of the policy"), "where the request comes in (policy doors lists them)")
  private static let user = Flag("user", .text("USER", "an address or id"), "explain what access a stored user has")
  private static let revision = Flag(
    "revision", .integer(1...1_000_000_000), "by this revision instead of the live one")
  private static let at = Flag("at", .day, "as of this day (00:00 UTC) instead of now")

  static let command = Command(
    "policy", "explain", summary: "Explain a finding, a rule, or why a policy decides as it does",
    notes: [
      "With a tenant it explains a RULE, a request (--sign-up, or --request at a --door) or a user (--user), by the live"
        + " policy or by another revision or day. Nothing is stored. No value of a user is printed."
    ],
    arguments: [subject, rule], flags: [signUp, request, door, user, revision, at],
    examples: [
      Example("gatehouse policy explain P0312", "a finding of policy check, with a wrong and a right example"),
      Example("gatehouse policy explain dd-ride password.min8", "a rule: what it asks, since when, where it stands"),
      Example("gatehouse policy explain dd-ride --user willie@ksu.edu --at 2027-03-01", "the user's access by then"),
    ],
    exits: [
      .no: "the request would be refused", .notFound: "no such code, tenant, rule, revision or user",
      .unavailable: "the database failed",
    ], prints: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let word = invocation.arguments(subject.name).first
    guard let word, !isCode(word) else {
      guard invocation.arguments(rule.name).isEmpty else { throw Failure(.usage, "a code is explained alone") }
      return try FindingExplanation.print(word, invocation)
    }
    var input = ExplainPolicyOperation.Input(tenant: word, revision: invocation[revision], at: invocation[at])
    if let id = invocation.arguments(rule.name).first {
      input.rule = id
    } else if let user = invocation[user] {
      input.user = user
    } else {
      (input.request, input.door) = try body(invocation)
    }
    return try await OperatorCommand.backend(invocation) { backend in
      let answer = try await backend.send(ExplainPolicyOperation.self, input)
      invocation.terminal.note("by revision \(answer.revision) of \(word)")
      if let rule = answer.rule { try print(rule, invocation) }
      if let verdicts = answer.verdicts { try print(verdicts, invocation) }
      if let allow = answer.allow, let door = input.door {
        invocation.terminal.note(allow ? "the door \(door) opens" : "refused at \(door)")
      }
      if let access = answer.access {
        let next = answer.next ?? []
        invocation.terminal.note("access \(access)" + (next.isEmpty ? "" : ", next: " + next.joined(separator: ", ")))
        if let offers = answer.offers { invocation.terminal.note("offers: " + offers.joined(separator: ", ")) }
      }
      return answer.allow == false ? .no : .ok
    }
  }

  private static func print(_ rule: ExplainedRule, _ invocation: Invocation) throws {
    let stage = rule.stage + (rule.enforceFrom.map { ", enforce from \($0)" } ?? "")
    try invocation.print(
      Record(
        "policy.rule",
        [
          ("rule", "rule", .text(rule.rule)), ("meaning", "asks", .text(rule.meaning)),
          ("input", "of", .text(rule.input)), ("stage", "stage", .text(stage)),
          ("existing", "people stored", .text(rule.existing)), ("doors", "doors", .list(rule.doors.map(Cell.text))),
          ("message", "people read", .text(rule.message)), ("disclosed", "public", .boolean(rule.disclosed)),
          ("line", "line", .integer(rule.line)), ("source", "stands as", .text(rule.source)),
        ]))
  }

  private static func print(_ verdicts: [ExplainedVerdict], _ invocation: Invocation) throws {
    let columns = [
      Table.Column("rule", "rule"), Table.Column("verdict", "verdict"), Table.Column("input", "looks at"),
      Table.Column("why", "why"), Table.Column("remedy", "passes with"), Table.Column("line", "line"),
      Table.Column("source", "stands as"),
    ]
    let rows = verdicts.map { line -> [Cell] in
      [
        .text(line.rule), .text(line.verdict), .text(line.input), line.why.map(Cell.text) ?? .none,
        line.remedy.map(Cell.text) ?? .none, line.line.map(Cell.integer) ?? .none, .text(line.source),
      ]
    }
    try invocation.print(Table(kind: "policy.explanation", columns: columns, rows: rows))
  }

  private static func body(_ invocation: Invocation) throws -> (text: String, door: String) {
    let word = invocation[door] ?? Door.signUp.rawValue
    guard let door = Door(rawValue: word) else {
      throw Failure(.usage, "\(Quoted(word)) is not a door: \(Door.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    guard let text = invocation[signUp] ?? invocation[request] else {
      throw Failure(.usage, "nothing to explain: give a RULE, --sign-up, --request or --user")
    }
    guard text == "-" else { return (text, door.rawValue) }
    return (try PolicyInput.text("-"), door.rawValue)
  }

  private static func isCode(_ word: String) -> Bool {
    word.utf8.count == 5 && (word.utf8.first == UInt8(ascii: "P") || word.utf8.first == UInt8(ascii: "p"))
      && word.utf8.dropFirst().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
