import Foundation
import GatehousePolicy
import Testing

@testable import GatehousePolicyFile

@Suite struct ExactDiffTests {
  struct Edit: Sendable, CustomTestStringConvertible {
    let before: String
    let after: String
    var testDescription: String { "\(before) → \(after)" }
  }

  private static func changes(_ edit: Edit, now: Date = Proofs.today) throws -> [PolicyChange] {
    PolicyFile.diff(try read(Proofs.text(edit.before)), try read(Proofs.text(edit.after)), now: now)
  }

  static let same = [
    Edit(
      before: "identifiers: {email: {allowed_domains: [ksu.edu, \"*.ksu.edu\"], denied_domains: [\"*.ksu.edu\"]}}",
      after: "identifiers: {email: {allowed_domains: [ksu.edu]}}"),
    Edit(
      before: "identifiers: {email: {allowed_domains: [ksu.edu]}}",
      after: "identifiers: {email: {allowed_domains: [ksu.edu, \"*.ksu.edu\"], denied_domains: [\"*.ksu.edu\"]}}"),
    Edit(
      before: "password: {rules: [{id: min8, min_length: 8}, {id: min10, min_length: 10}]}",
      after: "password: {rules: [{id: min10, min_length: 10}]}"),
    Edit(
      before:
        "password: {rules: [{id: not_personal, not_containing: [email, name]}]}\nprofile: {fields: {name: {type: string}}}",
      after:
        "password: {rules: [{id: not_email, not_containing: [email]}, {id: not_name, not_containing: [name]}]}\nprofile: {fields: {name: {type: string}}}"
    ),
    Edit(
      before: "identifiers: {email: {allowed_domains: [a.example, b.example]}}",
      after: "identifiers: {email: {allowed_domains: [b.example, a.example]}}"),
    Edit(
      before: "password: {rules: [{id: min8, min_length: 8, enforce: warn, enforce_from: 2026-01-01}]}",
      after: "password: {rules: [{id: min8, min_length: 8}]}"),
    Edit(
      before: "access: {full: {requires: [{need: email_verified, enforce: warn, enforce_from: 2026-01-01}]}}",
      after: "access: {full: {requires: [email_verified]}}"),
    Edit(
      before: "profile: {fields: {team: {type: enum, values: [a, b]}}}",
      after: "profile: {fields: {team: {type: enum, values: [b, a]}}}"),
    Edit(
      before: "profile: {fields: {code: {type: string, charset: \"a-z0-9\"}}}",
      after: "profile: {fields: {code: {type: string, charset: \"0-9a-mn-z\"}}}"),
    Edit(
      before: "identifiers: {email: {allowed_domains: [mail.ksu.edu, \"*.ksu.edu\"]}}",
      after: "identifiers: {email: {allowed_domains: [\"*.ksu.edu\"]}}"),
  ]

  @Test(arguments: same) func anEditThatMeansTheSameIsNeutral(_ edit: Edit) throws {
    let changes = try Self.changes(edit)
    #expect(!changes.isEmpty)
    #expect(changes.allSatisfy { $0.relation == .neutral }, "\(changes.map(\.told))")
  }

  static let weaker = [
    Edit(
      before: "identifiers: {email: {allowed_domains: [ksu.edu]}}",
      after: "identifiers: {email: {allowed_domains: [ksu.edu, \"*.ksu.edu\"]}}"),
    Edit(
      before: "identifiers: {email: {deny_subaddress: true}}", after: "identifiers: {email: {normalize: lowercase}}"),
    Edit(
      before: "password: {rules: [{id: min8, min_length: 8}, {id: min10, min_length: 10}]}",
      after: "password: {rules: [{id: min8, min_length: 8}]}"),
    Edit(
      before: "password: {rules: [{id: listed, not_in: common}]}",
      after: "password: {rules: [{id: listed, not_in: common, enforce: warn, enforce_from: 2027-01-01}]}"),
    Edit(
      before: "password: {rules: [{id: strong, min_strength: 3}]}",
      after: "password: {rules: [{id: strong, min_strength: 2}]}"),
    Edit(
      before: "profile: {fields: {year: {type: integer, max: 4}}}",
      after: "profile: {fields: {year: {type: integer, max: 5}}}"),
    Edit(
      before: "profile: {fields: {code: {type: string, charset: \"a-z\"}}}",
      after: "profile: {fields: {code: {type: string, charset: \"a-z_\"}}}"),
    Edit(
      before: "profile: {fields: {code: {type: string, reserved: [admin]}}}",
      after: "profile: {fields: {code: {type: string}}}"),
    Edit(
      before: "profile: {fields: {code: {type: string, reserved: [admin, root]}}}",
      after: "profile: {fields: {code: {type: string, reserved: [admin]}}}"),
    Edit(
      before: "access: {full: {requires: [email_verified]}}", after: "access: {full: {requires: []}}"),
    Edit(
      before: "profile: {fields: {team: {type: string, max_length: 9, required: true}}}",
      after: "profile: {fields: {team: {type: string, max_length: 9, required: {value: true, doors: [sign_up]}}}}"),
  ]

  @Test(arguments: weaker) func aWeakerEditHasAnExample(_ edit: Edit) throws {
    let changes = try Self.changes(edit)
    let found = changes.filter { $0.relation == .weaker }
    #expect(found.contains { $0.remark?.hasPrefix("for example: ") == true }, "\(changes)")
  }

