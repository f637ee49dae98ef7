import GatehouseIdentity
import GatehousePolicyFile

/// `gatehouse policy test --accept`: failing tests expect what the policy now says.
enum PolicyAccept {
  static let accept = Flag(
    "accept", .onOff, "rewrite the values inside expect of failing tests to what the policy now says")
  static let allowWeaker = Flag("allow-weaker", .onOff, "with --accept: also where a test would allow what it refused")

  /// The new text of one file.
  private struct Plan {
    let path: String
    let bytes: [UInt8]
    let acceptance: Acceptance
  }

  /// Whether `--accept` is given; refuses flags that do not go with it.
  static func isAsked(_ invocation: Invocation, besides others: [Flag<Bool>]) throws(Failure) -> Bool {
    guard invocation.has(accept) else {
      for flag in [allowWeaker, CommonFlags.dryRun] where invocation.has(flag) {
        throw Failure(.usage, "--\(flag.name) goes with --accept; without it nothing is written")
      }
      return false
    }
    for flag in others where invocation.has(flag) {
      throw Failure(.usage, "--accept and --\(flag.name) do not go together")
    }
    if invocation[ServerFlags.server] != nil {
      throw Failure(.usage, "--accept runs here, without a server: the file that it writes is here")
    }
    if invocation[CommonFlags.output] != nil, invocation.arguments(PolicyInput.files.name).contains("-") {
      throw Failure(.usage, "--accept - prints the new text; --output does not go with it")
    }
    return true
  }

  static func run(_ invocation: Invocation) throws(Failure) -> Exit {
    let facts = try PolicyInput.facts(invocation)
    var plans: [Plan] = []
    var exit = Exit.ok
    for path in invocation.arguments(PolicyInput.files.name) {
      let bytes = try PolicyInput.bytes(path)
      if let plan = plan(path, bytes, facts, invocation.terminal) { plans.append(plan) } else { exit = .no }
    }
    try tell(plans, invocation)
    // GUARD: accept: weaker needs its word
    if !invocation.has(allowWeaker) { try refuseWeaker(plans) }
    for plan in plans {
      try write(plan, invocation)
      if !plan.acceptance.left.isEmpty { exit = .no }
    }
    return exit
  }

  private static func plan(_ path: String, _ bytes: [UInt8], _ facts: LibraryFacts, _ terminal: Terminal) -> Plan? {
    switch PolicyFile.read(bytes, name: path) {
    case .failure(let refusal):
      terminal.note(String(refusal.text(colours: terminal.colour.error ? .ansi : .none).dropLast()))
      return nil
    case .success(let file):
      do throws(Acceptance.Refusal) {
        return Plan(path: path, bytes: bytes, acceptance: try Acceptance(bytes, of: file, using: facts))
      } catch {
        terminal.note("\(Visible.line(path)) is left as it is: \(Visible.line(error.reason))")
        return nil
      }
    }
  }

  private static func refuseWeaker(_ plans: [Plan]) throws(Failure) {
    let weaker = plans.flatMap { plan in plan.acceptance.accepted.filter(\.isWeaker).map { (plan.path, $0) } }
    guard !weaker.isEmpty else { return }
    let lines = weaker.map { "  \(Visible.line($0.0)): \(sentence($0.1))" }
    let count = weaker.count == 1 ? "1 test" : "\(weaker.count) tests"
    throw Failure(
      .notAllowed, "nothing is written, as \(count) would allow what was refused:\n" + lines.joined(separator: "\n"),
      hint: "gatehouse policy test --accept --allow-weaker \(plans.map(\.path).joined(separator: " "))")
  }

  private static func write(_ plan: Plan, _ invocation: Invocation) throws(Failure) {
    let (accepted, path) = (plan.acceptance.accepted, Visible.line(plan.path))
    let left = plan.acceptance.left.isEmpty ? "" : ", \(plan.acceptance.left.count) left alone"
    let count = Words.count(accepted.count, "test") + " accepted" + left
    if plan.path == "-", !invocation.isDryRun { return try invocation.terminal.data(plan.acceptance.text) }
    if accepted.isEmpty {
      return invocation.terminal.note(left.isEmpty ? "\(path): every test passes" : "\(path): \(count)")
    }
    guard !invocation.isDryRun else { return invocation.terminal.note("\(path) would be rewritten: \(count)") }
    guard try PolicyInput.bytes(plan.path) == plan.bytes else {
      throw Failure(.conflict, "\(path) was changed meanwhile; it is left as it is", hint: "run it again")
    }
    try ReplacedFile.write(plan.acceptance.text, to: plan.path)
    invocation.terminal.note("\(path) is rewritten: \(count)")
  }
}

// The difference in words.
extension PolicyAccept {
  private static func tell(_ plans: [Plan], _ invocation: Invocation) throws(Failure) {
    guard invocation.outputForm == .table else { return try invocation.print(table(plans)) }
    for plan in plans {
      let prefix = plans.count > 1 ? Visible.line(plan.path) + ": " : ""
      for test in plan.acceptance.accepted {
        let line = prefix + sentence(test)
        // The text itself goes to standard output.
        if plan.path == "-", !invocation.isDryRun {
          invocation.terminal.note(line)
        } else {
          try invocation.terminal.data(line + "\n")
        }
      }
      for test in plan.acceptance.left {
        invocation.terminal.note("\(prefix)\(title(test)) is left alone: \(Visible.line(test.words))")
      }
    }
  }

  private static func table(_ plans: [Plan]) -> Table {
    func row(_ plan: Plan, _ test: Acceptance.Test, _ result: String) -> [Cell] {
      [
        .text(plan.path), .text(test.name), .text(result), .integer(test.line), .boolean(test.isWeaker),
        .text(test.words),
      ]
    }
    return Table(
      kind: "policy.accepted",
      columns: ["file", "test", "result", "line", "weaker", "difference"].map { Table.Column($0, $0) },
      rows: plans.flatMap { plan in
        plan.acceptance.accepted.map { row(plan, $0, "accepted") }
          + plan.acceptance.left.map { row(plan, $0, "left alone") }
      })
  }

  /// `"eight are enough" (line 112): was allowed, is now refused by password.min12`.
  private static func sentence(_ test: Acceptance.Test) -> String { "\(title(test)): \(Visible.line(test.words))" }

  private static func title(_ test: Acceptance.Test) -> String { "\(Quoted(test.name)) (line \(test.line))" }
}
