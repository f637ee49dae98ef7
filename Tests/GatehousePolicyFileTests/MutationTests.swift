import Foundation
import GatehousePolicy
import GatehousePolicyFile
import Testing

@Suite("policy test --mutate")
struct MutationTests {
  @Test("every way to loosen a file of this repository is noticed by its tests", arguments: PoliciesTests.paths)
  func shipped(path: String) throws {
    let file = try read(String(decoding: try Repository.bytes(path), as: UTF8.self))
    let results = PolicyTests.mutate(file, using: SmallLists())
    let survivors = results.filter { $0.noticedBy == nil }.map {
      "\($0.mutant.line) \($0.mutant.subject): \($0.mutant.change)"
    }
    #expect(survivors == [])
    #expect(results.count > 40)
    #expect(results.allSatisfy { $0.mutant.line > 1 && $0.mutant.policy != file.policy })
  }

  static let sections = """
    identifiers: {email: {normalize: none, allowed_domains: [acme.example], existing: require_at_sign_in}}
    password:
      existing: prompt_at_sign_in
      rules:
        - {id: min8, min_length: 8}
        - {id: digit, require: digit, enforce: warn, enforce_from: 2027-03-01}
        - {id: strong, min_strength: 2, existing: require_at_sign_in}
        - {id: old, max_age: 90d}
        - {id: off, require: special, enforce: off}
    profile:
      unknown_fields: ignore
      fields:
        nick: {type: string, trim: true, unique: ignore_case, reserved: [admin, root], write: user_at_sign_up}
        team: {type: enum, values: [a, b], default: a, write: admin, doors: [sign_up, update_profile, federated_sign_up, admin_create, admin_update, invite, import]}
        born: {type: date, required: true}
        age: {type: integer, min: 10, max: 99}
        lead: {type: boolean, default: false, write: admin, doors: [sign_up, update_profile, federated_sign_up, admin_create, admin_update, invite, import]}
    admins: {when: {team: b, lead: true}, may: [list_users]}
    access: {full: {requires: [email_verified, {need: "linked:spotify", enforce: warn, enforce_from: 2027-05-31}]}}
    providers:
      password: {use: sign_in}
      spotify: {use: link, client_id: abc, scopes: [x, y], require_scopes: [x, y]}
    mfa: {factors: [totp], required_if: [{id: leads, when: {lead: true}, enforce: warn, enforce_from: 2027-06-30}], grace: 7d}
    exceptions: [{email: a@b.example, rule: email.allowed_domains, until: 2026-12-31, reason: guest}]

    """

  private func mutants(_ tests: String) throws -> [MutantResult] {
    let head = "schema: gatehouse/policy.v1\ntenant: acme\napp: {name: Acme}\n"
    return PolicyTests.mutate(try read(head + Self.sections + tests), using: SmallLists())
  }

  @Test("a field that loses its lines is a slip, which a test of two lines notices and one of a single line does not")
  func lines() throws {
    let head = """
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      profile: {fields: {bio: {type: string, multiline: true}}}

      """
    func isNoticed(_ bio: String) throws -> Bool? {
      let tests = """
        tests:
          - name: a bio
            sign_up: {email: a@b.example, password: tallgrass, profile: {bio: \(bio)}}
            expect: {ok: true}

        """
      let found = PolicyTests.mutate(try read(head + tests), using: SmallLists())
      return found.first { $0.mutant.subject == "bio.multiline" }.map { $0.noticedBy != nil }
    }
    #expect(try isNoticed(#""one\ntwo""#) == true)
    #expect(try isNoticed("one") == false)
  }

