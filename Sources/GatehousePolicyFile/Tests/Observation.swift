import GatehousePolicy

/// The outcome of a request: the decision, and the person after it.
struct Outcome {
  let decision: Decision
  /// Whether the person administers the tenant afterwards: by the values that the door stores over those that are
  /// stored. A refused request stores nothing.
  let isAdministrator: Bool

  init(_ decision: Decision, _ facts: Facts, _ policy: Policy) {
    self.decision = decision
    let before = facts.stored?.profile ?? [:]
    let after = decision.allow ? before.merging(decision.normalised.profile) { $1 } : before
    isAdministrator = policy.isAdministrator(profile: after)
  }
}

/// The parts of an outcome that a test looks at.
struct Observation: Equatable {
  let ok: Bool?
  let violations: ObservedIDs?
  let warnings: ObservedIDs?
  let access: Access?
  let admin: Bool?
  let next: ObservedIDs?
  let challenge: ObservedIDs?
  let offers: ObservedIDs?
  let storedEmail: String??
  let storedProfile: [String: FieldValue?]

  init(_ outcome: Outcome, _ expect: Expectation) {
    let decision = outcome.decision
    ok = expect.ok == nil ? nil : decision.allow
    violations = ObservedIDs(decision.violations.map(\.rule), expect.violations)
    warnings = ObservedIDs(decision.warnings.map(\.rule), expect.warnings)
    access = expect.access == nil ? nil : decision.access
    admin = expect.admin == nil ? nil : outcome.isAdministrator
    next = ObservedIDs(decision.next, expect.next)
    challenge = ObservedIDs(decision.ids("challenge"), expect.challenge)
    offers = ObservedIDs(decision.ids("offers"), expect.offers)
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
    func compare(_ what: String, _ expected: ExpectedIDs?, _ got: ObservedIDs?) {
      guard let expected, let got else { return }
      compare(what, expected.shown, ExpectedIDs.list(got.found), expected.holds(got.found))
    }
    if let wanted = expect.ok, let ok { compare("ok", "\(wanted)", "\(ok)", wanted == ok) }
    compare("violations", expect.violations, violations)
    compare("warnings", expect.warnings, warnings)
    if let wanted = expect.access, let access {
      compare("access", wanted.rawValue, access.rawValue, wanted == access)
    }
    if let wanted = expect.admin, let admin { compare("admin", "\(wanted)", "\(admin)", wanted == admin) }
    compare("next", expect.next, next)
    compare("challenge", expect.challenge, challenge)
    compare("offers", expect.offers, offers)
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
}

extension FieldValue {
  /// The text in a report.
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
