import GatehousePolicyFile

/// P0301 to P0310, lints. The file `acme.yaml`, and exactly what is said about it.
enum GoldenLints {
  static let cases: [Golden] = [
    Golden(
      .contradiction,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      profile:
        fields:
          name: {type: string, min_length: 9, max_length: 3}
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:7:41: warning[P0301]: name.min_length asks for at least 9, name.max_length for at most 3
          7 |     name: {type: string, min_length: 9, max_length: 3}
            |                                         ^~~~~~~~~~
            = no value satisfies both (lines 7 and 7)

      """#),
    Golden(
      .impossible,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      profile:
        fields:
          team: {type: string, required: true, write: admin}
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:7:26: warning[P0302]: team is required, but only an administrator may write it, so sign-up always fails
          7 |     team: {type: string, required: true, write: admin}
            |                          ^~~~~~~~
            = give it a default, or leave out required

      """#),
    Golden(
      .publicSuffix,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      identifiers: {email: {allowed_domains: ["*.edu"]}}
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:5:41: warning[P0303]: "*.edu" is a public suffix: anyone can register a domain under it
          5 | identifiers: {email: {allowed_domains: ["*.edu"]}}
            |                                         ^~~~~~~

      """#),
    Golden(
      .freeMail,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      identifiers: {email: {allowed_domains: [ksu.edu, gmail.com]}}
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:5:50: warning[P0304]: anyone can get an address at "gmail.com"
          5 | identifiers: {email: {allowed_domains: [ksu.edu, gmail.com]}}
            |                                                  ^~~~~~~~~

      """#),
    Golden(
      .compositionWithoutLength,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: upper, require: uppercase}]}
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:4:20: warning[P0305]: character classes without a minimum length of 8
          4 | password: {rules: [{id: upper, require: uppercase}]}
            |                    ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
            = NIST SP 800-63B prefers length and lists of known passwords

      """#),
    Golden(
      .pastStage,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8, enforce: warn, enforce_from: 2026-03-01}]}
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:4:20: warning[P0306]: password.min8 enforces since 2026-03-01
          4 | password: {rules: [{id: min8, min_length: 8, enforce: warn, enforce_from: 2026-03-01}]}
            |                    ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
            = write enforce: enforce and remove the date; nothing changes by it

      """#),
    Golden(
      .warnWithoutDate,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8, enforce: warn}]}
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:4:20: warning[P0307]: password.min8 only warns, and no date says until when
          4 | password: {rules: [{id: min8, min_length: 8, enforce: warn}]}
            |                    ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
            = add enforce_from: YYYY-MM-DD

      """#),
    Golden(
      .noTests,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}

      """#,
      #"""
      acme.yaml:1:1: warning[P0308]: the file has no tests
          1 | schema: gatehouse/policy.v1
            | ^

      """#),
    Golden(
      .openDoor,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}, {id: digit, require: digit, doors: [set_password, reset_password]}]}
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:4:47: warning[P0309]: password.digit does not guard sign_up, admin_create
          4 | password: {rules: [{id: min8, min_length: 8}, {id: digit, require: digit, doors: [set_password, reset_password…
            |                                               ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

      """#),
    Golden(
      .lowContrast,
      #"""
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password: {rules: [{id: min8, min_length: 8}]}
      theme: {primary: "#FFE680"}
      tests:
        - name: an address is needed
          sign_up: {password: longenough}
          expect: {ok: false}

      """#,
      #"""
      acme.yaml:5:18: warning[P0310]: #FFE680 has a contrast of 1.2:1 to the light page; 3:1 is needed
          5 | theme: {primary: "#FFE680"}
            |                  ^~~~~~~~~
            = choose a darker colour (WCAG 2.2, 1.4.11)

      """#),
  ]
}