  /// The negative control: without a test nothing is noticed, and everything that could be loosened is named.
  @Test("a file without tests notices nothing, and every rule, bound, date, field and door is named")
  func everything() throws {
    let found = try mutants("").map { "\($0.mutant.subject): \($0.mutant.change)" }
    let expected = [
      "email.allowed_domains: deleted", "email.allowed_domains: only warns",
      "email.allowed_domains: allowed_domains with *.acme.example", "email: no rule binds at sign_up",
      "email: no rule binds at reset_password", "email: no rule binds at change_email", "email: no rule binds at link",
      "email: no rule binds at admin_create", "email: no rule binds at invite", "email: no rule binds at import",
      "identifiers.email.existing: require_at_sign_in → at_next_change", "password.min8: deleted",
      "password.min8: only warns", "password.min8: min_length 8 → 7", "password.digit: deleted",
      "password.digit: never enforces", "password.digit: enforce_from 2027-03-01 → 2027-03-02",
      "password.strong: deleted", "password.strong: only warns", "password.strong: min_strength 2 → 1",
      "password.strong: require_at_sign_in → at_next_change", "password.old: deleted", "password.old: only warns",
      "password.old: max_age 90d → 91d", "password: no rule binds at sign_up",
      "password: no rule binds at set_password",
      "password: no rule binds at reset_password", "password: no rule binds at admin_create",
      "password.existing: prompt_at_sign_in → at_next_change", "nick.trim: true → false",
      "nick.write: user_at_sign_up → user", "nick.unique: deleted", "nick.unique: ignore_case → true",
      "nick.reserved: deleted", "nick.reserved: only warns", "nick.reserved: reserved without admin",
      "nick.reserved: reserved without root", "nick: no rule binds at sign_up", "nick: no rule binds at update_profile",
      "nick: no rule binds at admin_create", "nick: no rule binds at admin_update", "nick: no rule binds at invite",
      "nick: no rule binds at import", "team.write: admin → user", "team.default: deleted", "team.values: deleted",
      "team.values: only warns", "team: no rule binds at admin_create", "team: no rule binds at admin_update",
      "team: no rule binds at invite", "team: no rule binds at import", "born.type: date → string",
      "born.required: deleted", "born.required: only warns", "born: no rule binds at sign_up",
      "born: no rule binds at update_profile", "born: no rule binds at admin_create",
      "born: no rule binds at admin_update", "born: no rule binds at invite", "born: no rule binds at import",
      "age.type: integer → string", "age.min: deleted", "age.min: only warns", "age.min: min 10 → 9",
      "age.max: deleted",
      "age.max: only warns", "age.max: max 99 → 100", "age: no rule binds at sign_up",
      "age: no rule binds at update_profile", "age: no rule binds at admin_create",
      "age: no rule binds at admin_update",
      "age: no rule binds at invite", "age: no rule binds at import", "access.email_verified: deleted",
      "access.email_verified: only warns", "access.linked:spotify: deleted", "access.linked:spotify: never enforces",
      "access.linked:spotify: enforce_from 2027-05-31 → 2027-06-01", "providers.spotify.require_scopes: without x",
      "providers.spotify.require_scopes: without y", "mfa.grace: 7d → 8d", "mfa.leads: deleted",
      "mfa.leads: never enforces", "mfa.leads: enforce_from 2027-06-30 → 2027-07-01",
      "mfa.leads: lead: true → false", "admins.when: without team",
      "admins.when: without lead", "admins.when: team: \"b\" → \"a\"", "admins.when: lead: true → false",
      "lead.type: boolean → string", "lead.write: admin → user", "lead.default: deleted",
      "exceptions.email.allowed_domains: deleted for a@b.example",
      "exceptions.email.allowed_domains: until 2026-12-31 → 2027-01-01",
    ]
    #expect(found.filter { !expected.contains($0) } == [])
    #expect(expected.filter { !found.contains($0) } == [])
    let results = try mutants("")
    #expect(results.allSatisfy { $0.noticedBy == nil })
  }

  @Test("an expectation of who administers notices each condition and each other value")
  func administrators() throws {
    let results = try mutants(
      """
      tests:
        - name: a lead of b administers
          admin_update: {set: {team: b, lead: true}}
          expect: {admin: true}
        - name: a lead alone does not
          admin_update: {set: {lead: true}}
          expect: {admin: false}
        - name: nor one of b
          admin_update: {set: {team: b}}
          expect: {admin: false}
        - name: nor a lead of a
          admin_update: {set: {team: a, lead: true}}
          expect: {admin: false}

      """)
    let admins = results.filter { $0.mutant.subject == "admins.when" }
    #expect(admins.count == 4 && admins.allSatisfy { $0.noticedBy != nil })
  }

  @Test("each written section is said to be changed, or why it is not")
  func scope() throws {
    let text = """
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      access: {full: {requires: []}}
      sessions: {reuse_grace: 10s}
      theme: {dark_mode: never}

      """
    let file = try read(text)
    let scope = MutationScope(file, PolicyTests.mutate(file, using: SmallLists()))
    #expect(scope.changed == ["password"])
    #expect(scope.tight == ["access"])
    #expect(scope.unseen == ["app", "sessions", "theme"])
  }

  @Test("a test notices what it is about, by name, and nothing else")
  func noticed() throws {
    let results = try mutants(
      """
      tests:
        - name: too old
          at: 2026-12-01
          given: {password_age: 91d, password: long enough, links: {spotify: {scopes: all}}}
          expect: {next: [change_password, verify_email]}
        - name: young enough
          at: 2026-12-01
          given: {password_age: 90d, password: long enough, links: {spotify: {scopes: all}}}
          expect: {next: [verify_email]}

      """)
    let noticed = results.filter { $0.noticedBy != nil }
    #expect(Set(noticed.map(\.mutant.subject)) == ["password.old", "access.email_verified"])
    #expect(noticed.filter { $0.mutant.subject == "password.old" }.allSatisfy { $0.noticedBy == "too old" })
  }
}
