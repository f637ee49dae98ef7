import GatehousePolicy

/// What does not hold in a run, and the lines of the file that it comes from.
struct TestFailure {
  let expect: Expectation
  let differences: [TestResult.Difference]
  let decision: Decision
  let policy: Policy
  /// The text of the policy; nil where only the text of the tests is there.
  let document: Document?

  func diagnostic(_ name: String, _ test: PolicyFileTest) -> Diagnostic {
    Diagnostic(
      .testFailed, "test \(quoted(name)) failed", at: test.expectRange, notes: values + rules + requirements + settings)
  }

  private var values: [Diagnostic.Note] {
    differences.flatMap { difference in
      [
        Diagnostic.Note("\(difference.what) expected: \(difference.expected)"),
        Diagnostic.Note("\(difference.what) got:      \(difference.got)"),
      ]
    }
  }

  /// Rules that are found and not expected, or expected and not found.
  private var rules: [Diagnostic.Note] {
    let found = decision.violations.map(\.rule) + decision.warnings.map(\.rule)
    let expected = (expect.violations?.expected ?? []) + (expect.warnings?.expected ?? [])
    return policy.allRules.filter { $0.location.line > 0 }.compactMap { rule in
      let isFound = found.contains { $0.utf8.elementsEqual(rule.id.utf8) }
      let isExpected = expected.contains { Family.matches($0, rule.id) }
      // A rule that warns where it should refuse, or the other way round, is found and expected.
      let hasMoved = isFound && ["ok", "violations", "warnings"].contains(where: differs)
      guard isFound != isExpected || hasMoved else { return nil }
      let why = decision.trace.first { $0.rule.utf8.elementsEqual(rule.id.utf8) }
      let verdict = why.map { ": \($0.verdict.rawValue)\($0.why.isEmpty ? "" : ", \($0.why)")" } ?? ""
      return line(rule.id, rule.location, verdict)
    }
  }

  /// What full access asks for, where access, the next step or a warning about it is another.
  private var requirements: [Diagnostic.Note] {
    let isAccess = differs("access") || differs("next")
    let all = policy.access.full.filter { requirement in
      isAccess || (differs("warnings") && decision.warnings.contains { $0.rule == requirement.id })
    }
    var notes = all.map { line($0.id, $0.location) }
    guard isAccess else { return notes }
    if all.isEmpty { notes += written("access", "full", "requires") }
    for requirement in all {
      guard case .linked(let provider) = requirement.need else { continue }
      notes += written("providers", provider, "require_scopes")
    }
    return notes
  }

  /// The settings that say how a value is stored.
  private var settings: [Diagnostic.Note] {
    let email = differs("stored.email") ? [line("identifiers.email", policy.identifiers.email.location)] : []
    let fields = policy.profile.fields.filter { differs("stored.profile.\($0.name)") }
    return email + fields.map { line("profile.\($0.name)", $0.location) }
  }

  /// The line of a setting that is written, in the policy's own file.
  private func written(_ path: String...) -> [Diagnostic.Note] {
    guard let number = document?.line(of: path) else { return [] }
    return [line(path.joined(separator: "."), Location(line: number, column: 1))]
  }

  private func differs(_ what: String) -> Bool { differences.contains { $0.what == what } }

  private func line(_ what: String, _ place: Location, _ verdict: String = "") -> Diagnostic.Note {
    Diagnostic.Note("\(what) stands on line \(place.line)\(verdict)", line: place.line)
  }
}
