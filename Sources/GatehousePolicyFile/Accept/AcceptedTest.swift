import GatehousePolicy

/// Why a test is left alone.
struct Unacceptable: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// The new expectation of a failing test, with which it holds for the decision of the policy.
struct AcceptedTest {
  /// A value of the expectation, before and after.
  struct Change {
    /// The name in `TestResult.Difference`.
    let what: String
    let old: AcceptedValue
    let new: AcceptedValue
  }

  let changes: [Change]
  /// The difference in words.
  let sentences: [String]
  /// Whether the new expectation lets through a request whose refusal the old one demanded.
  let isWeaker: Bool

  private typealias Run = (one: PolicyFileTest.Case, outcome: Outcome, failing: [String])

  /// - Parameter judgements: Of each case of the test.
  /// - Throws: why the test is left alone.
  init(_ test: PolicyFileTest, _ judgements: [PolicyTests.Judgement], listRules: Set<String>) throws(Unacceptable) {
    var runs: [Run] = []
    for (one, judgement) in zip(test.cases, judgements) {
      switch judgement {
      case .dependsOnDate(let day):
        throw Unacceptable("its outcome changes around \(day); say by at: which day is meant")
      case .decided(let outcome, let differences): runs.append((one, outcome, differences.map(\.what)))
      }
    }
    try Self.demandLists(runs.map(\.outcome.decision), listRules)
    var changes: [Change] = []
    var sentences: [String] = []
    var isWeaker = false
    for what in Self.failing(runs) {
      guard let change = try Self.change(what, runs, test.expectNode) else { continue }
      let failed = runs.filter { $0.failing.contains(what) }.map(\.outcome.decision)
      changes.append(change)
      sentences += Self.words(change, failed)
      isWeaker = isWeaker || failed.contains { change.new.isWeaker(than: change.old, what, $0) }
    }
    (self.changes, self.sentences, self.isWeaker) = (changes, sentences, isWeaker)
  }

  /// Without its list a rule refuses, which says nothing of the policy.
  private static func demandLists(_ decisions: [Decision], _ rules: Set<String>) throws(Unacceptable) {
    for entry in decisions.lazy.flatMap(\.trace) where entry.verdict == .undecidable && rules.contains(entry.rule) {
      throw Unacceptable("the list that \(entry.rule) asks is not here")
    }
  }

  /// The expectations that one member or more does not meet, in the order of a report.
  private static func failing(_ runs: [Run]) -> [String] {
    var seen: Set<String> = []
    return runs.flatMap(\.failing).filter { seen.insert($0).inserted }
  }

  private static func change(_ what: String, _ runs: [Run], _ written: Node) throws(Unacceptable) -> Change? {
    var found: [(member: String?, old: AcceptedValue, new: AcceptedValue)] = []
    for run in runs {
      guard let old = AcceptedValue(what, of: run.one.expect) else { return nil }
      // For a member that passes, what stands there holds.
      let new = try run.failing.contains(what) ? old.accepting(what, run.outcome) : old
      found.append((run.one.member, old, new))
    }
    guard let first = found.first else { return nil }
    if found.contains(where: { $0.new != first.new }) {
      throw Unacceptable("its members disagree about \(what): " + byValue(found.map { ($0.member ?? "", $0.new) }))
    }
    if ExpectationEdits.entry(what, in: written)?.value.mentionsEach ?? false {
      throw Unacceptable("\(what) is written with $each")
    }
    return Change(what: what, old: first.old, new: first.new)
  }
}

// In words.
extension AcceptedTest {
  /// How many rules are named, how many values that members disagree about, and how many members of each.
  private static let named = 5

  /// `true for "abcdefgh1"; false for "abc"`.
  private static func byValue(_ members: [(name: String, value: AcceptedValue)]) -> String {
    var values: [(value: AcceptedValue, members: [String])] = []
    for member in members {
      if let index = values.firstIndex(where: { $0.value == member.value }) {
        values[index].members.append(member.name)
      } else {
        values.append((member.value, [member.name]))
      }
    }
    let shown = values.prefix(named).map {
      "\($0.value.shown) for " + enumerated($0.members.map { String($0.prefix(80)) })
    }
    return (shown + (values.count > named ? ["and \(values.count - named) more values"] : [])).joined(separator: "; ")
  }

  /// The first of several, and how many more there are.
  private static func enumerated(_ names: [String]) -> String {
    names.prefix(named).joined(separator: ", ") + (names.count > named ? " and \(names.count - named) more" : "")
  }

  /// A value's name in a sentence, always more than one thing where it is a list.
  static func name(of what: String) -> String { what == "next" ? "next steps" : what }

  private static func words(_ change: Change, _ decisions: [Decision]) -> [String] {
    let name = name(of: change.what)
    switch (change.old, change.new) {
    case (.truth, .truth(let isAdministrator)) where change.what == "admin":
      return [isAdministrator ? "was no administrator, is now one" : "was an administrator, is now none"]
    case (.truth, .truth(let isAllowed)):
      return [isAllowed ? "was refused, is now allowed" : "was allowed, is now refused" + by(decisions)]
    case (.ids(.containing(let includes, let excludes)), .ids(.containing(let nowIncluded, let nowExcluded))):
      let gone = includes.filter { !nowIncluded.contains($0) }
      let come = excludes.filter { !nowExcluded.contains($0) }
      return (gone.isEmpty ? [] : ["\(name) no longer include \(ExpectedIDs.list(gone))"])
        + (come.isEmpty ? [] : ["\(name) now include \(ExpectedIDs.list(come)), which they excluded"])
    case (.ids(.containing(let includes, _)), .ids(.exactly)):
      return ["\(name) included \(ExpectedIDs.list(includes)), are now \(change.new.shown)"]
    case (.ids, .ids): return ["\(name) were \(change.old.shown), are now \(change.new.shown)"]
    default: return ["\(name) was \(change.old.shown), is now \(change.new.shown)"]
    }
  }

  private static func by(_ decisions: [Decision]) -> String {
    var seen: Set<String> = []
    let rules = decisions.flatMap { $0.ids("violations") }.filter { seen.insert($0).inserted }
    return rules.isEmpty ? "" : " by " + enumerated(rules)
  }
}

extension AcceptedValue {
  /// The text in a sentence.
  var shown: String {
    switch self {
    case .truth(let flag): "\(flag)"
    case .access(let access): access.rawValue
    case .ids(let ids): ids.shown
    case .text(let text): quoted(text)
    case .field(let value): value.shown
    }
  }
}
