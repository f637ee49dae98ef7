import GatehousePolicy
import Testing

@testable import GatehousePolicyFile

@Suite("The life of a passkey in a policy file")
struct PasskeyLifeTests {
  private static let role = "profile: {fields: {role: {type: enum, values: [editor, reader], write: admin}}}\n"
  private static let base = ReadingTests.base + role

  private func passkeys(_ text: String) throws -> Passkeys {
    try #require(try read(Self.base + "passkeys: \(text)\n").policy.passkeys)
  }

  @Test("an offer is read with its day and its conditions")
  func upgrade() throws {
    let found = try passkeys("{use: [sign_in], upgrade: {from: 2027-03-01, when: {role: editor}}}").upgrade
    let day = try #require(Day("2027-03-01"))
    #expect(found == Passkeys.Upgrade(from: day, when: [Admins.Condition(field: "role", value: "editor")]))
  }

  @Test("an offer without conditions is one to all")
  func toAll() throws {
    #expect(try passkeys("{use: [sign_in], upgrade: {from: 2027-03-01}}").upgrade?.when == [])
  }

  @Test("a former relying party is read with its day")
  func former() throws {
    let found = try passkeys("{use: [sign_in], rp_id: b.test, rp_id_from: {id: a.test, until: 2030-01-01}}").former
    #expect(found == Passkeys.FormerParty(id: "a.test", until: try #require(Day("2030-01-01"))))
  }

  @Test("sign-up stands behind the other uses, wherever it is written")
  func signUp() throws {
    #expect(try passkeys("{use: [sign_up, sign_in]}").use == [.signIn, .signUp])
  }

  @Test("the canonical form tells each of these apart")
  func canonical() throws {
    let texts = [
      "{use: [sign_in], rp_id: b.test}", "{use: [sign_in, sign_up], rp_id: b.test}",
      "{use: [sign_in], rp_id: b.test, upgrade: {from: 2027-03-01}}",
      "{use: [sign_in], rp_id: b.test, upgrade: {from: 2027-03-02}}",
      "{use: [sign_in], rp_id: b.test, upgrade: {from: 2027-03-01, when: {role: editor}}}",
      "{use: [sign_in], rp_id: b.test, rp_id_from: {id: a.test, until: 2030-01-01}}",
      "{use: [sign_in], rp_id: b.test, rp_id_from: {id: a.test, until: 2030-01-02}}",
    ]
    let forms = try texts.map { try read(Self.base + "passkeys: \($0)\n").policy.canonicalJSON }
    #expect(Set(forms).count == texts.count)
  }

  private static let closed = "providers: {}\n"

  @Test(
    "what leads nowhere is refused, with what is needed",
    arguments: [
      ("", "{use: [sign_up]}", "P0229", "add sign_in"),
      (
        "verification: {email: {on_sign_up: false}}\n", "{use: [sign_in, sign_up]}", "P0229",
        "no mail proves the address of a new account"
      ),
      (closed, "{use: [sign_in, sign_up]}", "P0229", "an account whose passkey is lost has no way back"),
      (
        "providers: {spotify: {use: link, client_id: abc}}\n", "{use: [sign_in, sign_up]}", "P0229",
        "add password to providers"
      ),
      ("", "{use: [sign_in], rp_id: a.test, rp_id_from: {id: a.test, until: 2030-01-01}}", "P0230", "rp_id itself"),
      (
        "", "{use: [sign_in], rp_id_from: {id: a.test, until: 2030-01-01}}", "P0115",
        "\"rp_id\" is missing in passkeys with rp_id_from"
      ),
      ("", "{use: [sign_in], rp_id: a.test, rp_id_from: {id: b.test}}", "P0115", "\"until\" is missing"),
      ("", "{use: [sign_in], rp_id: a.test, rp_id_from: {id: localhost, until: 2030-01-01}}", "P0217", "a domain"),
      ("", "{use: [sign_in], rp_id: a.test, rp_id_from: {id: b.test, until: soon}}", "P0122", "soon"),
      ("", "{use: [sign_in], rp_id: a.test, rp_id_from: b.test}", "P0116", "rp_id_from"),
      ("", "{use: [sign_in], upgrade: {when: {role: editor}}}", "P0115", "\"from\" is missing"),
      ("", "{use: [sign_in], upgrade: {from: 2027-03-01, when: {}}}", "P0125", "expected 1 to 10"),
      ("", "{use: [sign_in], upgrade: {from: 2027-03-01, when: {rolle: editor}}}", "P0214", "did you mean \"role\"?"),
      ("", "{use: [sign_in], upgrade: {from: 2027-03-01, when: {role: owner}}}", "P0123", "can never hold"),
      ("", "{use: [sign_in], upgrade: {from: 2027-03-01, who: {role: editor}}}", "P0107", "unknown key \"who\""),
    ])
  func refused(more: String, text: String, code: String, words: String) {
    let found = findings(Self.base + more + "passkeys: \(text)\n")
    #expect(found.contains(code) && found.contains(words), "\(found)")
    #expect(found.ranges(of: "error[").count == 1, "\(found)")
  }

