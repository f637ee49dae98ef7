import GatehousePolicy

/// The expectations that do not hold in a run, and the lines of the file that caused it.
struct TestFailure {
  let expect: Expectation
  let differences: [TestResult.Difference]
  let decision: Decision
  let policy: Policy
  /// The text of the policy; nil where only the text of the tests is there.
  let document: Document?

  func diagnostic(_ name: String, _ test: PolicyFileTest) -> Diagnostic {
    Diagnostic(
      .testFailed, "test \(quoted(name)) failed", at: test.expectRange, notes: values + causes)
  }

  private var values: [Diagnostic.Note] {
    differences.flatMap { difference in
      [
        Diagnostic.Note("\(difference.what) expected: \(difference.expected)"),
        Diagnostic.Note("\(difference.what) got:      \(difference.got)"),
      ]
    }
  }

  /// The causes of the failure, the nearest first.
  private var causes: [Diagnostic.Note] {
    let blamed = blamedRules
    let near = blamed.map(note) + requirements + conditions + settings
    guard blamed.isEmpty else { return near }
    // Beside a nearer cause these are only told: a note without a line is no cause.
    return near + unexpectedRules.map(note).map { near.isEmpty ? $0 : Diagnostic.Note($0.text) }
  }

  private var refused: [String] { decision.violations.map(\.rule) }
  private var warned: [String] { decision.warnings.map(\.rule) }

  /// Rules that account for an outcome or a list of rules which is another than expected.
  private var blamedRules: [Rule] {
    var (surplus, missing): ([String], [String]) = ([], [])
    if differs("ok") {
      let expected = expect.violations?.expected ?? []
      if decision.allow { missing += expected } else { surplus += refused }
      if decision.allow, expected.isEmpty { surplus += warned }
    }
    for (what, expected, found) in [("violations", expect.violations, refused), ("warnings", expect.warnings, warned)] {
      guard let expected, differs(what) else { continue }
      let more = expected.unexpected(in: found)
      let less = expected.missing(in: found)
      // The order alone is another.
      surplus += more.isEmpty && less.isEmpty ? found : more
      missing += less
    }
    // A refused request has no access, no next step and nothing to store.
    if !decision.allow, differences.contains(where: { !["ok", "violations", "warnings"].contains($0.what) }) {
      let expected = expect.violations?.expected ?? []
      surplus += refused.filter { id in !expected.contains { Family.matches($0, id) } }
    }
    let absent = located { rule in missing.contains { Family.matches($0, rule) } }
    // A rule that warns where it should refuse, or the other way round, is nearer than its family.
    let moved = absent.filter { rule in (refused + warned).contains { same($0, rule.id) } }
    let blamed = Set((moved.isEmpty ? absent : moved).map(\.id))
    return located { rule in blamed.contains(rule) || surplus.contains { same($0, rule) } }
  }

  /// Rules that are found and not expected, or expected and not found.
  private var unexpectedRules: [Rule] {
    let expected = (expect.violations?.expected ?? []) + (expect.warnings?.expected ?? [])
    return located { rule in
      (refused + warned).contains { same($0, rule) } != expected.contains { Family.matches($0, rule) }
    }
  }

  /// Rules that stand in the file.
  private func located(_ isMeant: (String) -> Bool) -> [Rule] {
    policy.allRules.filter { $0.position.line > 0 && isMeant($0.id) }
  }

  private func note(_ rule: Rule) -> Diagnostic.Note {
    let why = decision.trace.first { same($0.rule, rule.id) }
    let verdict = why.map { ": \($0.verdict.rawValue)\($0.why.isEmpty ? "" : ", \($0.why)")" } ?? ""
    return line(rule.id, rule.position, verdict)
  }

  private func same(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }

  /// The requirements of full access, where access, the next step or a warning about one differs.
  private var requirements: [Diagnostic.Note] {
    let isAccess = differs("access") || differs("next")
    let judged = decision.trace.filter { ![.notReached, .off].contains($0.verdict) }
    let demands = policy.demands.filter { demand in
      let isWarning = differs("warnings") && decision.warnings.contains { $0.rule == demand.id }
      return isWarning || ((isAccess || differs("challenge")) && judged.contains { same($0.rule, demand.id) })
    }.map { line($0.id, $0.position) }
    let all = policy.access.full.filter { requirement in
      isAccess || (differs("warnings") && decision.warnings.contains { $0.rule == requirement.id })
    }
    var notes = all.map { line($0.id, $0.position) }
    guard isAccess else { return notes + demands }
    if all.isEmpty { notes += written("access", "full", "requires") }
    for requirement in all {
      guard case .linked(let provider) = requirement.need else { continue }
      notes += written("providers", provider, "require_scopes")
    }
    return notes + demands
  }

  /// The conditions of administrators, where one differs.
  private var conditions: [Diagnostic.Note] {
    guard differs("admin") else { return [] }
    guard let admins = policy.admins else { return written("admins") }
    return admins.when.flatMap { written("admins", "when", $0.field) }
  }

  /// The settings that say how a value is stored, and what is offered.
  private var settings: [Diagnostic.Note] {
    let offer = differs("offers") ? written("passkeys", "upgrade") : []
    let email = differs("stored.email") ? [line("identifiers.email", policy.identifiers.email.position)] : []
    let fields = policy.profile.fields.filter { differs("stored.profile.\($0.name)") }
    return offer + email + fields.map { line("profile.\($0.name)", $0.position) }
  }

  /// The line of a setting that is written, in the policy's own file.
  private func written(_ path: String...) -> [Diagnostic.Note] {
    guard let number = document?.line(of: path) else { return [] }
    return [line(path.joined(separator: "."), SourcePosition(line: number, column: 1))]
  }

  private func differs(_ what: String) -> Bool { differences.contains { $0.what == what } }

  private func line(_ what: String, _ position: SourcePosition, _ verdict: String = "") -> Diagnostic.Note {
    .standing(what, line: position.line, verdict)
  }
}
