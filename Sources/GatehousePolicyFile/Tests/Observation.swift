import GatehousePolicy

/// What a decision shows of what a test looks at.
struct Observation: Equatable {
  let ok: Bool?
  let violations: [String]?
  let warnings: [String]?
  let access: Access?
  let next: [String]?
  let storedEmail: String??
  let storedProfile: [String: FieldValue?]

  init(_ decision: Decision, _ expect: Expectation) {
    ok = expect.ok == nil ? nil : decision.allow
    violations = expect.violations == nil ? nil : decision.violations.map(\.rule)
    warnings = expect.warnings == nil ? nil : decision.warnings.map(\.rule)
    access = expect.access == nil ? nil : decision.access
    next = expect.next == nil ? nil : decision.next
    storedEmail = expect.storedEmail == nil ? nil : .some(decision.normalised.email)
    storedProfile = expect.storedProfile.reduce(into: [:]) { values, wanted in
      values[wanted.key] = .some(decision.normalised.profile[wanted.key])
    }
  }

  /// Every expectation that does not hold.
  func differences(from expect: Expectation) -> [TestResult.Difference] {
    var found: [TestResult.Difference] = []
    func compare(_ what: String, _ expected: String, _ got: String, _ holds: Bool) {
      if !holds { found.append(.init(what: what, expected: expected, got: got)) }
    }
    if let wanted = expect.ok, let ok { compare("ok", "\(wanted)", "\(ok)", wanted == ok) }
    if let wanted = expect.violations, let violations {
      compare("violations", Self.list(wanted), Self.list(violations), Family.matches(wanted, violations))
    }
    if let wanted = expect.warnings, let warnings {
      compare("warnings", Self.list(wanted), Self.list(warnings), Family.matches(wanted, warnings))
    }
    if let wanted = expect.access, let access {
      compare("access", wanted.rawValue, access.rawValue, wanted == access)
    }
    if let wanted = expect.next, let next {
      compare("next", Self.list(wanted), Self.list(next), Family.matches(wanted, next))
    }
    if let wanted = expect.storedEmail {
      let got = storedEmail.flatMap { $0 }
      compare("stored.email", quoted(wanted), got.map(quoted) ?? "nothing", got.map { same($0, wanted) } ?? false)
    }
    for (name, wanted) in expect.storedProfile.sorted(by: { $0.key < $1.key }) {
      let got = storedProfile[name].flatMap { $0 }
      compare(
        "stored.profile.\(name)", wanted.shown, got?.shown ?? "nothing",
        got.map { same($0, wanted) } ?? (wanted == .null))
    }
    return found
  }

  private func same(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }

  private func same(_ left: FieldValue, _ right: FieldValue) -> Bool {
    if let left = left.string, let right = right.string { return same(left, right) }
    return left == right
  }

  private static func list(_ ids: [String]) -> String { "[" + ids.joined(separator: ", ") + "]" }
}

extension FieldValue {
  /// As a report shows it.
  var shown: String {
    switch self {
    case .null: "null"
    case .boolean(let flag): "\(flag)"
    case .integer(let number): "\(number)"
    case .string(let text): quoted(text)
    case .unsupported(let kind): kind
    }
  }
}
