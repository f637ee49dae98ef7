import GatehousePolicy
@testable import GatehousePolicyFile
import GatehouseTesting
import Testing

@Suite("policy test --accept: what is said, what is weaker, what is left alone")
struct AcceptanceWordsTests {
  private static let refused = "set_password: {password: abc}"
  private static let allowed = "set_password: {password: Quiet-Lanterns-1}"

  private func accept(_ test: String, _ facts: some FactSource = SmallLists()) throws -> Acceptance {
    try Acceptable.run(Acceptable.head + "  - name: one\n    " + test.replacing(" | ", with: "\n    ") + "\n", facts)
  }

  @Test(
    "the difference in words",
    arguments: [
      ("\(refused) | expect: {ok: true}", "was allowed, is now refused by password.min8, password.upper"),
      ("\(allowed) | expect: {ok: false}", "was refused, is now allowed"),
      (
        "\(refused) | expect: {violations: [password.min8]}",
        "violations were [password.min8], are now [password.min8, password.upper]"
      ),
      (
        "\(refused) | expect: {violations: {includes: [password.min8, password.digit]}}",
        "violations no longer include [password.digit]"
      ),
      (
        "\(refused) | expect: {violations: {includes: [password.min8], excludes: [password.upper]}}",
        "violations now include [password.upper], which they excluded"
      ),
      (
        "\(allowed) | expect: {violations: {includes: [password.min8]}}",
        "violations included [password.min8], are now []"
      ),
      (
        "given: {email_verified: false} | expect: {access: full, next: []}",
        "access was full, is now limited; next steps were [], are now [verify_email]"
      ),
      (
        "update_profile: {set: {nick: Bo}} | expect: {stored: {profile: {nick: Al}}}",
        "stored.profile.nick was \"Al\", is now \"Bo\""
      ),
    ])
  func words(_ test: String, _ words: String) throws {
    let edit = try accept(test)
    #expect(edit.accepted.map(\.words) == [words] && edit.accepted.map(\.line) == [17])
  }

  @Test(
    "a refusal that is allowed now, limited access that is full and a violation that is gone are weaker",
    arguments: [
      ("\(allowed) | expect: {ok: false}", true), ("\(refused) | expect: {ok: true}", false),
      ("\(refused) | expect: {violations: [password.min8]}", false),
      ("\(refused) | expect: {violations: [password.min8, password.upper, password.digit]}", true),
      ("\(refused) | expect: {violations: {includes: [password.min8, password.digit]}}", true),
      ("\(refused) | expect: {violations: {includes: [password.min8], excludes: [password.upper]}}", false),
      ("\(refused) | expect: {violations: [\"password.*\", \"email.*\"]}", true),
      ("\(refused) | expect: {warnings: [password.digit, password.upper]}", false),
      ("given: {email_verified: true} | expect: {access: limited}", true),
      ("given: {email_verified: true} | expect: {next: {includes: [verify_email]}}", true),
      ("given: {email_verified: true} | expect: {next: [verify_email]}", true),
      ("given: {email_verified: false} | expect: {access: full}", false),
      (
        "each: [abc, abcd] | set_password: {password: $each} | expect: {violations: [\"*.min8\", \"*.digit\", \"*.upper\"]}",
        true
      ),
    ])
  func weaker(_ test: String, _ isWeaker: Bool) throws {
    #expect(try accept(test).accepted.map(\.isWeaker) == [isWeaker])
  }

  @Test(
    "a test that no value makes pass is left alone, with the reason",
    arguments: [
      (
        "each: [abc, Quiet-Lanterns-1] | set_password: {password: $each} | expect: {ok: true}",
        "its members disagree about ok: false for \"abc\"; true for \"Quiet-Lanterns-1\""
      ),
      (
        "each: [\" Bo \", \" Al \"] | update_profile: {set: {nick: $each}} | expect: {stored: {profile: {nick: $each}}}",
        "its members disagree about stored.profile.nick: \"Bo\" for \" Bo \"; \"Al\" for \" Al \""
      ),
      (
        "each: [\" Bo \"] | update_profile: {set: {nick: $each}} | expect: {stored: {profile: {nick: $each}}}",
        "stored.profile.nick is written with $each"
      ),
      (
        "\(refused) | expect: {violations: {includes: [password.digit]}}",
        "violations are now [password.min8, password.upper], and without [password.digit] the test would check nothing of them"
      ),
      (
        "\(refused) | expect: {ok: true, violations: {excludes: [\"password.*\"]}}",
        "violations are now [password.min8, password.upper], and without [password.*] the test would check nothing of them"
      ),
      ("\(refused) | expect: {stored: {email: a@example.com}}", "no address is stored any more"),
      (
        "\(allowed) | expect: |   violations: {includes: [password.min8,  # why\n        password.upper]}",
        "a comment stands in violations, and it would have nothing left; edit it by hand"
      ),
    ])
  func left(_ test: String, _ reason: String) throws {
    let edit = try accept(test)
    #expect(edit.accepted.isEmpty && edit.left.map(\.words) == [reason])
    #expect(edit.text == Acceptable.head + "  - name: one\n    " + test.replacing(" | ", with: "\n    ") + "\n")
  }

  @Test("a test that depends on the date is left alone")
  func date() throws {
    let text = Acceptable.refused(" {ok: true}").replacing(
      "min_length: 8}", with: "min_length: 2, enforce: warn, enforce_from: 2027-03-01}"
    )
    .replacing("password: abc", with: "password: A")
    let edit = try Acceptable.run(text)
    #expect(edit.left.map(\.words) == ["its outcome changes around 2027-03-01; say by at: which day is meant"])
  }

  @Test("without the list that a rule asks nothing is accepted, as it refuses for want of the list alone")
  func withoutList() throws {
    let text =
      Acceptable.head.replacing("require: digit, enforce: warn", with: "not_in: breached")
      + "  - name: one\n    \(Self.allowed)\n    expect: {ok: true}\n"
    #expect(try Acceptable.run(text).accepted.isEmpty)
    let edit = try Acceptable.run(text, NoLists())
    #expect(edit.accepted.isEmpty && edit.left.map(\.words) == ["the list that password.digit asks is not here"])
  }

  @Test("members that agree are accepted together")
  func agree() throws {
    let edit = try accept("each: [abc, abcd] | set_password: {password: $each} | expect: {ok: true}")
    #expect(edit.left.isEmpty && edit.text.contains("expect: {ok: false}"))
  }
}

/// No list is here.
private struct NoLists: FactSource {
  func isListed(_ password: String, list: String) -> Bool? { nil }
  func strength(of password: String, inputs: [String]) -> Int? { nil }
  func phone(_ raw: String, region: String) -> PhoneFact? { nil }
  func asciiDomain(_ domain: String) -> String? { nil }
}
