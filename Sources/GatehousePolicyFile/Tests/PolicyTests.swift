import Foundation
package import GatehousePolicy

/// The result of one run of one test.
package struct TestResult: Sendable {
  package enum Outcome: Sendable, Equatable {
    case passed
    /// The expectations that do not hold.
    case failed([Difference])
    /// The outcome changes at this day, so the test has to say which day it means.
    case dependsOnDate(Day)
  }

  /// One expectation that does not hold.
  package struct Difference: Sendable, Equatable {
    /// `violations`, `stored.email`, …
    package let what: String
    package let expected: String
    package let got: String
  }

  /// The test's name, with the member of `each` where there is one.
  package let name: String
  package let outcome: Outcome
  /// A finding for a failed run: expected, got, and the lines of the rules it is about.
  package let diagnostic: Diagnostic?

  package var passed: Bool { outcome == .passed }

  package init(name: String, outcome: Outcome, diagnostic: Diagnostic?) {
    self.name = name
    self.outcome = outcome
    self.diagnostic = diagnostic
  }
}

/// Runs the tests of a policy file.
package enum PolicyTests {
  /// All tests, each member of `each` on its own, in the order of the file. Pure: a test means the day it names, and
  /// one without `at` is tried on the day before and the day after every date in the file.
  package static func run(_ file: PolicyFile, using source: some FactSource) -> [TestResult] {
    run(file.tests, against: Subject(policy: file.policy, document: file.document), source)
  }

  /// The tests of one file against another policy: what would break if it went live.
  package static func run(
    _ tests: [PolicyFileTest], against policy: Policy, using source: some FactSource
  ) -> [TestResult] {
    run(tests, against: Subject(policy: policy, document: nil), source)
  }

  private static func run(
    _ tests: [PolicyFileTest], against subject: Subject, _ source: some FactSource
  ) -> [TestResult] {
    tests.flatMap { test in
      test.cases.map { run($0, of: test, subject, source) }
    }
  }

  /// The name of the first run that does not hold against a policy; nil where all do.
  static func firstFailure(
    _ tests: [PolicyFileTest], against policy: Policy, using source: some FactSource
  ) -> String? {
    let subject = Subject(policy: policy, document: nil)
    for test in tests {
      for one in test.cases {
        let result = run(one, of: test, subject, source)
        if !result.passed { return result.name }
      }
    }
    return nil
  }

  private static func run(
    _ one: PolicyFileTest.Case, of test: PolicyFileTest, _ subject: Subject, _ source: some FactSource
  ) -> TestResult {
    let name = one.member.map { "\(test.name) (\($0))" } ?? test.name
    switch judge(one, of: test, subject, source) {
    case .dependsOnDate(let day):
      return TestResult(name: name, outcome: .dependsOnDate(day), diagnostic: addAt(day, name, test, subject.policy))
    case .decided(_, let differences) where differences.isEmpty:
      return TestResult(name: name, outcome: .passed, diagnostic: nil)
    case .decided(let outcome, let differences):
      let failure = TestFailure(
        expect: one.expect, differences: differences, decision: outcome.decision, policy: subject.policy,
        document: subject.document)
      return TestResult(name: name, outcome: .failed(differences), diagnostic: failure.diagnostic(name, test))
    }
  }

  /// The judgement of one run.
  enum Judgement {
    /// The outcome, and every expectation that does not hold.
    case decided(Outcome, [TestResult.Difference])
    /// The outcome changes at this day.
    case dependsOnDate(Day)
  }

  static func judge(
    _ one: PolicyFileTest.Case, of test: PolicyFileTest, _ subject: Subject, _ source: some FactSource
  ) -> Judgement {
    let instants = test.at.map { [(day: $0, instant: $0.start)] } ?? subject.moments
    func outcome(at instant: Date) -> Outcome {
      Outcome(decide(one, subject.policy, at: instant, source), one.facts, subject.policy)
    }
    var first: (seen: Observation, outcome: Outcome)?
    for (day, instant) in instants {
      let outcome = outcome(at: instant)
      let seen = Observation(outcome, one.expect)
      if let day, let first, first.seen != seen { return .dependsOnDate(day) }
      if first == nil { first = (seen, outcome) }
    }
    let found = first?.outcome ?? outcome(at: Date(timeIntervalSince1970: 0))
    return .decided(found, (first?.seen ?? Observation(found, one.expect)).differences(from: one.expect))
  }

  /// The decision of the policy for this run. As in the server, the store is asked about unique values once the others
  /// are judged.
  private static func decide(
    _ one: PolicyFileTest.Case, _ policy: Policy, at instant: Date, _ source: some FactSource
  ) -> Decision {
    if !one.isAttested, let refused = policy.refusedWithoutAttestation(at: one.door) { return refused }
    var facts = one.facts
    // The account of a test has a password, a new one unless the test says its age.
    facts.stored?.passwordChangedAt = instant.addingTimeInterval(-Double(one.passwordAge ?? 0))
    if let asked = one.mfaAsked { facts.stored?.mfaAskedAt = instant.addingTimeInterval(-Double(asked)) }
    if facts.session?.level ?? .aal1 > .aal1 { facts.session?.secondProofAt = instant }
    let source: any FactSource = PasswordHistoryFacts(source, passwords: one.lastPasswords)
    let decision = policy.decide(one.door, facts, at: instant, using: source)
    for (name, held) in one.taken {
      guard let wanted = decision.normalised.profile[name].flatMap({ policy.uniqueKey(for: name, value: $0) }),
        let key = policy.uniqueKey(for: name, value: held)
      else { continue }
      if wanted.utf8.elementsEqual(key.utf8) { facts.taken.insert(name) }
    }
    return facts.taken.isEmpty ? decision : policy.decide(one.door, facts, at: instant, using: source)
  }

  /// The policy that the tests are held against.
  struct Subject {
    let policy: Policy
    /// The text of the policy; nil where it is another one than that of the tests.
    let document: Document?
    fileprivate let moments: [Moment]

    init(policy: Policy, document: Document?) {
      self.policy = policy
      self.document = document
      moments = aroundEach(policy.dates)
    }
  }

  /// An instant, and the date that it is the day before or after of.
  fileprivate typealias Moment = (day: Day?, instant: Date)

  /// Noon of the day before and of the day after every date, each state of the policy once: between two dates nothing
  /// changes. Where the file has no dates any instant is as good as another.
  private static func aroundEach(_ dates: [Day]) -> [Moment] {
    guard !dates.isEmpty else { return [(nil, Date(timeIntervalSince1970: 0))] }
    var seen: Set<[Int]> = []
    let all = dates.flatMap { date in
      [(date, date.start.addingTimeInterval(-43_200)), (date, date.start.addingTimeInterval(129_600))]
    }
    return all.filter { _, instant in
      // Stages begin with a date, exceptions end with one.
      let begun = dates.count { $0.start <= instant }
      let over = dates.count { $0.start.addingTimeInterval(86_400) <= instant }
      return seen.insert([begun, over]).inserted
    }
  }

  private static func addAt(_ day: Day, _ name: String, _ test: PolicyFileTest, _ policy: Policy) -> Diagnostic {
    let rules = policy.allRules.filter { $0.enforcement.from == day }
    return Diagnostic(
      .addAt, "add at: to test \(quoted(name)); its outcome changes around \(day)", at: test.range,
      notes: [.init("at: a day before \(day), or one after it; or two tests")]
        + rules.map { .standing($0.id, line: $0.position.line) })
  }
}