  @Test("an offer where no passkey signs in has no meaning")
  func noSignIn() {
    let text = "mfa: {factors: [passkey]}\npasskeys: {use: [second_factor], upgrade: {from: 2027-03-01}}\n"
    let found = findings(Self.base + text)
    #expect(found.contains("P0205") && found.contains("\"upgrade\" has no meaning in passkeys without use: [sign_in]"))
    #expect(found.ranges(of: "error[").count == 1, "\(found)")
  }

  @Test("a condition on a field that people write themselves is refused as in a demand")
  func ownField() {
    let text =
      "profile: {fields: {own: {type: string}}}\n"
      + "passkeys: {use: [sign_in], upgrade: {from: 2027-03-01, when: {own: x}}}\n"
    let found = findings(ReadingTests.base + text)
    #expect(found.contains("P0222") && found.contains("and so take the offer"), "\(found)")
  }

  @Test(
    "a way back is a password or a provider that signs in",
    arguments: ["", "providers: {password: {use: sign_in}}\n", "providers: {google: {use: sign_in, client_id: abc}}\n"])
  func wayBack(providers: String) {
    #expect(findings(Self.base + providers + "passkeys: {use: [sign_in, sign_up]}\n") == "")
  }

  @Test("a misspelt key is not told as one that is missing")
  func misspelt() {
    let text = "passkeys: {use: [sign_in], rpid: a.test, rp_id_from: {id: b.test, until: 2030-01-01}}\n"
    let found = findings(Self.base + text)
    #expect(found.contains("unknown key \"rpid\"") && !found.contains("is missing"), "\(found)")
  }

  // MARK: Tests in the file

  private func failures(_ tests: String, _ passkeys: String, _ more: String = "") throws -> [String] {
    let file = try read(Self.base + more + "passkeys: \(passkeys)\ntests:\n\(tests)\n")
    return PolicyTests.run(file, using: SmallLists()).filter { !$0.passed }.map(\.name)
  }

  private static let offering = """
      - {name: an editor, at: 2027-03-01, given: {profile: {role: editor}}, expect: {offers: [add_passkey], next: []}}
      - {name: the day before, at: 2027-02-28, given: {profile: {role: editor}}, expect: {offers: []}}
      - {name: a reader, at: 2027-03-01, given: {profile: {role: reader}}, expect: {offers: []}}
      - name: with a passkey
        at: 2027-03-01
        given: {profile: {role: editor}, factors: [passkey]}
        expect: {offers: []}
      - name: an old password
        at: 2027-03-01
        given: {profile: {role: editor}, password_age: 900d}
        expect: {offers: [add_passkey]}
    """

  @Test("tests expect an offer, and see the day and the conditions of it")
  func offers() throws {
    let offer = "{use: [sign_in], upgrade: {from: 2027-03-01, when: {role: editor}}}"
    #expect(try failures(Self.offering, offer) == [])
    #expect(try failures(Self.offering, offer.replacing("role: editor", with: "role: reader")).count == 3)
    #expect(try failures(Self.offering, offer.replacing("03-01", with: "02-28")) == ["the day before"])
  }

