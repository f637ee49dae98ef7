package import Foundation
package import GatehousePolicy

/// Proves or refutes the statements of a policy file, by judging an example of each class of requests.
package struct Prover {
  let policy: Policy
  let source: any FactSource
  let now: Date
  let budget: ProofBudget
  /// Transitions that searches leave out: a test shows that its random chains find what a proof forgets.
  let without: Set<Transition>

  /// - Parameter source: Lists and libraries that rules ask, which confirm a refutation.
  /// - Parameter now: No earlier day is looked at.
  package init(_ policy: Policy, using source: any FactSource, now: Date) {
    self.init(policy, using: source, now: now, budget: ProofBudget())
  }

  init(
    _ policy: Policy, using source: any FactSource, now: Date, budget: ProofBudget, without: Set<Transition> = []
  ) {
    self.without = without
    self.policy = policy
    self.source = source
    self.now = now
    self.budget = budget
  }

  /// The answers to all statements of a file, in its order.
  /// - Parameter names: The statements to judge; empty: all.
  /// - Parameter work: The bound on all of them together.
  /// - Parameter baseline: The policy that `not_weaker_than` names; nil where it is not here.
  static func answers(
    _ file: PolicyFile, using source: any FactSource, only names: [String] = [], now: Date,
    work: Int = ProofBudget.ofCheck,
    baseline: (Statement.Baseline) -> PolicyFile? = { _ in nil }
  ) -> [ProofAnswer] {
    let prover = Prover(file.policy, using: source, now: now, budget: ProofBudget(work))
    return file.statements.filter { names.isEmpty || names.contains($0.name) }.map {
      prover.answer($0, file: file, baseline: baseline)
    }
  }

  /// The answers to the statements that compare the file with one of these revisions.
  package static func comparisons(
    _ file: PolicyFile, with baselines: [Statement.Baseline: PolicyFile], now: Date
  ) -> [ProofAnswer] {
    let prover = Prover(file.policy, using: NoFacts(), now: now)
    return file.statements.compactMap { statement in
      guard case .notWeakerThan(let baseline) = statement.claim, baselines[baseline] != nil else { return nil }
      return prover.answer(statement, file: file) { baselines[$0] }
    }
  }

  func answer(_ statement: Statement, file: PolicyFile, baseline: (Statement.Baseline) -> PolicyFile?) -> ProofAnswer {
    let verdict: ProofAnswer.Verdict
    switch statement.claim {
    case .never(let kind): verdict = never(kind, statement)
    case .every(let goal): verdict = every(goal, statement)
    case .notWeakerThan(let other):
      verdict =
        baseline(other).map { notWeaker(file, than: $0, statement) }
        ?? .unknown("\(other.text == "live" ? "the live policy" : "revision \(other.text)") is not here")
    }
    let leftOut = Set(policy.exceptions.map(\.email)).sorted()
    return ProofAnswer(name: statement.name, range: statement.range, verdict: verdict, leftOut: leftOut)
  }

  /// A search over the accounts that differ in some components.
  struct Setting {
    let search: Search
    let starts: [Situation]
    let days: [Date]
    /// The reasons why an exhausted search is no proof.
    let gaps: [String]
  }

  /// - Parameter demands: The values of fields that a statement names.
  func setting(
    of components: Set<Component>, patterns: [DomainPattern] = [],
    demands: [(field: String, value: Statement.Stored)] = [], fromAny: Bool
  ) -> Setting? {
    let slice = policy.slice(of: components)
    let days = ProofDays(slice, from: now).instants
    let classes = Classes(slice)
    var gaps: [String] = []
    let facts = PassingFacts(source: source)
    let values = slice.profile.fields.map { field in
      let all = demands.filter { $0.field == field.name }.map { classes.values(of: field, about: $0.value) }
      let found = (all.isEmpty ? [classes.values(of: field, about: nil)] : all).flatMap(\.found)
      if all.contains(where: { !$0.isComplete }) { gaps.append("no example of \(field.name) is known that decides it") }
      let classes = Representatives(
        policy: slice, field: field, demands: demands.filter { $0.field == field.name }.map(\.value),
        days: days, source: facts)
      return (field: field.name, values: classes.first(of: found, within: budget))
    }
    guard values.allSatisfy({ $0.values != nil }) else { return nil }
    let emails: [String?] = components.contains(.email) ? classes.addresses(at: patterns) : [nil]
    let table = StepTable(
      policy: slice, components: components, emails: emails, values: values.map { ($0.field, $0.values ?? []) })
    guard let steps = table.steps() else { return nil }
    let requests = Requests(policy: slice, samples: ProofSamples(slice, at: now, using: facts), source: facts)
    let search = Search(
      requests: requests, steps: steps.filter { !without.contains($0.transition) }, days: days, budget: budget)
    var starts = [Situation(account: nil, day: 0)]
    if fromAny {
      starts += table.storedAccounts().map { Situation(account: $0, day: 0) }
      guard starts.count <= Self.mostStarts else { return nil }
    }
    return Setting(search: search, starts: starts, days: days, gaps: gaps)
  }

  private static let mostStarts = 5000
  static let tooMany = ProofAnswer.Verdict.unknown("too many classes")
}

extension StepTable {
  /// Accounts in every state that could be stored, whether or not a door would let it in.
  func storedAccounts() -> [Account] {
    var accounts = [Account(hasPassword: true), Account()]
    func each<Value>(_ values: [Value], _ change: (inout Account, Value) -> Void) {
      accounts = accounts.flatMap { account in
        values.map { value in
          var account = account
          change(&account, value)
          return account
        }
      }
    }
    each([true, false]) { $0.isOpenEntry = $1 }
    each(components.contains(.email) ? emails : [Samples.email(policy)]) { $0.email = $1 }
    if components.contains(.email) {
      accounts =
        accounts.flatMap { account in
          var proven = account
          proven.emailVerified = true
          return [account, proven]
        } + [Account(hasPassword: true)]
    }
    if components.contains(.password) { each([true, false]) { $0.mustChangePassword = $1 } }
    for (field, values) in values where accounts.count <= 5000 {
      each(values.filter { $0 != .null }) { $0.profile[field] = $1 }
    }
    for provider in policy.providers where components.contains(.link(provider.name)) {
      each([nil, [], provider.scopes]) { $0.links[provider.name] = $1 }
    }
    return accounts
  }
}
