extension PolicyFile {
  /// The policy of a tenant made without a file, and what `policy init` writes: NIST SP 800-63B for passwords as the only
  /// factor, short access tokens, and nothing told to strangers. With its own tests.
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
          - {id: min15, min_length: 15}     # length is what protects; no character classes are asked for
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
      privacy: {account_exists: hide}       # sign-up answers alike for taken and free addresses
      limits: {sign_in_per_account: 10/15m, sign_in_per_ip: 100/15m, sign_up_per_ip: 20/1h}
      tests:
        - name: fifteen characters pass, blanks count
          sign_up: {email: Alex@Example.com, password: "kq vmtz hrwp bj"}
          expect: {ok: true, warnings: [], access: limited, next: [verify_email], stored: {email: alex@example.com}}
        - name: fourteen do not
          sign_up: {email: alex@example.com, password: "kq vmtz hrwp b"}
          expect: {ok: false, violations: [password.min15]}
        - name: a famous password
          sign_up: {email: alex@example.com, password: "123456"}
          expect: {ok: false, violations: [password.min15, password.not_common]}
        - name: the own address in the password
          sign_up: {email: rosalind@example.com, password: "rosalind likes rain"}
          expect: {ok: false, violations: [password.not_address]}
        - name: a new password meets the same rules
          set_password: {password: "too short"}
          expect: {ok: false, violations: [password.min15]}
        - name: two at signs are no address
          sign_up: {email: "a@example.com@example.com", password: "kq vmtz hrwp bj"}
          expect: {ok: false, violations: [email.syntax]}
        - name: nothing is stored that is not declared
          update_profile: {as: user, set: {nickname: Al}}
          expect: {ok: false, violations: [nickname.unknown]}
        - name: a proven address opens everything
          given: {email_verified: true}
          expect: {access: full, next: []}

      """
  }
}
