import Foundation
import GatehousePolicy
import GatehousePolicyFile
import Testing

@Suite("Tests in the file that start from a user")
struct TestUsersTests {
  static let policy = """
    schema: gatehouse/policy.v1
    tenant: acme
    app: {name: Acme}
    password:
      rules:
        - {id: min8, min_length: 8}
        - {id: min12, min_length: 12, enforce: warn, enforce_from: 2027-03-01}
        - {id: digit, require: digit}
        - {id: own, not_containing: [email, name]}
    profile:
      unknown_fields: reject
      fields:
        name: {type: string, required: true}
        city: {type: string, required: true}
    users:
      alex: {email: alex@example.com, password: correct horse 7, profile: {name: Alex, city: Ely}}
      sam: {email: sam@example.com, password: short, profile: {name: Sam}}

    """

  /// Whether one test holds, whose door and expectation these are.
  private func holds(_ test: String, in policy: String = policy) throws -> Bool {
    let results = PolicyTests.run(try read(policy + "tests:\n  - {name: one, \(test)}\n"), using: SmallLists())
    try #require(results.count >= 1)
    return results.allSatisfy(\.passed)
  }

  @Test(
    "what the test states wins, key by key and profile field by field, and null leaves a value out",
    arguments: [
      ("sign_up: {as: alex}", "stored: {email: alex@example.com, profile: {name: Alex, city: Ely}}"),
      ("sign_up: {as: alex}", "ok: true, violations: []"),
      ("sign_up: {as: alex, email: w@gmail.com}", "stored: {email: w@gmail.com, profile: {name: Alex}}"),
      ("sign_up: {as: alex, profile: {city: Rome}}", "stored: {profile: {name: Alex, city: Rome}}"),
      ("sign_up: {as: alex, password: null}", "violations: [password.required]"),
      ("sign_up: {as: alex, email: null}", "violations: [email.required]"),
      ("sign_up: {as: alex, profile: {city: null}}", "violations: [city.required]"),
      ("sign_up: {as: sam}", "violations: [password.min8, password.digit, city.required]"),
      ("admin_create: {as: sam, password: null}", "violations: [city.required]"),
      ("admin_create: {as: sam}", "violations: [password.min8, password.digit, city.required]"),
      ("import: {as: alex}", "ok: true, stored: {email: alex@example.com, profile: {city: Ely}}"),
      ("invite: {as: alex, email: no}", "violations: [email.syntax]"),
    ])
  func merged(door: String, expect: String) throws {
    #expect(try holds("at: 2027-01-01, \(door), expect: {\(expect)}"))
  }

  @Test(
    "a stored account starts from a user, who signs in with the user's password",
    arguments: [
      ("given: {as: sam}", "warnings: [password.min12]"),
      ("given: {as: sam, password: correct horse 7}", "warnings: []"),
      ("given: {as: alex}, set_password: {password: I am Alex 7}", "violations: [password.own]"),
      ("given: {as: alex}, set_password: {password: I am Zoe 7}", "violations: []"),
      ("given: {as: alex, profile: {name: Zoe}}, set_password: {password: I am Alex 7}", "violations: [password.own]"),
      (
        "given: {as: alex, profile: {name: Zoltan}}, set_password: {password: I am Zoltan 7}",
        "violations: [password.own]"
      ),
      (
        "given: {as: alex, email: zoe@example.com}, set_password: {password: I was alex 7}",
        "violations: [password.own]"
      ),
    ])
  func stored(door: String, expect: String) throws {
    #expect(try holds("at: 2027-01-01, \(door), expect: {\(expect)}"))
  }

  @Test("each user of a list is put in where $each stands")
  func eachUser() throws {
    #expect(try holds("each: [alex, sam], invite: {as: $each}, expect: {violations: []}"))
    #expect(try holds("each: [alex, sam], at: 2027-01-01, sign_up: {as: $each}, expect: {ok: true}") == false)
  }

  @Test("a user that is not there is one finding, however often the test runs")
  func unknown() throws {
    let found = findings(
      Self.policy
        + "tests:\n  - {name: a, each: [1, 2, 3], sign_up: {as: alec, password: $each}, expect: {ok: false}}\n")
    #expect(found.components(separatedBy: "error[").count == 2, "\(found)")
    #expect(found.contains("P0410") && found.contains(#"did you mean "alex"?"#))
  }

  @Test("no user of a policy has the name of a profile writer", arguments: ["user", "admin", "Alex", ""])
  func names(name: String) {
    #expect(findings(Self.policy.replacing("alex:", with: "\"\(name)\":")).contains("P0127"))
  }

  @Test("the day of the file is the day of every test without one")
  func day() throws {
    let test = "sign_up: {as: alex, password: horses 77}, expect: {ok: true}"
    let dated = Self.policy + "tests_at: 2027-02-28\n"
    #expect(try holds(test) == false, "the outcome changes at the date")
    #expect(try holds(test, in: dated))
    #expect(try holds("at: 2027-03-01, " + test, in: dated) == false)
  }

  @Test(
    "includes and excludes look at some ids and leave the others alone",
    arguments: [
      ("violations: {includes: [password.min8]}", true), ("violations: {includes: [city.required]}", true),
      ("violations: {includes: [password.digit, password.min8]}", true),
      ("violations: {includes: [name.required]}", false), ("violations: {includes: [\"password.*\"]}", true),
      ("violations: {includes: [\"name.*\"]}", false), ("violations: {excludes: [name.required]}", true),
      ("violations: {excludes: [password.min8]}", false), ("violations: {excludes: [\"city.*\"]}", false),
      ("violations: {includes: [city.required], excludes: [name.required]}", true),
      ("violations: {includes: [city.required], excludes: [password.min8]}", false),
      ("violations: [password.min8]", false),
      ("warnings: {excludes: [password.min8]}", true), ("next: {excludes: [verify_email]}", true),
    ])
  func parts(expect: String, outcome: Bool) throws {
    #expect(try holds("at: 2027-01-01, sign_up: {as: sam}, expect: {\(expect)}") == outcome)
  }

  @Test("an id of which nothing is expected does not make a test depend on the day")
  func otherDates() throws {
    #expect(try holds("sign_up: {as: sam}, expect: {violations: {includes: [password.digit]}}"))
    #expect(try holds("sign_up: {as: sam}, expect: {violations: {includes: [password.min12]}}") == false)
  }

  @Test(
    "an expectation that could not fail, or names a rule that is not there, is refused",
    arguments: [
      ("violations: {}", "P0125"), ("violations: {includes: []}", "P0125"),
      ("violations: {includes: [password.min9]}", "P0406"), ("warnings: {excludes: [password.min9]}", "P0406"),
      ("violations: {include: [password.min8]}", "P0107"),
    ])
  func refused(expect: String, code: String) {
    #expect(findings(Self.policy + "tests: [{name: a, sign_up: {as: sam}, expect: {\(expect)}}]\n").contains(code))
  }

  @Test("each value of an expectation is known with its place in the text")
  func targets() throws {
    let file = try read(
      Self.policy + "tests:\n  - {name: a, invite: {as: sam}, expect: {ok: true, violations: {excludes: [name.*]}}}\n")
    let expect = try #require(file.tests.first?.expectNode)
    let line = file.document.line(expect.line)
    let range = try #require(expect["violations"]?["excludes"]?.range)
    let text = line.dropFirst(range.start.column - 1).prefix(range.end.column - range.start.column)
    #expect(text == "[name.*]")
  }
}