  @Test(arguments: weaker) func theSameEditBackwardsIsNotWeaker(_ edit: Edit) throws {
    let changes = try Self.changes(Edit(before: edit.after, after: edit.before))
    #expect(changes.allSatisfy { [.stricter, .neutral].contains($0.relation) }, "\(changes.map(\.told))")
    #expect(changes.contains { $0.relation == .stricter })
  }

  @Test func theExampleNamesDoorAddressAndRule() throws {
    let changes = try Self.changes(Self.weaker[0])
    #expect(
      changes.first?.told.hasSuffix(
        "for example: sign_up w@mail.ksu.edu was refused by email.allowed_domains, is now allowed") == true)
  }

  @Test func rangesThatGainAndLoseACharacterAreIncomparable() throws {
    let changes = try Self.changes(
      Edit(
        before: "profile: {fields: {code: {type: string, charset: \"c-z\"}}}",
        after: "profile: {fields: {code: {type: string, charset: \"ad-z\"}}}"))
    #expect(changes.map(\.relation) == [.incomparable], "\(changes.map(\.told))")
  }

  /// A policy that warns of short passwords, and one that does not.
  private static let warned = Edit(
    before: "password: {rules: [{id: min8, min_length: 8}, {id: min10, min_length: 10, enforce: warn}]}",
    after: "password: {rules: [{id: min8, min_length: 8}]}")

  @Test func aWarningLessIsNotTheSame() throws {
    let changes = try Self.changes(Self.warned)
    #expect(!changes.isEmpty && changes.allSatisfy { $0.remark?.contains("it means the same") != true }, "\(changes)")
  }

  @Test func aWarningLessRefutesNoComparison() throws {
    let old = try read(Proofs.text(Self.warned.before))
    let file = try read(Proofs.text(Self.warned.after + "\nalways: [{name: no weaker, not_weaker_than: live}]"))
    let answers = Prover.answers(file, using: SmallLists(), now: Proofs.today) { _ in old }
    #expect(answers.map(\.verdict.word) == ["proved"], "\(answers.map(\.sentence))")
  }

  @Test func aKeyThatNoRequestShowsKeepsItsDirection() throws {
    let changes = try Self.changes(Edit(before: "sessions: {reuse_grace: 10s}", after: "sessions: {reuse_grace: 30s}"))
    #expect(changes.map(\.relation) == [.weaker])
    #expect(changes.first?.remark == nil)
  }

  @Test func whatIsTooLargeKeepsItsDirection() throws {
    func rules(_ bound: Int) -> String {
      "password: {rules: ["
        + (0..<12).map { "{id: r\($0), min_length: \(bound + 3 * $0)}" }.joined(separator: ", ") + "]}"
    }
    let changes = try Self.changes(Edit(before: rules(9), after: rules(8)))
    #expect(changes.allSatisfy { $0.relation == .weaker && $0.remark == nil })
  }

  @Test func whatIsCalledStricterByItsKeysIsNeverCalledWeaker() throws {
    for path in PoliciesTests.paths {
      let base = try read(String(decoding: try Repository.bytes(path), as: UTF8.self))
      for mutant in Mutants(base).all.enumerated().filter({ $0.offset % 15 == 0 }).map(\.element) {
        let other = PolicyFile(
          name: base.name, document: base.document, policy: mutant.policy, tests: [], statements: [])
        let declared = PolicyFile.declaredDiff(other, base)
        let judged = PolicyFile.diff(other, base)
        for (before, after) in zip(declared, judged) where before.relation == .stricter {
          #expect([.stricter, .neutral].contains(after.relation), "\(mutant.subject) \(mutant.change): \(after.told)")
        }
      }
    }
  }

  @Test(arguments: [
    ("identifiers: {email: {allowed_domains: [ksu.edu, a.example]}}", "refuted"),
    ("identifiers: {email: {allowed_domains: [ksu.edu]}}", "proved"),
  ])
  func aStatementComparesWithARevision(_ sections: String, _ verdict: String) throws {
    let old = try read(Proofs.text("identifiers: {email: {allowed_domains: [ksu.edu]}}"))
    let file = try read(Proofs.text(sections + "\nalways: [{name: no weaker, not_weaker_than: live}]"))
    let here = Prover.answers(file, using: SmallLists(), now: Proofs.today) { _ in old }
    #expect(here.map(\.verdict.word) == [verdict])
    #expect(Prover.answers(file, using: SmallLists(), now: Proofs.today).map(\.verdict.word) == ["unknown"])
  }

  /// Edits with a request that a test can state: lists and estimates are not at its hand.
  static let stated = weaker.filter { !$0.before.contains("not_in") && !$0.before.contains("min_strength") }

  @Test(arguments: stated) func aRefutedComparisonPrintsATestThatTheRevisionPassesAndTheFileFails(_ edit: Edit) throws {
    let old = try read(Proofs.text(edit.before))
    let statement = "\nalways: [{name: no weaker, not_weaker_than: live}]"
    let file = try read(Proofs.text(edit.after + statement))
    let answer = try #require(Prover.answers(file, using: SmallLists(), now: Proofs.today) { _ in old }.first)
    let refutation = try #require(Proofs.refutation(answer), "\(answer.sentence)")
    let test = try #require(refutation.test, "\(answer.sentence)")
    func failures(_ sections: String) throws -> Int {
      let file = try read(Proofs.text(sections + "\ntests:\n  " + test))
      return PolicyTests.run(file, using: SmallLists()).count { !$0.passed }
    }
    #expect(try failures(edit.after) == 1, "\(test)")
    #expect(try failures(edit.before) == 0, "\(test)")
  }
}
