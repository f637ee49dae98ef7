import Foundation
import GatehousePolicy
import GatehouseTesting
import Testing

@testable import GatehousePolicyFile

@Suite("What the diff promises")
struct DiffSoundnessTests {
  /// How many pairs are judged for each file; `script/prove classes` judges more.
  private static let count = ProcessInfo.processInfo.environment["GATEHOUSE_DIFF_PAIRS"].flatMap { Int($0) } ?? 30

  private static let instants = ["2026-12-01", "2027-02-28", "2027-03-01", "2027-06-01", "2028-01-01"]

  private func file(_ base: PolicyFile, _ policy: Policy) -> PolicyFile {
    PolicyFile(name: base.name, document: base.document, policy: policy, tests: [], statements: [])
  }

  /// A policy, everything one slip makes of it, and what a second slip makes of some of that.
  private func pool(_ base: PolicyFile, _ random: inout SeededGenerator) -> [PolicyFile] {
    let first = Mutants(base).all.map { file(base, $0.policy) }
    let second = first.shuffled(using: &random).prefix(6).flatMap { one in
      Mutants(one).all.shuffled(using: &random).prefix(12).map { file(base, $0.policy) }
    }
    return [base] + first + second
  }

  /// Pairs a few slips apart, in either order: a policy and a slip of it, of that another, of that a third.
  private func pairs(_ base: PolicyFile, _ count: Int, _ random: inout SeededGenerator) -> [(PolicyFile, PolicyFile)] {
    let first = Mutants(base).all
    return (0..<count).map { index in
      var (old, new) = (base, file(base, first[Int.random(in: 0..<first.count, using: &random)].policy))
      for _ in 0..<index % 3 {
        let next = Mutants(new).all
        // The older policy stays, so that slips add up, or moves along.
        if Bool.random(using: &random) { old = new }
        new = file(base, next[Int.random(in: 0..<next.count, using: &random)].policy)
      }
      return Bool.random(using: &random) ? (old, new) : (new, old)
    }
  }

  private static var bases: [String] {
    get throws {
      let head = "schema: gatehouse/policy.v1\ntenant: acme\napp: {name: Acme}\n"
      return try PoliciesTests.paths.map { String(decoding: try Repository.bytes($0), as: UTF8.self) }
        + [head + MutationTests.sections]
    }
  }