  @Test("a test of an offer without a day is asked for one")
  func undated() throws {
    let test = "  - {name: one, given: {}, expect: {offers: [add_passkey]}}"
    let file = try read(Self.base + "passkeys: {use: [sign_in], upgrade: {from: 2027-03-01}}\ntests:\n\(test)\n")
    let day = try #require(Day("2027-03-01"))
    #expect(PolicyTests.run(file, using: SmallLists()).map(\.outcome) == [.dependsOnDate(day)])
  }

  @Test("a failed expectation of an offer names its line")
  func failure() {
    let text = """
      passkeys:
        use: [sign_in]
        upgrade: {from: 2027-03-01}
      tests:
        - {name: one, at: 2027-03-02, given: {}, expect: {offers: []}}

      """
    let report = PolicyCheck.check(
      Array((Self.base + text).utf8), name: "acme.yaml", using: SmallLists(), now: date("2026-11-20")
    ).text()
    #expect(report.contains("offers expected: []") && report.contains("offers got:      [add_passkey]"), "\(report)")
    #expect(report.contains("passkeys.upgrade stands on line"), "\(report)")
  }

  private static let signingUp = """
      - {name: by a passkey, sign_up: {email: a@acme.example, passkey: true}, expect: {ok: true}}
      - name: by nothing
        sign_up: {email: a@acme.example}
        expect: {violations: [password.required]}
      - {name: without an address, sign_up: {passkey: true}, expect: {violations: [email.required]}}
    """

  @Test("a sign-up of a test brings a passkey in the place of a password")
  func signsUp() throws {
    #expect(try failures(Self.signingUp, "{use: [sign_in, sign_up]}") == [])
  }

  @Test("a demand for second factors is met by the passkey that makes the account")
  func meetsDemand() throws {
    let test = "  - {name: one, sign_up: {email: a@acme.example, passkey: true}, expect: {access: full, next: []}}"
    let demand = "mfa: {factors: [totp], required_if: [{id: all, level: phr}]}\n"
    #expect(try failures(test, "{use: [sign_in, sign_up]}", demand) == [])
  }

  @Test("where no passkey makes an account, a test of it is told that the door is closed")
  func closedToPasskeys() {
    let text = "passkeys: {use: [sign_in]}\ntests:\n\(Self.signingUp)\n"
    let found = findings(Self.base + text)
    #expect(found.contains("P0409") && found.contains("passkeys.use does not name sign_up"), "\(found)")
  }

  @Test("without passwords the door of sign-up is open to passkeys, and its rules bind")
  func openDoor() throws {
    let google = "providers: {google: {use: sign_in, client_id: abc}}\n"
    let policy = try read(Self.base + google + "passkeys: {use: [sign_in, sign_up]}\n").policy
    let rows = DoorMatrix(policy).rows
    #expect(rows.first { $0.rule == "email.syntax" }?[.signUp] == .enforces)
    #expect(rows.filter { $0.rule.hasPrefix("password.") }.allSatisfy { $0[.signUp] == .closed })
    let without = DoorMatrix(try read(Self.base + google + "passkeys: {use: [sign_in]}\n").policy).rows
    #expect(without.first { $0.rule == "email.syntax" }?[.signUp] == .closed)
  }

  @Test("the days of an offer are days at which the policy changes; the end of a former relying party is none")
  func dates() throws {
    let former = "rp_id: a.test, rp_id_from: {id: b.test, until: 2030-01-01}"
    let text = "{use: [sign_in], \(former), upgrade: {from: 2027-03-01}}"
    #expect(try read(Self.base + "passkeys: \(text)\n").policy.dates.map(\.description) == ["2027-03-01"])
  }

  @Test("policy explain says what is offered")
  func explained() throws {
    let file = try read(Self.base + "passkeys: {use: [sign_in], upgrade: {from: 2027-03-01}}\n")
    let account = StoredFacts(email: "a@acme.example", passwordChangedAt: date("2026-12-01"))
    let decision = file.policy.decide(
      .signIn, Facts(stored: account), at: date("2027-03-01"), using: SmallLists())
    #expect(Explanation(decision, by: file).offers == [.addPasskey])
  }
}
