import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePolicyFile

/// `gatehouse policy explain`: a finding's code offline, or a tenant's policy and what it says of somebody.
enum PolicyExplain {
  private static let subject = Argument(
    "CODE|TENANT", "the code of a finding, as P0107, or a tenant; without it, all codes are listed", .optional)
  private static let rule = Argument("RULE", "a rule's id, as password.min8", .optional)
  private static let signUp = Flag(
    "sign-up", .text("JSON", "a request's body"), "explain this sign-up; - is standard input")
  private static let request = Flag("request", .text("JSON", "a request's body"), "the same at --door")
  private static let door = Flag(
    "door", .text("DOOR", "a door of the policy"), "where the request comes in (policy doors lists them)")
  private static let user = Flag("user", .text("USER", "an address or id"), "explain how somebody stored stands")
  private static let revision = Flag(
    "revision", .integer(1...1_000_000_000), "by this revision instead of the live one")
  private static let at = Flag("at", .text("DATE", "a day, YYYY-MM-DD"), "as of this day (00:00 UTC) instead of now")

  static let command = Command(
    "policy", "explain", summary: "Explain a finding, a rule, or why a policy decides as it does",
    notes: [
      "With a tenant: a RULE, a request (--sign-up, or --request at a --door) or a person (--user), by the live policy",
      "or by another revision or day. Nothing is stored. No value of a person is printed.",
    ],
    arguments: [subject, rule], flags: [signUp, request, door, user, revision, at],
    examples: [
      Example("gatehouse policy explain P0312", "a finding of policy check, with a wrong and a right example"),
      Example("gatehouse policy explain dd-ride password.min8", "a rule: what it asks, since when, where it stands"),
      Example("gatehouse policy explain dd-ride --user willie@ksu.edu --at 2027-03-01", "how somebody will stand"),
    ],
    exits: [
      .no: "the request would be refused", .notFound: "no such code, tenant, rule, revision or user",
      .unavailable: "the database failed",
    ], prints: true, settings: .store, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let word = invocation.arguments(subject.name).first
    guard let word, !isCode(word) else {
      guard invocation.arguments(rule.name).isEmpty else { throw Failure(.usage, "a code is explained alone") }
      return try FindingExplanation.print(word, invocation)
    }
    let day = try day(invocation)
    return try await OperatorCommand.run(invocation) { services in
      let tenant = try await Tenants.find(word, services)
      let (number, file) = try await Explaining.file(invocation[revision], of: tenant, services)
      let instant = day ?? services.clock.now
      invocation.terminal.note("by revision \(number) of \(tenant.name)")
      if let id = invocation.arguments(rule.name).first {
        return try explain(id, in: file, at: instant, invocation)
      }
      if let user = invocation[user] {
        return try await explain(user: user, of: tenant, by: file, at: instant, invocation, services)
      }
      return try explain(body: try body(invocation), by: file, at: instant, invocation, services)
    }
  }

  private static func explain(_ id: String, in file: PolicyFile, at instant: Date, _ invocation: Invocation) throws
    -> Exit
  {
    guard let rule = RuleExplanation(id, in: file, at: instant) else {
      let meant = Suggestion.nearest(to: id, among: RuleExplanation.ids(of: file.policy)).map {
        "; did you mean \(Quoted($0))?"
      }
      throw Failure(.notFound, "the policy has no rule \(Quoted(id))" + (meant ?? ""))
    }
    let stage = rule.stage.rawValue + (rule.enforcesFrom.map { ", enforce from \($0)" } ?? "")
    try invocation.print(
      Record(
        "policy.rule",
        [
          ("rule", "rule", .text(rule.rule)), ("meaning", "asks", .text(rule.meaning)),
          ("input", "of", .text(rule.input)),
          ("stage", "stage", .text(stage)), ("existing", "people stored", .text(rule.existing.rawValue)),
          ("doors", "doors", .list(rule.doors.map { .text($0.rawValue) })),
          ("message", "people read", .text(rule.message)), ("disclosed", "public", .boolean(rule.isDisclosed)),
          ("line", "line", .integer(rule.line)), ("source", "stands as", .text(rule.source)),
        ]))
    return .ok
  }

  private static func explain(
    user: String, of tenant: TenantRecord, by file: PolicyFile, at instant: Date, _ invocation: Invocation,
    _ services: Services
  ) async throws -> Exit {
    let call = Call(
      tenant: try await Tenants.snapshot(tenant, services), requestID: "cli-\(getpid())", address: nil,
      languages: ["en"], now: services.clock.now)
    let account = try await OperatedUsers.find(user, call, services)
    let (values, standing) = Explaining.person(account, by: file, at: instant, services)
    try print(values.lines.filter { !$0.rule.hasPrefix("access.") } + standing.lines, invocation)
    say(standing, invocation)
    return .ok
  }

  private static func explain(
    body: (text: String, door: Door), by file: PolicyFile, at instant: Date, _ invocation: Invocation,
    _ services: Services
  ) throws -> Exit {
    let facts = try Explaining.facts(body.text, at: body.door)
    let found = Explaining.request(facts, at: body.door, by: file, at: instant, services)
    try print(found.lines, invocation)
    invocation.terminal.note(found.allow ? "the door \(body.door.rawValue) opens" : "refused at \(body.door.rawValue)")
    if found.allow { say(found, invocation) }
    return found.allow ? .ok : .no
  }

  private static func say(_ found: Explanation, _ invocation: Invocation) {
    let next = found.next.isEmpty ? "" : ", next: " + found.next.joined(separator: ", ")
    invocation.terminal.note("access \(found.access.rawValue)\(next)")
  }

  private static func print(_ lines: [Explanation.Line], _ invocation: Invocation) throws {
    let columns = [
      Table.Column("rule", "rule"), Table.Column("verdict", "verdict"), Table.Column("input", "looks at"),
      Table.Column("why", "why"), Table.Column("remedy", "passes with"), Table.Column("line", "line"),
      Table.Column("source", "stands as"),
    ]
    let rows = lines.map { line -> [Cell] in
      [
        .text(line.rule), .text(line.verdict.rawValue), .text(line.input), line.why.isEmpty ? .none : .text(line.why),
        line.remedy.isEmpty ? .none : .text(line.remedy), line.line > 0 ? .integer(line.line) : .none,
        .text(line.source),
      ]
    }
    try invocation.print(Table(kind: "policy.explanation", columns: columns, rows: rows))
  }

  private static func body(_ invocation: Invocation) throws -> (text: String, door: Door) {
    let word = invocation[door] ?? Door.signUp.rawValue
    guard let door = Door(rawValue: word) else {
      throw Failure(.usage, "\(Quoted(word)) is no door: \(Door.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    guard let text = invocation[signUp] ?? invocation[request] else {
      throw Failure(.usage, "what is to be explained: a RULE, --sign-up, --request or --user")
    }
    guard text == "-" else { return (text, door) }
    return (String(decoding: try PolicyInput.bytes("-"), as: UTF8.self), door)
  }

  private static func day(_ invocation: Invocation) throws -> Date? {
    guard let text = invocation[at] else { return nil }
    guard let day = Day(text) else { throw Failure(.usage, "--at: \(Quoted(text)) is no day like 2027-03-01") }
    return Date(timeIntervalSince1970: Double(day.startSeconds))
  }

  private static func isCode(_ word: String) -> Bool {
    word.utf8.count == 5 && (word.utf8.first == UInt8(ascii: "P") || word.utf8.first == UInt8(ascii: "p"))
      && word.utf8.dropFirst().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
