import Foundation
import GatehousePolicy
import GatehousePolicyFile
import GatehouseTesting
import Testing

@Suite("The difference between two policies")
struct DiffTests {
  private static let path = "policies/dd-ride.yaml"

  @Test(
    "one changed line is one change, judged by what it admits",
    arguments: [
      ("min_length: 8}", "min_length: 10}", "password.min8", Relation.stricter),
      ("min_length: 8}", "min_length: 7}", "password.min8", .weaker),
      ("max_length: 128", "max_length: 64", "password.max_length", .stricter),
      ("max_length: 128", "max_length: 256", "password.max_length", .weaker),
      ("require: digit}", "require: special}", "password.digit", .incomparable),
      ("require: digit}", "require: digit, enforce: warn}", "password.digit", .weaker),
      ("require: digit}", "require: digit, enforce: warn, enforce_from: 2027-01-01}", "password.digit", .weaker),
      ("enforce: warn, enforce_from: 2027-09-01}", "enforce: enforce}", "password.not_personal", .stricter),
      ("enforce: warn, enforce_from: 2027-09-01}", "enforce: off}", "password.not_personal", .weaker),
      ("enforce: warn, enforce_from: 2027-09-01}", "enforce: warn}", "password.not_personal", .weaker),
      ("enforce_from: 2027-09-01}", "enforce_from: 2027-01-01}", "password.not_personal", .stricter),
      ("not_containing: [email, name]", "not_containing: [email]", "password.not_personal", .weaker),
      ("require: digit}", "require: digit, existing: require_at_sign_in}", "password.digit", .stricter),
      ("require: digit}", "require: digit, doors: [sign_up]}", "password.digit", .weaker),
      ("require: digit}", "require: digit, disclose: false}", "password.digit", .stricter),
      ("require: digit}", "not_in: breached, fail: open}", "password.digit", .incomparable),
      ("require: digit}", "require: digit, message: {en: A digit}}", "password.digit", .neutral),
      ("allowed_domains: [ksu.edu]", "allowed_domains: [ksu.edu, k-state.edu]", "email.allowed_domains", .weaker),
      ("allowed_domains: [ksu.edu]", "allowed_domains: [k-state.edu]", "email.allowed_domains", .incomparable),
      ("allowed_domains: [ksu.edu]", "denied_domains: [ksu.edu]", "email.allowed_domains", .weaker),
      ("normalize: lowercase", "normalize: none", "identifiers.email.normalize", .incomparable),
      ("unknown_fields: reject", "unknown_fields: ignore", "profile.unknown_fields", .weaker),
      ("max: 4\n", "max: 5\n", "classYear.max", .weaker), ("min: 1\n", "min: 0\n", "classYear.min", .weaker),
      ("at_sign_up: true", "at_sign_up: false", "classYear.at_sign_up", .neutral),
      ("es: Curso", "es: Año", "classYear.label", .neutral),
      ("values: [admin, member]", "values: [admin, member, driver]", "role.values", .weaker),
      ("check: length, write: user", "check: length, write: user_at_sign_up", "phoneNumber.write", .stricter),
      ("check: length", "check: valid", "phoneNumber.check", .incomparable),
      ("check: length", "check: length, unique: true", "phoneNumber.unique", .stricter),
      ("trim: true", "trim: false", "name.trim", .incomparable),
      (
        "trim: true, max_length: 100", "trim: true, renamed_from: title, max_length: 100", "name.renamed_from", .neutral
      ),
      ("trim: true", "trim: true, multiline: true", "name.multiline", .weaker),
      ("check: length", "check: warn", "phoneNumber.check", .incomparable),
      ("max_length: 100", "max_length: 50", "name.max_length", .stricter),
      ("link_ttl: 24h", "link_ttl: 12h", "verification.email.link_ttl", .stricter),
      ("resend_cooldown: 60s", "resend_cooldown: 10s", "verification.email.resend_cooldown", .weaker),
      ("requires: [email_verified]", "requires: []", "access.email_verified", .weaker),
      (
        "requires: [email_verified]", "requires: [{need: email_verified, enforce: warn}]", "access.email_verified",
        .weaker
      ),
      (
        "password: {use: sign_in}", "password: {use: sign_in}\n  google: {use: sign_in, client_id: a}",
        "providers.google", .weaker
      ),
      ("access_token_ttl: 15m", "access_token_ttl: 5m", "sessions.access_token_ttl", .stricter),
      ("max_per_user: 10}", "max_per_user: 20}", "sessions.max_per_user", .weaker),
      ("max_per_user: 10}", "max_per_user: 10, page_idle_ttl: 12h}", "sessions.page_idle_ttl", .stricter),
      ("max_per_user: 10}", "max_per_user: 10, page_idle_ttl: 25h}", "sessions.page_idle_ttl", .weaker),
      ("max_per_user: 10}", "max_per_user: 10, page_max_ttl: 7d}", "sessions.page_max_ttl", .stricter),
      ("max_per_user: 10}", "max_per_user: 10, page_max_ttl: 31d}", "sessions.page_max_ttl", .weaker),
      ("max_per_user: 10}", "max_per_user: 10, new_device_notice: false}", "sessions.new_device_notice", .weaker),
      (
        "max_per_user: 10}", "max_per_user: 10, page_shared_computer: true}", "sessions.page_shared_computer", .stricter
      ),
      ("privacy: {", "presence: {visible_to: self}\nprivacy: {", "presence.visible_to", .stricter),
      ("privacy: {", "mail: {from: {name: A}}\nprivacy: {", "mail.from.name", .neutral),
      ("privacy: {", "mail: {from: {address: a@acme.example}}\nprivacy: {", "mail.from.address", .neutral),
      ("privacy: {", "presence: {idle: 5m}\nprivacy: {", "presence.idle", .neutral),
      ("privacy: {", "directory: {find_by: [email]}\nprivacy: {", "directory", .weaker),
      ("grace: 14d", "grace: 15d", "mfa.grace", .weaker),
      ("enforce_from: 2027-03-01}", "enforce_from: 2027-02-01}", "mfa.admins", .stricter),
      ("privacy: {", "messages: {conflict: {en: Busy}}\nprivacy: {", "messages.conflict", .neutral),
      ("account_exists: reveal", "account_exists: hide", "privacy.account_exists", .stricter),
      ("may: [list_users, update_profile]", "may: [list_users]", "admins.may", .stricter),
      ("may: [list_users, update_profile]", "may: [list_users, disable]", "admins.may", .incomparable),
      ("sign_in_per_ip: 1000/15m", "sign_in_per_ip: 500/15m", "limits.sign_in_per_ip", .stricter),
      ("sign_in_per_ip: 1000/15m", "sign_in_per_ip: 1000/1h", "limits.sign_in_per_ip", .stricter),
      ("sign_in_per_ip: 1000/15m", "sign_in_per_ip: 500/1m", "limits.sign_in_per_ip", .incomparable),
      ("sign_in_per_ip", "sign_in_per_account: 30/15m, sign_in_per_ip", "limits.sign_in_per_account", .incomparable),
      ("dark_mode: auto", "dark_mode: never", "theme.dark_mode", .neutral),
      ("name: DD Ride", "name: DD Rides", "app.name", .neutral),
      ("locales: [en, es]", "locales: [en, es]\n  origins: [\"https://ddride.example\"]", "app.origins", .weaker),
      ("[ddride://signed-in]", "[ddride://signed-in, ddride://other]", "app.continue", .weaker),
    ])
  func table(line: String, changed: String, subject: String, relation: Relation) throws {
    let text = String(decoding: try Repository.bytes(Self.path), as: UTF8.self)
    let policy = String(text[..<(try #require(text.range(of: "tests:\n"))).lowerBound])
    let old = try read(policy)
    let new = try read(policy.replacing(line, with: changed, maxReplacements: 1))
    let change = try #require(PolicyFile.diff(old, new).first { $0.subject == subject })
    #expect(change.relation == relation, "\(change.sentence)")
    let back = try #require(PolicyFile.diff(new, old).first { $0.subject == subject })
    let reversed: [Relation: Relation] = [.stricter: .weaker, .weaker: .stricter]
    #expect(back.relation == reversed[relation] ?? relation, "\(back.sentence)")
  }

  @Test(
    "letters are more than those of ASCII and other than a set with digits",
    arguments: [("a-zA-Z", Relation.weaker), ("a-zA-Z0-9", .incomparable), ("Zoë", .weaker), ("letters", .neutral)])
  func letters(set: String, relation: Relation) throws {
    func file(_ set: String) throws -> PolicyFile {
      try read(ReadingTests.base + "profile: {fields: {name: {type: string, charset: \"\(set)\"}}}\n")
    }
    let changes = try PolicyFile.diff(file(set), file("letters"))
    #expect(changes.map(\.relation) == (relation == .neutral ? [] : [relation]))
  }

  @Test("a new sign-in that a provider can be asked for is neither weaker nor stricter, and a change")
  func authTime() throws {
    func own(_ more: String) throws -> PolicyFile {
      try read(
        ReadingTests.base
          + "providers: {own: {use: sign_in, client_id: a, endpoints: {issuer: \"https://id.example\"}\(more)}}\n")
    }
    let asked = try own(", require_auth_time: true")
    let change = try #require(PolicyFile.diff(own(""), asked).first)
    #expect(change.subject == "providers.own.require_auth_time" && change.relation == .incomparable)
    #expect(try PolicyFile.diff(own(""), own(", require_auth_time: false")).isEmpty)
    #expect(try own("").policy.canonicalJSON != asked.policy.canonicalJSON)
  }

  @Test("a nonce that may be left out is weaker, and one that is written as it is by default no change")
  func nonce() throws {
    func google(_ nonce: String) throws -> PolicyFile {
      try read(ReadingTests.base + "providers: {google: {use: sign_in, client_id: a\(nonce)}}\n")
    }
    let change = try #require(PolicyFile.diff(google(""), google(", nonce: optional")).first)
    #expect(change.subject == "providers.google.nonce" && change.relation == .weaker)
    #expect(try PolicyFile.diff(google(", nonce: optional"), google("")).map(\.relation) == [.stricter])
    #expect(try PolicyFile.diff(google(""), google(", nonce: required")).isEmpty)
    #expect(try google("").policy.canonicalJSON != google(", nonce: optional").policy.canonicalJSON)
  }

  @Test("a change names its line in both files")
  func lines() throws {
    let old = try read(ReadingTests.base)
    let new = try read("# moved\n" + ReadingTests.base.replacing("min_length: 8", with: "min_length: 12"))
    let change = try #require(PolicyFile.diff(old, new).first)
    #expect(change.sentence == "password.min8: min_length 8 → min_length 12")
    #expect(change.oldLine == 4 && change.newLine == 5)
  }

  @Test("a renamed rule that asks for as much is neutral; a removed one that nothing replaces is weaker")
  func renamed() throws {
    let old = try read(ReadingTests.base)
    let renamed = try read(ReadingTests.base.replacing("id: min8", with: "id: long"))
    #expect(PolicyFile.diff(old, renamed).map(\.relation) == [.neutral, .neutral])
    let removed = try read(ReadingTests.base.replacing("{id: min8, min_length: 8}", with: "{id: d, require: digit}"))
    #expect(PolicyFile.diff(old, removed).map(\.relation) == [.weaker, .stricter])
  }

  @Test("a file and itself do not differ, nor do comments, order of keys and spelling", arguments: PoliciesTests.paths)
  func same(path: String) throws {
    let text = String(decoding: try Repository.bytes(path), as: UTF8.self)
    let file = try read(text)
    #expect(PolicyFile.diff(file, file).isEmpty)
    let commented = try read("# a comment\n" + text.replacing("15m", with: "900s"))
    #expect(PolicyFile.diff(file, commented).isEmpty)
    #expect(file.policy.canonicalJSON == commented.policy.canonicalJSON)
  }

  @Test("canonical JSON does not depend on the order of keys")
  func canonical() throws {
    let turned = """
      password: {rules: [{min_length: 8, id: min8}]}
      app: {name: Acme}
      tenant: acme
      schema: gatehouse/policy.v1
      """
    let policy = try read(turned).policy
    #expect(policy.canonicalJSON == (try read(ReadingTests.base)).policy.canonicalJSON)
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(policy.canonicalJSON)) }
    #expect(policy.canonicalJSON != (try read(ReadingTests.base.replacing("8}", with: "9}"))).policy.canonicalJSON)
  }

  /// Random pairs of policies and random people: where every change is neutral or stricter, a user admitted by the new
  /// policy was admitted by the old one.
  @Test("a change reported as stricter never admits more")
  func sound() throws {
    var random = SeededGenerator()
    var judged = 0
    // Few random pairs are comparable: go on until some were, far beyond what that takes.
    for round in 0..<3000 where round < 150 || judged == 0 {
      let old = try read(Self.randomPolicy(&random))
      let new = try read(Self.randomPolicy(&random))
      let changes = PolicyFile.diff(old, new)
      guard changes.allSatisfy({ [.neutral, .stricter].contains($0.relation) }) else { continue }
      judged += 1
      for _ in 0..<30 {
        let facts = Self.randomFacts(&random)
        let instant = date(["2026-12-01", "2027-02-01", "2027-06-01"].randomElement(using: &random) ?? "")
        let door: Door = [.signUp, .adminCreate, .import].randomElement(using: &random) ?? .signUp
        let after = new.policy.decide(door, facts, at: instant, using: SmallLists()).allow
        let before = old.policy.decide(door, facts, at: instant, using: SmallLists()).allow
        #expect(!after || before, "seed \(SeededGenerator.seed): \(changes.map(\.sentence)) \(facts)")
      }
    }
    #expect(judged > 0, "seed \(SeededGenerator.seed)")
  }

  private static func randomPolicy(_ random: inout SeededGenerator) -> String {
    func pick(_ choices: [String]) -> String { choices.randomElement(using: &random) ?? "" }
    let stage = ["", ", enforce: warn", ", enforce: warn, enforce_from: 2027-01-01", ", enforce: off"]
    return """
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      identifiers: {email: {normalize: lowercase\(pick(["", ", allowed_domains: [ksu.edu]", ", allowed_domains: [ksu.edu, example.com]", ", allowed_domains: [\"*.edu\"]", ", denied_domains: [example.com]"]))}}
      password:
        rules:
          - {id: long, min_length: \(pick(["4", "6", "8"]))\(pick(stage))}
          - {id: other, \(pick(["require: digit", "require: uppercase", "not_in: common", "min_length: 5"]))\(pick(stage))}
      profile:
        unknown_fields: \(pick(["reject", "reject", "ignore"]))
        fields:
          name: {type: string, required: \(pick(["true", "false"])), min_length: \(pick(["1", "2"])), max_length: \(pick(["4", "9"]))}
      """
  }

  private static func randomFacts(_ random: inout SeededGenerator) -> Facts {
    let emails = ["a@ksu.edu", "a@example.com", "a@mail.ksu.edu", "no address"]
    let passwords = ["abcd", "abc12", "Abcdef", "Abcdef12", "123456", "abcdefgh"]
    let names = ["", "A", "Al", "Alexa", "Alexandrina"]
    var facts = Facts(email: emails.randomElement(using: &random), password: passwords.randomElement(using: &random))
    if Bool.random(using: &random) { facts.profile["name"] = .string(names.randomElement(using: &random) ?? "") }
    if Bool.random(using: &random) { facts.profile["extra"] = "x" }
    return facts
  }
}
