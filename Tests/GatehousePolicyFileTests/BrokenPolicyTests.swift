import Foundation
import GatehousePolicy
import Testing

@testable import GatehousePolicyFile

/// A policy that its tests cover as an author would, and edits that they do not notice.
@Suite struct BrokenPolicyTests {
  static let sections = """
    identifiers: {email: {max_length: 200, allowed_domains: [ksu.edu]}}
    access: {full: {requires: [email_verified, "profile:chapter"]}}
    providers: {password: {use: sign_in}, google: {use: sign_in, client_id: abc}}
    profile:
      fields:
        team: {type: enum, values: [red, blue], required: true}
        phone: {type: phone, region: US, check: length}
        year: {type: integer, min: 1, max: 4}
        chapter: {type: string, max_length: 9, write: user}
        role: {type: enum, values: [admin, member], default: member, write: admin}
    admins: {when: {role: admin}, may: [list_users]}
    always:
      - {name: outsiders never get in, never: {access: full, email: {outside: [ksu.edu]}}}
      - {name: full access needs a proven address, never: {access: full, email_verified: false}}
      - {name: nobody makes themselves admin, never: {admin: true, by: user}}
      - {name: phones are E.164, never: {stored: {phone: {not: e164}}}}
      - {name: everyone has a team, never: {access: full, stored: {team: {absent: true}}}}
      - {name: years are one to four, never: {stored: {year: {outside: [1, 2, 3, 4]}}}}
      - {name: nobody is stranded, every: signed_up, can: sign_in}
      - {name: a password can be reset, every: signed_up, can: reset_password}
      - {name: full access can be reached, every: signed_up, can_reach: {access: full}}
    tests_at: 2027-06-01
    """

  static let tests = """
    tests:
      - name: a person signs up
        sign_up: {email: W@ksu.edu, password: Tallgrass-2031, profile: {team: red, phone: "+17855550123"}}
        expect: {ok: true, stored: {email: w@ksu.edu, profile: {phone: "+17855550123", role: member}}}
      - name: look-alikes stay outside
        each: [w@ksu.edu.example.com, w@notksu.edu, w@gmail.com]
        sign_up: {email: $each, password: Tallgrass-2031, profile: {team: red}}
        expect: {violations: [email.allowed_domains]}
      - {name: seven characters, set_password: {password: Tr4-vel}, expect: {violations: [password.min8]}}
      - name: a team is needed
        sign_up: {email: w@ksu.edu, password: Tallgrass-2031}
        expect: {violations: [team.required]}
      - {name: nobody promotes themselves, update_profile: {set: {role: admin}}, expect: {violations: [role.write]}}
      - name: no fifth year
        sign_up: {email: w@ksu.edu, password: Tallgrass-2031, profile: {team: red, year: 5}}
        expect: {violations: [year.max]}
      - {name: unproven, given: {email_verified: false}, expect: {access: limited}}
      - {name: proven, given: {email_verified: true, profile: {chapter: A}}, expect: {access: full}}
      - {name: an admin, update_profile: {as: admin, set: {role: admin}}, expect: {ok: true}}
    """

  struct Edit: Sendable, CustomTestStringConvertible {
    let before: String
    let after: String
    let statement: String
    var testDescription: String { after }
  }

  static let edits = [
    Edit(
      before: "allowed_domains: [ksu.edu]", after: "allowed_domains: [ksu.edu, \"*.ksu.edu\"]",
      statement: "outsiders never get in"),
    Edit(
      before: "allowed_domains: [ksu.edu]",
      after: "allowed_domains: {value: [ksu.edu], doors: [sign_up, federated_sign_up, admin_create, invite, import]}",
      statement: "outsiders never get in"),
    Edit(
      before: "allowed_domains: [ksu.edu]",
      after: "allowed_domains: {value: [ksu.edu], doors: [sign_up, change_email]}",
      statement: "outsiders never get in"),
    Edit(
      before: "allowed_domains: [ksu.edu]",
      after: "allowed_domains: {value: [ksu.edu], enforce: warn, enforce_from: 2027-03-01}",
      statement: "outsiders never get in"),
    Edit(
      before: "requires: [email_verified, ",
      after: "requires: [{need: email_verified, enforce: warn, enforce_from: 2027-03-01}, ",
      statement: "full access needs a proven address"),
    Edit(before: "when: {role: admin}", after: "when: {role: member}", statement: "nobody makes themselves admin"),
    Edit(
      before: "phone: {type: phone, region: US, check: length}", after: "phone: {type: string, max_length: 20}",
      statement: "phones are E.164"),
    Edit(
      before: "required: true}", after: "required: {value: true, doors: [sign_up]}}",
      statement: "everyone has a team"),
    Edit(before: "max: 4}", after: "max: {value: 4, doors: [sign_up]}}", statement: "years are one to four"),
    Edit(
      before: "allowed_domains: [ksu.edu]",
      after: "allowed_domains: [ksu.edu], denied_domains: {value: [ksu.edu], doors: [reset_password]}",
      statement: "a password can be reset"),
    Edit(
      before: "max_length: 9, write: user}", after: "max_length: 9, write: admin}",
      statement: "full access can be reached"),
  ]

  private static func answers(_ sections: String) throws -> [ProofAnswer] {
    Prover.answers(try read(Proofs.text(sections + "\n" + tests)), using: SmallLists(), now: Proofs.today)
  }

  /// The sections after an edit.
  private static func broken(_ edit: Edit) throws -> String {
    let text = sections.replacing(edit.before, with: edit.after)
    try #require(text != sections)
    return text
  }

  private static func failures(_ sections: String, _ tests: String) throws -> Int {
    let file = try read(Proofs.text(sections + "\n" + tests))
    return PolicyTests.run(file, using: SmallLists()).count { !$0.passed }
  }

  @Test func theUnbrokenPolicyIsProved() throws {
    let answers = try Self.answers(Self.sections)
    #expect(answers.count == 9 && answers.allSatisfy { $0.verdict.word == "proved" }, "\(answers.map(\.sentence))")
  }

  @Test(arguments: edits) func theTestsDoNotNotice(_ edit: Edit) throws {
    #expect(try Self.failures(try Self.broken(edit), Self.tests) == 0)
  }

  @Test(arguments: edits) func aStatementIsRefutedByATestThatFailsThenAndPassedBefore(_ edit: Edit) throws {
    let broken = try Self.broken(edit)
    let answer = try #require(try Self.answers(broken).first { $0.name == edit.statement })
    let refutation = try #require(Proofs.refutation(answer), "\(answer.sentence)")
    let test = try #require(refutation.test)
    let added = Self.tests + "\n  " + test
    #expect(try Self.failures(broken, added) == 1, "\(test)")
    #expect(try Self.failures(Self.sections, added) == 0, "\(test)")
  }
}
