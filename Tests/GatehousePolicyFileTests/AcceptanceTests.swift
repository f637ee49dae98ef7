import Foundation
import GatehousePolicy
@testable import GatehousePolicyFile
import Testing

/// A policy with tests to accept, and its parts.
enum Acceptable {
  static let head = """
    schema: gatehouse/policy.v1
    tenant: acme
    app: {name: Acme}
    password:
      rules:
        - {id: min8, min_length: 8}
        - {id: upper, require: uppercase}
        - {id: digit, require: digit, enforce: warn}
    profile:
      unknown_fields: reject
      fields:
        nick: {type: string, trim: true, max_length: 10, write: user}
        age: {type: integer, min: 1, write: user}
    access:
      full: {requires: [email_verified]}
    tests:

    """

  static func run(_ text: String, _ facts: some FactSource = SmallLists()) throws -> Acceptance {
    try Acceptance(Array(text.utf8), of: try read(text), using: facts)
  }

  /// A test of a password that two rules refuse and one warns about, with this expectation.
  static func refused(_ expect: String) -> String {
    head + "  - name: one\n    set_password: {password: abc}\n    expect:" + expect + "\n"
  }

  /// Whether all tests of a text pass.
  static func passes(_ text: String) throws -> Bool {
    PolicyTests.run(try read(text), using: SmallLists()).allSatisfy { $0.passed }
  }
}

@Suite("policy test --accept: the edit")
struct AcceptanceTests {
  static let flow = [
    (" {ok: true}  # why", " {ok: false}  # why"),
    (
      " {ok: true, violations: [], warnings: []}",
      " {ok: false, violations: [password.min8, password.upper], warnings: [password.digit]}"
    ),
    (" {violations: [password.min8]}", " {violations: [password.min8, password.upper]}"),
    (" {violations: [password.upper]}", " {violations: [password.min8, password.upper]}"),
    (" {violations: [ password.upper ,password.min8 ]}", " {violations: [ password.min8, password.upper ]}"),
    (" {violations: ['password.min8', password.digit]}", " {violations: ['password.min8', password.upper]}"),
    (" {violations: [password.min8, password.digit,]}", " {violations: [password.min8, password.upper,]}"),
    (
      " {violations: [email.syntax,password.min8,password.digit,password.upper,email.required]}",
      " {violations: [password.min8,password.upper]}"
    ),
    (" {violations: [\"password.*\", \"email.*\"]}", " {violations: [\"password.*\"]}"),
    (" {violations: [password.min8], ok: true}", " {violations: [password.min8, password.upper], ok: false}"),
    (" {\"violations\": [\"password.min8\"]}", " {\"violations\": [\"password.min8\", \"password.upper\"]}"),
    (" {violations: {includes: [password.min8, password.digit]}}", " {violations: {includes: [password.min8]}}"),
    (
      " {violations: {includes: [password.digit], excludes: [\"email.*\"]}}",
      " {violations: {includes: [], excludes: [\"email.*\"]}}"
    ),
    (" {violations: {excludes: [password.min8, password.digit]}}", " {violations: {excludes: [password.digit]}}"),
    (" {warnings: [password.digit, password.upper]}", " {warnings: [password.digit]}"),
    (" {warnings: {includes: [\"password.*\", password.upper]}}", " {warnings: {includes: [\"password.*\"]}}"),
  ]

  static let lines = [
    (
      "\n      violations:\n        - password.min8  # short\n        - password.digit  # none\n      ok: false  # no",
      "\n      violations:\n        - password.min8  # short\n        - password.upper  # none\n      ok: false  # no"
    ),
    (
      "\n      violations:\n      - password.min8\n      - password.digit\n      - password.upper",
      "\n      violations:\n      - password.min8\n      - password.upper"
    ),
    (
      "\n      violations:\n        - password.min8\n        - password.digit  # gone\n        - password.upper",
      "\n      violations:\n        - password.min8\n        # gone\n        - password.upper"
    ),
    (
      "\n      violations:\n        - password.upper  # case\n      # end\n      ok: true",
      "\n      violations:\n        - password.min8\n        - password.upper  # case\n      # end\n      ok: false"
    ),
    (
      "\n      violations:\n        - password.min8  # short",
      "\n      violations:\n        - password.min8  # short\n        - password.upper"
    ),
    (
      "\n      violations: [password.min8,  # short\n        password.digit,  # gone\n        password.upper]  # case",
      "\n      violations: [password.min8,  # short\n          # gone\n        password.upper]  # case"
    ),
    (
      "\n      violations: [\n        password.min8,\n        password.upper,\n        password.digit\n      ]",
      "\n      violations: [\n        password.min8,\n        password.upper\n      ]"
    ),
    (
      "\n      warnings:\n        includes:\n          - password.upper\n        excludes: [password.min8]",
      "\n      warnings:\n        includes: []\n        excludes: [password.min8]"
    ),
  ]

  @Test("a test fails before, and with the new values alone it passes", arguments: flow + lines)
  func values(_ before: String, _ after: String) throws {
    let edit = try Acceptable.run(Acceptable.refused(before))
    #expect(edit.text == Acceptable.refused(after))
    #expect(try edit.left.isEmpty && Acceptable.passes(edit.text) && !Acceptable.passes(Acceptable.refused(before)))
  }

