import CPlatform
import Foundation
import GatehouseAdminWire
import GatehouseWire

/// `gatehouse policy impact`.
enum PolicyImpact {
  private static let at = Flag("at", .day, "judge by the stages of this day (00:00 UTC)")
  private static let tolerate = Flag(
    "tolerate", .integer(0...100), "percent of the users who may be affected before the exit code says so (default 0)")

  private static let estimate = Flag(
    "estimate", .onOff, "judge some thousands of users, drawn by chance, in place of all")

  static let command = Command(
    "policy", "impact", summary: "Say what a policy file would mean for all stored users",
    notes: [
      "Judges each user by the file and by the live policy. By default the file is judged as of the day when all of its"
        + " dated stages are on. NEW counts those who do not break the live policy's rule of that name.",
      "Passwords are known only as hashes: while rules on them warn, sign-ins measure one bit a user, and the last line"
        + " shows it.",
    ],
    arguments: [OperatorCommand.tenant, Argument("FILE", "a policy file; - is standard input", completes: .file)],
    flags: [at, tolerate, estimate],
    examples: [
      Example("gatehouse policy impact dd-ride policies/dd-ride.yaml", "by rule, with samples"),
      Example("gatehouse policy impact dd-ride policies/dd-ride.yaml --estimate", "of millions, in two seconds"),
      Example("gatehouse policy impact dd-ride policies/dd-ride.yaml --tolerate 2 --output json", "in CI"),
    ],
    exits: [
      .no: "more users are affected than tolerated, or the file is wrong", .notFound: "no such tenant",
      .unavailable: "the database failed",
    ], prints: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let path = try invocation.argument("FILE")
    let text = try PolicyInput.text(path)
    let tenant = try invocation.argument(OperatorCommand.tenant.name)
    // Evaluating all stored users takes a while. Sign-ins meanwhile have priority, and passwords are hashed at nice 19.
    _ = platform_idle_this_thread()
    return try await OperatorCommand.backend(invocation) { backend in
      var input = PolicyImpactOperation.Input(
        tenant: tenant, text: text, file: path, at: invocation[at], limit: usersAtOnce,
        sample: invocation.has(estimate) ? true : nil)
      var impact = try await backend.send(PolicyImpactOperation.self, input)
      let notes = impact.notes ?? []
      if impact.total >= ImpactEstimate.least, impact.nextCursor != nil {
        var sample = input
        sample.sample = true
        let drawn = try await backend.send(PolicyImpactOperation.self, sample)
        for line in ImpactEstimate.lines(drawn) { invocation.terminal.note(line) }
      }
      let progress = Progress("impact", of: impact.total, on: invocation.terminal)
      while let next = impact.nextCursor {
        progress.reach(impact.people)
        input.cursor = next
        impact = try await backend.send(PolicyImpactOperation.self, input)
      }
      progress.end()
      try invocation.print(table(impact))
      for line in impact.sampled == true ? ImpactEstimate.lines(impact) : summary(impact) {
        invocation.terminal.note(line)
      }
      for note in notes { invocation.terminal.note("note: \(Visible.line(note))") }
      let affected = max(impact.loss.people, impact.rules.map(\.newlyFailing).max() ?? 0)
      return affected * 100 > (invocation[tolerate] ?? 0) * impact.people ? .no : .ok
    }
  }

  /// How many users one answer is about, so that the bar moves.
  private static let usersAtOnce = 20_000

  private static func table(_ impact: PolicyImpactOperation.Output) -> Table {
    let columns = [
      Table.Column("rule", "rule"), Table.Column("line", "line"), Table.Column("stage", "stage"),
      Table.Column("pass", "pass"), Table.Column("fail", "fail"), Table.Column("new", "new"),
      Table.Column("unknown", "unknown"), Table.Column("samples", "for example"),
    ]
    let rows = impact.rules.map { rule -> [Cell] in
      [
        .text(rule.rule), .integer(rule.line), .text(rule.stage),
        .integer(rule.passing), .integer(rule.failing), .integer(rule.newlyFailing), .integer(rule.unknown),
        .list(rule.samples.map(Cell.text)),
      ]
    }
    let loss = impact.loss
    let access: [Cell] = [
      .text("full access"), .none, .none, .integer(impact.keeping + impact.gaining), .integer(loss.people),
      .integer(loss.people), .integer(0), .list(loss.samples.map(Cell.text)),
    ]
    return Table(kind: "policy.impact", columns: columns, rows: rows + [access])
  }

  /// The people with passkeys, and those who meet a change by the file.
  private static func passkeys(_ impact: PolicyImpactOperation.Output) -> [String] {
    guard let keys = impact.passkeys else { return [] }
    var line = "passkeys: \(keys.having) have one, \(keys.synced) of them one that can be synced"
    if keys.offered > 0 { line += ", \(keys.offered) are offered one" }
    var lines = [line]
    if keys.elsewhere > 0 {
      lines.append("\(keys.elsewhere) have passkeys of another relying party, which prove nothing under the file")
    }
    if keys.former > 0 { lines.append("\(keys.former) have none but of rp_id_from, which prove until its day") }
    if keys.lost > 0 {
      lines.append("\(keys.lost) have no other way in than a passkey that would prove no more")
    }
    return lines
  }

  private static func summary(_ impact: PolicyImpactOperation.Output) -> [String] {
    let day = String("\(impact.instant)".prefix(10))
    var lines = ["\(Words.count(impact.people, "user")), \(impact.active) seen within 30 days, judged as of \(day)"]
    let loss = impact.loss
    if loss.people > 0 {
      let samples = loss.samples.isEmpty ? "" : ": " + loss.samples.map(Visible.line).joined(separator: ", ")
      lines.append(
        """
        \(loss.people) lose full access, \(loss.active) of them seen within 30 days, \(loss.admins) of them \
        administrators\(samples)
        """)
    } else {
      lines.append("no user loses full access")
    }
    if let shutOut = loss.shutOut, shutOut > 0 { lines.append("\(shutOut) of them without another way to sign in") }
    if impact.gaining > 0 { lines.append("\(impact.gaining) gain full access") }
    if impact.prompted > 0 { lines.append("\(impact.prompted) are prompted at their next sign-in") }
    if let factors = impact.factors {
      lines.append(
        """
        second factors: \(factors.having) have one, \(factors.asked) are asked for one, \(factors.admins) of them \
        administrators
        """)
    }
    lines += passkeys(impact)
    for rename in impact.renames ?? [] {
      let (field, source) = (Visible.line(rename.field), Visible.line(rename.renamedFrom))
      var line = "\(Words.count(rename.people, "user")) have a value of \(source), which moves to \(field)"
      if rename.filled > 0 { line += "; \(rename.filled) have one of \(field) already, which stays" }
      if rename.refused > 0 { line += "; \(field) refuses that of \(rename.refused), which stays behind" }
      lines.append(line)
    }
    for leftover in impact.leftovers ?? [] {
      let people = Words.count(leftover.people, "user")
      lines.append("the file has no field \(Visible.line(leftover.field)), of which \(people) have a value")
    }
    let known = impact.passwords.complying + impact.passwords.breaking
    if known > 0 {
      lines.append(
        """
        passwords: \(impact.passwords.complying * 100 / known) % of the \(known) measured within 30 days comply, \
        \(impact.passwords.notMeasured) are not measured
        """)
    } else if impact.passwords.notMeasured > 0 {
      lines.append("passwords: nothing is measured by these rules yet (enforce: warn measures them at sign-in)")
    }
    return lines
  }
}