  /// Random search: where every change is stricter or neutral, the old policy admitted each user whom the new one
  /// admits and gave full access to each user to whom the new one gives it; where every change is weaker or neutral,
  /// the other way round.
  @Test("stricter admits nothing new, weaker refuses nothing more", arguments: 0..<4)
  func sound(index: Int) throws {
    var random = SeededGenerator()
    let base = try read(try Self.bases[index])
    var judged = (stricter: 0, weaker: 0)
    for (old, new) in pairs(base, Self.count, &random) {
      let changes = PolicyFile.diff(old, new)
      let isStricter = changes.allSatisfy { [.neutral, .stricter].contains($0.relation) }
      let isWeaker = changes.allSatisfy { [.neutral, .weaker].contains($0.relation) }
      guard isStricter || isWeaker else { continue }
      if isStricter { judged.stricter += 1 }
      if isWeaker { judged.weaker += 1 }
      for _ in 0..<40 {
        let door = Door.allCases[Int.random(in: 0..<Door.allCases.count, using: &random)]
        let facts = RandomUsers.facts(old.policy, at: door, &random)
        let instant = date(Self.instants[Int.random(in: 0..<Self.instants.count, using: &random)])
        let before = old.policy.decide(door, facts, at: instant, using: SmallLists())
        let after = new.policy.decide(door, facts, at: instant, using: SmallLists())
        func said() -> Testing.Comment {
          "seed \(SeededGenerator.seed): \(changes.map { "\($0.relation) \($0.sentence)" }) at \(door) \(instant) \(facts)"
        }
        if isStricter { #expect(!after.allow || before.allow, said()) }
        if isWeaker { #expect(!before.allow || after.allow, said()) }
        guard door == .signIn else { continue }
        if isStricter { #expect(after.access != .full || before.access == .full, said()) }
        if isWeaker { #expect(before.access != .full || after.access == .full, said()) }
      }
    }
    #expect(judged.stricter > 5 && judged.weaker > 5, "seed \(SeededGenerator.seed) \(judged)")
  }

  /// The negative control of the search: were a looser policy called stricter, some random person would show it.
  @Test("the search would find a false claim")
  func negativeControl() throws {
    var random = SeededGenerator(seed: 7)
    let base = try read(try Self.bases[1])
    var found = 0
    for mutant in Mutants(base).all {
      for _ in 0..<60 {
        let door = Door.allCases[Int.random(in: 0..<Door.allCases.count, using: &random)]
        let facts = RandomUsers.facts(base.policy, at: door, &random)
        let instant = date("2026-12-01")
        let before = base.policy.decide(door, facts, at: instant, using: SmallLists()).allow
        if mutant.policy.decide(door, facts, at: instant, using: SmallLists()).allow, !before { found += 1 }
      }
    }
    #expect(found > 5)
  }

  @Test("loosening anything is never called stricter or the same", arguments: 0..<4)
  func loosened(index: Int) throws {
    let base = try read(try Self.bases[index])
    // Each second, of all where the proof is long.
    let stride = Self.count > 30 ? 1 : 2
    for mutant in Mutants(base).all.enumerated().filter({ $0.offset % stride == 0 }).map(\.element) {
      let other = PolicyFile(name: base.name, document: base.document, policy: mutant.policy, tests: [], statements: [])
      let changes = PolicyFile.diff(base, other)
      let what: Testing.Comment =
        "\(mutant.subject): \(mutant.change) → \(changes.map { "\($0.relation) \($0.sentence)" })"
      #expect(!changes.isEmpty, what)
      // A warning without a date that goes away, or one that is late, admits no more; one exception less is stricter.
      let isHarmless = mutant.subject.hasPrefix("exceptions.") || mutant.policy.bindsAs(base.policy)
      if !isHarmless { #expect(changes.contains { [.weaker, .incomparable].contains($0.relation) }, what) }
    }
  }

  @Test("a policy and itself do not differ; two that differ in canonical form do", arguments: 0..<4)
  func reflexive(index: Int) throws {
    var random = SeededGenerator()
    let pool = pool(try read(try Self.bases[index]), &random)
    for file in pool { #expect(PolicyFile.declaredDiff(file, file).isEmpty, "seed \(SeededGenerator.seed)") }
    for _ in 0..<80 {
      let old = pool[Int.random(in: 0..<pool.count, using: &random)]
      let new = pool[Int.random(in: 0..<pool.count, using: &random)]
      let isSame = old.policy.canonicalJSON == new.policy.canonicalJSON
      #expect(PolicyFile.declaredDiff(old, new).isEmpty == isSame, "seed \(SeededGenerator.seed)")
      let back = PolicyFile.declaredDiff(new, old)
      for change in PolicyFile.declaredDiff(old, new) where change.relation == .stricter {
        #expect(
          back.contains { $0.subject == change.subject && $0.relation != .stricter },
          "seed \(SeededGenerator.seed) \(change)")
      }
    }
  }

  @Test(
    "what once slipped through has its sentence",
    arguments: [
      // An exception that is written twice counts until the later day.
      (
        "exceptions: [{email: a@b.example, rule: password.min8, until: 2026-12-01, reason: x}]",
        "exceptions: [{email: a@b.example, rule: password.min8, until: 2026-12-01, reason: x}, {email: A@b.example, rule: password.min8, until: 2027-12-01, reason: x}]",
        Relation.weaker
      ),
      (
        "exceptions: [{email: a@b.example, rule: password.min8, until: 2026-12-01, reason: x}]",
        "exceptions: [{email: a@b.example, rule: password.min8, until: 2026-12-01, reason: y}]", .neutral
      ),
      (
        "access: {full: {requires: [email_verified, \"profile:n\"]}}",
        "access: {full: {requires: [\"profile:n\", email_verified]}}", .neutral
      ),
      (
        "admins: {when: {r: true}, may: [list_users, disable]}",
        "admins: {when: {r: true}, may: [disable, list_users]}", nil
      ),
      ("sessions: {new_device_notice: false}", "sessions: {new_device_notice: true}", .stricter),
      (
        "providers: {spotify: {use: link, tokens: {store: encrypted}}}",
        "providers: {spotify: {use: link, tokens: {store: encrypted, keep_warm: true}}}", .neutral
      ),
      ("sessions: {reuse_grace: 30s}", "sessions: {reuse_grace: 10s}", .stricter),
    ] as [(String, String, Relation?)])
  func sentences(before: String, after: String, relation: Relation?) throws {
    let fields = "profile: {fields: {n: {type: string}, r: {type: boolean, write: admin}}}\n"
    let changes = PolicyFile.diff(
      try read(ReadingTests.base + fields + before), try read(ReadingTests.base + fields + after))
    #expect(changes.map(\.relation) == (relation.map { [$0] } ?? []), "\(changes)")
  }

  @Test("rules in another order mean the same and are named")
  func order() throws {
    let rules = ["{id: min8, min_length: 8}", "{id: digit, require: digit}", "{id: upper, require: uppercase}"]
    func file(_ rules: [String]) throws -> PolicyFile {
      try read(ReadingTests.base.replacing("{id: min8, min_length: 8}", with: rules.joined(separator: ", ")))
    }
    let changes = PolicyFile.diff(try file(rules), try file(rules.reversed()))
    #expect(changes.map(\.subject) == ["password.rules"] && changes.map(\.relation) == [.neutral])
  }
}

extension Policy {
  /// Whether nothing but warnings without a date tells both apart.
  fileprivate func bindsAs(_ other: Policy) -> Bool {
    func rules(_ policy: Policy) -> [Rule] {
      policy.password.rules.filter { $0.enforcement.mode == .enforce || $0.enforcement.from != nil }
    }
    var one = self
    var two = other
    // `no rule binds at sign_in` touches the doors of all; there only warnings are looked at.
    one.password.rules = rules(self).map { $0.atSignIn }
    two.password.rules = rules(other).map { $0.atSignIn }
    return one == two
  }
}

extension Rule {
  fileprivate var atSignIn: Rule {
    var rule = self
    rule.doors.insert(DoorSet([.signIn]))
    return rule
  }
}