  @Test("line ends of another system stay", arguments: lines)
  func carriageReturns(_ before: String, _ after: String) throws {
    let edit = try Acceptable.run(Acceptable.refused(before).replacing("\n", with: "\r\n"))
    #expect(edit.text.utf8.elementsEqual(Acceptable.refused(after).replacing("\n", with: "\r\n").utf8))
  }

  @Test("a file without a line end at its end gets none")
  func noLineEnd() throws {
    let edit = try Acceptable.run(String(Acceptable.refused(" {ok: true}").dropLast()))
    #expect(edit.text == String(Acceptable.refused(" {ok: false}").dropLast()))
  }

  @Test(
    "values that are stored, access and next steps",
    arguments: [
      ("update_profile: {set: {nick: \" Bo \"}}", "stored: {profile: {nick: x}}", "stored: {profile: {nick: Bo}}"),
      ("update_profile: {set: {nick: \" Bo \"}}", "stored: {profile: {nick: 'x'}}", "stored: {profile: {nick: 'Bo'}}"),
      ("update_profile: {set: {nick: \"12\"}}", "stored: {profile: {nick: x}}", "stored: {profile: {nick: \"12\"}}"),
      (
        "update_profile: {set: {nick: \"true\"}}", "stored: {profile: {nick: x}}", "stored: {profile: {nick: \"true\"}}"
      ),
      (
        "update_profile: {set: {nick: \"a: #\"}}", "stored: {profile: {nick: 'x'}}", "stored: {profile: {nick: 'a: #'}}"
      ),
      ("update_profile: {set: {age: 3}}", "stored: {profile: {age: 4}}", "stored: {profile: {age: 3}}"),
      ("update_profile: {set: {age: 3}}", "stored: {profile: {nick: x}}", "stored: {profile: {nick: null}}"),
      ("update_profile: {set: {nick: Bo}}", "stored: {profile: {nick: }}", "stored: {profile: {nick: Bo }}"),
      ("change_email: {email: A@example.com}", "stored: {email: b@example.com}", "stored: {email: a@example.com}"),
      ("given: {email_verified: false}", "access: full, next: []", "access: limited, next: [verify_email]"),
      ("given: {email_verified: true}", "access: limited, next: [verify_email]", "access: full, next: []"),
    ])
  func others(_ request: String, _ before: String, _ after: String) throws {
    func text(_ expect: String) -> String {
      Acceptable.head + "  - {name: one, \(request), expect: {\(expect)}}  # why\n"
    }
    let edit = try Acceptable.run(text(before))
    #expect(edit.text == text(after), "\(edit.left)")
    #expect(try Acceptable.passes(edit.text))
  }

  @Test(
    "a refusal that is gone leaves an empty list",
    arguments: [
      (" {violations: [password.min8]}", " {violations: []}"),
      (" {violations: {includes: [password.min8]}}  # why", " {violations: []}  # why"),
      (
        "\n      violations:  # why\n        - password.min8\n        - password.upper", "\n      violations: []  # why"
      ),
      ("\n      violations:\n      - password.min8\n      # end", "\n      violations: []\n      # end"),
      (
        "\n      violations:\n        includes:\n          - password.min8\n      ok: true",
        "\n      violations: []\n      ok: true"
      ),
      (
        "\n      violations: [  # why\n        password.min8,  # short\n      ]",
        "\n      violations: [  # why\n          # short\n      ]"
      ),
    ])
  func emptied(_ before: String, _ after: String) throws {
    func text(_ expect: String) -> String {
      Acceptable.head + "  - name: one\n    set_password: {password: Quiet-Lanterns-1}\n    expect:\(expect)\n"
    }
    let edit = try Acceptable.run(text(before))
    #expect(edit.text == text(after), "\(edit.left)")
    #expect(try Acceptable.passes(edit.text) && edit.accepted.map(\.isWeaker) == [true])
  }

  @Test("where nothing fails, nothing changes")
  func nothing() throws {
    let edit = try Acceptable.run(Acceptable.refused(" {ok:   false}"))
    #expect(edit.accepted.isEmpty && edit.left.isEmpty && edit.text == Acceptable.refused(" {ok:   false}"))
  }

  @Test("a line that gets too long is broken as policy fmt does where the file was in its layout")
  func tooLong() throws {
    let name = String(repeating: "long ", count: 6)
    func text(_ rest: String) -> String { Acceptable.head + "  - " + rest + "\n" }
    let line = text("{name: \(name)name, set_password: {password: abc}, expect: {violations: [], warnings: []}}")
    let edit = try Acceptable.run(line)
    #expect(
      edit.text
        == text(
          """
          name: \(name)name
              set_password: {password: abc}
              expect: {violations: [password.min8, password.upper], warnings: [password.digit]}
          """))
    // Where the file is in another layout, nothing is broken.
    let loose = line.replacing("app: {name", with: "app:  {name")
    let kept = try Acceptable.run(loose).text
    #expect(
      kept
        == loose.replacing("violations: []", with: "violations: [password.min8, password.upper]")
        .replacing("warnings: []", with: "warnings: [password.digit]"))
  }
}
