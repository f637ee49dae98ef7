import GatehousePolicy

extension PolicyFile {
  /// The policy of a tenant made without a file, and what `policy init` writes: NIST SP 800-63B for passwords as the
  /// only factor, short access tokens, and nothing told to strangers. With its own tests.
  /// - Parameters:
  ///   - tenant: A tenant id.
  ///   - name: What people see; cut at 80 characters, without control characters.
  package static func initial(tenant: String, name: String) -> String {
    let shown = String(
      String.UnicodeScalarView(
        name.unicodeScalars.filter { Characters.problem($0) == nil && $0 != "\n" && $0 != "\r" }.prefix(80)))
    return """
      schema: gatehouse/policy.v1
      tenant: \(tenant)
      app: {name: \(JSONText.string(shown.isEmpty ? tenant : shown).text()), locales: [en]}
      identifiers:
        sign_in_with: [email]
        email: {normalize: lowercase}
      password:
        max_length: 128
        rules:
          - {id: min15, min_length: 15}  # length is what protects; no character classes are asked for
          - {id: not_common, not_in: common}
          - {id: not_address, not_containing: [email]}
      profile:
        unknown_fields: reject
      verification:
        email: {method: link_and_code, link_ttl: 24h, code_ttl: 10m, resend_cooldown: 60s, max_sends_per_day: 10}
      access:
        full: {requires: [email_verified]}
      providers:
        password: {use: sign_in}
      sessions: {access_token_ttl: 10m, refresh_idle_ttl: 30d, refresh_max_ttl: 365d, reuse_grace: 30s, max_per_user: 20}
      privacy: {account_exists: hide}  # sign-up answers alike for taken and free addresses
      limits: {sign_in_per_ip: 300/15m, sign_up_per_ip: 20/1h}
      users:  # values far from every bound: a test states the one that it is about
        alex: {email: alex@example.com, password: kq vmtz hrwp bj xd}
        nobody: {email: nobody, password: x}  # wrong in everything
      tests:
        - name: a person signs up; a proven address comes next
          sign_up: {as: alex, email: Alex@Example.com}
          expect: {ok: true, warnings: [], access: limited, next: [verify_email], stored: {email: alex@example.com}}
        - name: a sign-up is held to the rules
          sign_up: {as: nobody}
          expect: {violations: {includes: [email.syntax, password.min15]}}
        - name: so is an account that an administrator makes
          admin_create: {as: nobody}
          expect: {violations: {includes: [email.syntax, password.min15]}}
        - name: a reset sets no shorter password
          reset_password: {password: x}
          expect: {violations: {includes: [password.min15]}}
        - name: fourteen characters are too few
          set_password: {password: kq vmtz hrwp b}
          expect: {violations: {includes: [password.min15]}}
        - {name: fifteen are enough, set_password: {password: kq vmtz hrwp bj}, expect: {ok: true}}
        - name: a hundred and twenty-nine are too many
          set_password:
            password: kq vmtz hrwp bj xd kq vmtz hrwp bj xd kq vmtz hrwp bj xd kq vmtz hrwp bj xd kq vmtz hrwp bj xd kq vmtz hrwp bj xd kq vmtz hrwp bj
          expect: {violations: {includes: [password.max_length]}}
        - name: a famous password
          set_password: {password: "123456"}
          expect: {violations: {includes: [password.not_common]}}
        - name: the own address in the password
          given: {email: rosalind@example.com}
          set_password: {password: rosalind likes rain}
          expect: {violations: {includes: [password.not_address]}}
        - name: nothing is stored that is not declared
          update_profile: {set: {nickname: Al}}
          expect: {violations: {includes: [nickname.unknown]}}
        - {name: a proven address opens everything, given: {email_verified: true}, expect: {access: full, next: []}}

      """
  }
}
